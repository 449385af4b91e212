import type { QueueDocument } from '../document/queueDocument';

/** Lines that fold to the first of them. */
export interface FoldedLines {
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Returns the lines of each row that has more than one. */
export function planFolds({ rows }: QueueDocument): readonly FoldedLines[] {
  return rows.flatMap((row, index) => {
    const next = rows[index + 1];
    if (next?.line === row.line + 1) return [];
    const lastLine = row.range.end.line;
    return lastLine > row.line ? [{ firstLine: row.line, lastLine }] : [];
  });
}
