import * as path from 'node:path';
import { abbreviate } from '../../../platform/text/plainText';

/** Comment of the user on lines of a file. */
export interface LineComment {
  /** As Claude names it. */
  readonly file: string;
  /** First and last line, from 1. */
  readonly lines: readonly [first: number, last: number];
  /** These lines. */
  readonly quoted: readonly string[];
  readonly text: string;
}

/** Most lines to quote of one comment, and characters of a line: Claude has the file. */
const MOST_LINES = 5;
const WIDTH = 200;

/** Returns one note for Claude that names the place of each comment, quotes it, and has its text; in their order in files. */
export function composeNote(comments: readonly LineComment[]): string {
  const sorted = [...comments].sort(
    (a, b) => compare(a.file, b.file) || a.lines[0] - b.lines[0] || a.lines[1] - b.lines[1],
  );
  return sorted.map(composeComment).join('\n\n');
}

/** Returns the name of a file from the working directory of an attempt; `file`: from the top of the repository. */
export function nameFile(
  file: string,
  place: { readonly top: string; readonly folder: string } | undefined,
): string {
  return place === undefined ? file : path.relative(place.folder, path.join(place.top, file));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function composeComment({ file, lines: [first, last], quoted, text }: LineComment): string {
  const place = first === last ? String(first) : `${String(first)}-${String(last)}`;
  const shown = quoted.slice(0, MOST_LINES).map((line) => `> ${abbreviate(line, WIDTH)}`);
  const more = quoted.length > MOST_LINES ? ['> …'] : [];
  return [`${file}:${place}`, ...shown, ...more, text.trim()].join('\n');
}
