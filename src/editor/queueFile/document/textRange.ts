/** Position in a text: line and UTF-16 code unit, both counted from 0, as editors do. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** Part of a text, from its start to before its end. */
export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

const LINE_END = /\r\n|\n|\r/g;

/** Returns the position after a text that starts at `start`. */
export function advance({ line, character }: TextPosition, text: string): TextPosition {
  let lines = 0;
  let lastLine = 0;
  for (const { 0: end, index } of text.matchAll(LINE_END)) {
    lines += 1;
    lastLine = index + end.length;
  }
  return lines === 0
    ? { line, character: character + text.length }
    : { line: line + lines, character: text.length - lastLine };
}

/** Returns a negative number if `a` is before `b`, 0 if they are the same, else a positive number. */
export function comparePositions(a: TextPosition, b: TextPosition): number {
  return a.line - b.line || a.character - b.character;
}

/** Returns whether a position is in a range or at one of its ends. */
export function touches({ start, end }: TextRange, position: TextPosition): boolean {
  return comparePositions(start, position) <= 0 && comparePositions(position, end) <= 0;
}
