import { styleText } from 'node:util';
import { clean } from '../../platform/text/plainText';

/** Style of a piece of a line, if there are colours. */
export type Tone = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

/** One or several lines for the user: plain text, or pieces with a style. */
export type Line = string | readonly (string | { readonly text: string; readonly tone: Tone })[];

/**
 * Renders a line for a terminal, or without colours. Removes control sequences from every text: much of it comes from a
 * file.
 */
export function renderLine(line: Line, hasColours: boolean): string {
  const pieces = typeof line === 'string' ? [line] : line;
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return clean(piece);
      const text = clean(piece.text);
      // The caller decided about colours for the stream to which the line goes.
      return hasColours ? styleText(piece.tone, text, { validateStream: false }) : text;
    })
    .join('');
}
