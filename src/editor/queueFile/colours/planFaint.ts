import type { DocumentRecord } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import type { TextPosition, TextRange } from '../document/textRange';

/** Header of a document: the part to dim, and the name of the column at the cursor. */
export interface HeaderPlan {
  readonly faint: readonly TextRange[];
  readonly current: readonly TextRange[];
}

/** Returns the places of the delimiters between the cells of the rows on these lines, the last line included. */
export function planDelimiters(
  document: QueueDocument,
  firstLine: number,
  lastLine: number,
): readonly TextRange[] {
  return document.rowsBetween(firstLine, lastLine).flatMap(delimitersOf);
}

/** Returns how the header is drawn while the cursor is at a position. */
export function planHeader(document: QueueDocument, cursor: TextPosition): HeaderPlan {
  const { header } = document;
  if (header === null) return { faint: [], current: [] };
  const index = document.cellAt(cursor)?.cell.index ?? -1;
  const current = header.cells[index]?.range;
  if (current === undefined) return { faint: [header.range], current: [] };
  const { start, end } = header.range;
  return {
    faint: [
      { start, end: current.start },
      { start: current.end, end },
    ],
    current: [current],
  };
}

function delimitersOf({ cells }: DocumentRecord): TextRange[] {
  return cells.slice(1).map(({ range: { start } }) => ({
    start: { line: start.line, character: start.character - 1 },
    end: start,
  }));
}
