import { revealInvisible } from '../../platform/text/invisible';
import type { Line, Tone } from './line';

/** Lines of a patch for a user who judges it: nothing in them is invisible, and each has its colour. */
export function colourPatch(lines: readonly string[]): Line[] {
  let isInHunk = false;
  return lines.map((line) => {
    // Lines of a hunk start with another character.
    if (line.startsWith('diff --git ')) isInHunk = false;
    if (line.startsWith('@@ ')) isInHunk = true;
    const tone = isInHunk ? TONES[line.charAt(0)] : 'bold';
    const text = revealLine(line);
    return tone === undefined ? text : [{ text, tone }];
  });
}

const TONES: Readonly<Record<string, Tone>> = { '+': 'green', '-': 'red', '@': 'cyan' };

/** Shows the line ends of Windows where they may be what changed. */
function revealLine(line: string): string {
  const isCrLf = line.endsWith('\r');
  const isChanged = line.startsWith('+') || line.startsWith('-');
  const end = isCrLf && isChanged ? '^M' : '';
  return revealInvisible(isCrLf ? line.slice(0, -1) : line) + end;
}

/** ` name | 12 ++++---`, as `git diff --stat` prints it. */
const STAT = /^(?<head>.*\|\s+\d+ )(?<added>\+*)(?<removed>-*)$/;

/** Lines of `git diff --stat` with their colours. */
export function colourStat(lines: readonly string[]): Line[] {
  return lines.map((line) => {
    const { head, added = '', removed = '' } = STAT.exec(line)?.groups ?? {};
    if (head === undefined) return revealInvisible(line);
    const pieces = [
      { text: added, tone: 'green' },
      { text: removed, tone: 'red' },
    ] as const;
    return [revealInvisible(head), ...pieces.filter(({ text }) => text !== '')];
  });
}
