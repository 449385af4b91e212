import { describeNeed, nameRisk, nameTask } from '../../../app/present/report/needTexts';
import { isListedTogether, type Review, type Risk } from '../../../app/viewModel/report/risk';
import { cutToWidth, displayWidth, padToWidth } from '../displayWidth';
import type { Tone } from '../line';
import { commandForAll, commandsFor, describeCommand } from './reportCommands';

/** Width of a report, in columns. */
export const WIDTH = 80;

/** Piece of a line. */
export interface Piece {
  readonly text: string;
  readonly tone?: Tone;
}

/** Line of a report, in pieces. */
export type Row = readonly Piece[];

const TONES: Readonly<Record<Risk, Tone>> = {
  failed: 'red',
  refused: 'yellow',
  question: 'yellow',
  review: 'yellow',
  stuck: 'red',
  large: 'yellow',
  unconfirmed: 'yellow',
  unproven: 'yellow',
  unchecked: 'dim',
  unapproved: 'dim',
};

/** Lays out tasks with their risks: each with its facts and commands, but those whose risk `isShort` in short. */
export function layNeedsOut(
  needs: readonly Review[],
  isShort: (risk: Risk) => boolean = isListedTogether,
): readonly Row[] {
  const ids = Math.max(...needs.map(({ task }) => String(task.id).length));
  const names = Math.max(...needs.map((need) => displayWidth(nameRisk(need))));
  const indent = 2 + ids + 2;
  return needs.flatMap((need, index) => {
    const { task, risk } = need;
    const name = nameRisk(need);
    const title = [
      { text: `  ${String(task.id).padStart(ids)}  ` },
      { text: padToWidth(name, names), tone: risk === null ? 'green' : TONES[risk] },
      { text: `  ${cutToWidth(nameTask(task), WIDTH - indent - names - 2)}` },
    ];
    if (risk !== null && isShort(risk))
      return needs[index + 1]?.risk === risk
        ? [title]
        : [title, ...wrap(commandForAll(needs.filter((one) => one.risk === risk)), indent, 'cyan')];
    return [
      title,
      ...wrap(describeNeed(need).join(' · '), indent, undefined, MOST_LINES),
      ...wrap(commandsFor(need).slice(0, MOST_COMMANDS).map(describeCommand).join(' · '), indent, 'cyan'),
    ];
  });
}

/** Most lines that describe a need, and most commands for it. */
const MOST_LINES = 3;
const MOST_COMMANDS = 3;

/**
 * Breaks a text into lines of the report's width, between words; a longer word is cut. `most` is the greatest number of
 * lines: an ellipsis at the end of the last one says that there is more.
 */
export function wrap(text: string, indent = 0, tone?: Tone, most = Infinity): readonly Row[] {
  return breakLines(text, WIDTH - indent, most).map((line) => [
    { text: ' '.repeat(indent) },
    { text: line, ...(tone === undefined ? {} : { tone }) },
  ]);
}

function breakLines(text: string, room: number, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && displayWidth(longer) <= room) lines.splice(-1, 1, longer);
    else if (last !== undefined && lines.length >= most)
      return [...lines.slice(0, -1), cutToWidth(`${last}…`, room)];
    else lines.push(cutToWidth(word, room));
  }
  return lines;
}
