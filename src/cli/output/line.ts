import { styleText } from 'node:util';
import { clean } from '../../platform/text/plainText';

/** How a piece of a line stands out where there are colours. */
export type Tone = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

/** A line, or several, for the user: text, and pieces of it that stand out. */
export type Line = string | readonly (string | { readonly text: string; readonly tone: Tone })[];

/**
 * The line as a terminal takes it, or without colours. What steers a terminal is left out of every text: much of it
 * comes from a file.
 */
export function renderLine(line: Line, hasColours: boolean): string {
  const pieces = typeof line === 'string' ? [line] : line;
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return clean(piece);
      const text = clean(piece.text);
      // Whether there are colours was decided by the caller, for the stream that the line goes to.
      return hasColours ? styleText(piece.tone, text, { validateStream: false }) : text;
    })
    .join('');
}
