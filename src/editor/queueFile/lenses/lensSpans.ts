/** Lines of a document, from 0, both included. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** Number of lines up to which all rows have lenses. */
const FEW_LINES = 100;

/** Lines with lenses above and below the visible ones. VS Code places each lens again after each key. */
const MARGIN = 40;

/** Lines above and below the visible ones that must have lenses, so that none appears while the user scrolls. */
const NEAR = 15;

/** Returns the lines whose rows have lenses: all of a short document, else those near the visible ones. */
export function planSpans(visible: readonly LineSpan[], lineCount: number): readonly LineSpan[] {
  if (lineCount <= FEW_LINES) return [{ first: 0, last: lineCount - 1 }];
  return visible.map((span) => widen(span, MARGIN, lineCount));
}

/** Whether all lines near the visible ones are in the planned spans. */
export function isPlanned(
  planned: readonly LineSpan[],
  visible: readonly LineSpan[],
  lineCount: number,
): boolean {
  return visible
    .map((span) => widen(span, NEAR, lineCount))
    .every((near) => planned.some(({ first, last }) => first <= near.first && near.last <= last));
}

/** Whether a line is in one of the spans. */
export function hasLine(spans: readonly LineSpan[], line: number): boolean {
  return spans.some(({ first, last }) => first <= line && line <= last);
}

function widen({ first, last }: LineSpan, by: number, lineCount: number): LineSpan {
  return { first: Math.max(0, first - by), last: Math.min(lineCount - 1, last + by) };
}
