import { describeGaps, describeLimits, describeSkips } from '../../../app/present/report/nightTexts';
import { describeNeed, describeCause, nameTask, RISK_NAMES } from '../../../app/present/report/needTexts';
import {
  describeAttemptCounts,
  describeCost,
  describePeriod,
  describeStop,
  describeTaskCounts,
  END_NAMES,
  summarizeReport,
} from '../../../app/present/report/reportTexts';
import { formatShortTime } from '../../../app/present/reasons/amounts';
import type { NightReport } from '../../../app/viewModel/report/nightReport';
import type { ReportedTask } from '../../../app/viewModel/report/reportedTask';
import { isListedTogether, needsAction, type Need, type Risk } from '../../../app/viewModel/report/risk';
import type { TaskEnd } from '../../../app/viewModel/report/taskEnd';
import { formatUsd } from '../../../domain/usd';
import { cutToWidth, displayWidth, padToWidth } from '../displayWidth';
import type { Line, Tone } from '../line';
import { joinLines, layOutCells, type Cell } from '../table';
import { commandForAll, commandForStop, commandsFor } from './reportCommands';

/** Width of a report, in columns. */
const WIDTH = 80;

interface Piece {
  readonly text: string;
  readonly tone?: Tone;
}

type Row = readonly Piece[];

/** Lays out the account of a night in 80 columns: what to do first, then the tasks, then the night. */
export function layReportOut(report: NightReport): Line {
  const { needs, stops } = report;
  const cost = describeCost(report);
  const must = needs.filter(({ risk }) => needsAction(risk));
  const looks = needs.filter(({ risk }) => !needsAction(risk));
  return joinLines([
    [{ text: `${summarizeReport(report)}.`, tone: 'bold' }],
    [{ text: describePeriod(report), tone: 'dim' }],
    ...wrap(describeTaskCounts(report)),
    ...wrap(describeAttemptCounts(report)),
    ...(cost === null ? [] : wrap(cost)),
    ...section('Needs you', [
      ...stops.flatMap((stop) => [
        ...wrap(describeStop(stop), 2, 'red'),
        ...(stop.kind === 'worker' ? [] : wrap(commandForStop(stop), 6, 'cyan')),
      ]),
      ...layNeedsOut(must),
    ]),
    ...section('Worth a look', layNeedsOut(looks)),
    ...section('Tasks', layTasksOut(report)),
    ...section(
      'Usage limits',
      describeLimits(report).flatMap((text) => wrap(text, 2)),
    ),
    ...section(
      'Nothing ran',
      describeGaps(report).flatMap((text) => wrap(text, 2)),
    ),
    ...section(
      'Skipped due times',
      describeSkips(report).flatMap((text) => wrap(text, 2)),
    ),
  ]);
}

function section(title: string, rows: readonly Row[]): readonly Row[] {
  return rows.length === 0 ? [] : [[], [{ text: title, tone: 'bold' }], ...rows];
}

const TONES: Readonly<Record<Risk, Tone>> = {
  failed: 'red',
  refused: 'yellow',
  question: 'yellow',
  review: 'yellow',
  stuck: 'red',
  large: 'yellow',
  unconfirmed: 'yellow',
  unchecked: 'dim',
  unapproved: 'dim',
};

function layNeedsOut(needs: readonly Need[]): readonly Row[] {
  const ids = Math.max(...needs.map(({ task }) => String(task.id).length));
  const names = Math.max(...needs.map(({ risk }) => RISK_NAMES[risk].length));
  const indent = 2 + ids + 2;
  return needs.flatMap((need, index) => {
    const { task, risk } = need;
    const name = RISK_NAMES[risk];
    const title = [
      { text: `  ${String(task.id).padStart(ids)}  ` },
      { text: padToWidth(name, names), tone: TONES[risk] },
      { text: `  ${cutToWidth(nameTask(task), WIDTH - indent - names - 2)}` },
    ];
    if (isListedTogether(risk))
      return needs[index + 1]?.risk === risk
        ? [title]
        : [title, ...wrap(commandForAll(needs.filter((one) => one.risk === risk)), indent, 'cyan')];
    return [
      title,
      ...wrap(describeNeed(need).join(' · '), indent).slice(0, MOST_LINES),
      ...wrap(commandsFor(need).slice(0, MOST_COMMANDS).join(' · '), indent, 'cyan'),
    ];
  });
}

/** Most lines that describe a need, and most commands for it. */
const MOST_LINES = 3;
const MOST_COMMANDS = 3;

const END_TONES: Readonly<Record<TaskEnd, Tone>> = {
  checked: 'green',
  unchecked: 'green',
  accepted: 'green',
  undone: 'dim',
  review: 'yellow',
  failed: 'red',
  stuck: 'red',
  interrupted: 'yellow',
  running: 'cyan',
  continues: 'yellow',
  waiting: 'dim',
  cancelled: 'dim',
  removed: 'dim',
};

const HEAD = ['  id', 'state', 'task', 'ended', 'att', 'cost', 'changed', 'refused'].map(
  (text) => ({ text, tone: 'dim' }) as const,
);
const TITLE = 2;
const LEAST_TITLE = 12;

/** Ends whose state says it all. */
const PLAIN: readonly TaskEnd[] = ['checked', 'unchecked', 'accepted', 'undone'];

function layTasksOut(report: NightReport): readonly Row[] {
  const { tasks, needs } = report;
  if (tasks.length === 0) return [];
  const rows = tasks.map((task) => toCells(task, report));
  const without = (row: readonly Cell[]): Cell[] => row.filter((_, column) => column !== TITLE);
  const used = Math.max(
    ...layOutCells(without(HEAD), rows.map(without)).map((pieces) =>
      displayWidth(pieces.map(({ text }) => text).join('')),
    ),
  );
  const room = Math.max(WIDTH - used - 2, LEAST_TITLE);
  const cut = rows.map((row, index) =>
    row.map((cell, column) => (column === TITLE ? cutToWidth(nameOf(tasks[index]), room) : cell)),
  );
  const [head = [], ...lines] = layOutCells(HEAD, cut);
  const known = new Set(needs.map(({ task }) => task.id));
  return [
    head,
    ...lines.flatMap((line, index): readonly Row[] => {
      const task = tasks[index];
      if (task === undefined || PLAIN.includes(task.end) || known.has(task.id)) return [line];
      const cause = describeCause(task);
      return cause === '' ? [line] : [line, ...wrap(cause, CAUSE_INDENT, 'dim').slice(0, 1)];
    }),
  ];
}

const CAUSE_INDENT = 6;

function nameOf(task: ReportedTask | undefined): string {
  return task === undefined ? '' : nameTask(task);
}

function toCells(task: ReportedTask, report: NightReport): Cell[] {
  const { id, end, attempts, denials } = task;
  const last = attempts.at(-1);
  return [
    `  ${String(id)}`,
    { text: END_NAMES[end], tone: END_TONES[end] },
    nameTask(task),
    last === undefined ? '' : formatShortTime(last.endedAt, report),
    attempts.length === 0 ? '' : String(attempts.length),
    formatPrice(task),
    attempts.length === 0 ? '' : formatSize(task),
    denials.length === 0 ? '' : String(denials.length),
  ];
}

function formatPrice({ attempts, costUsd, isCostPartial }: ReportedTask): string {
  if (attempts.length === 0) return '';
  return costUsd === null ? 'unknown' : `${isCostPartial ? '≥ ' : ''}${formatUsd(costUsd)}`;
}

function formatSize({ diff, isDiffPartial, isUndone }: ReportedTask): string {
  if (isUndone) return 'undone';
  if (diff === null || (isDiffPartial && diff.files === 0)) return 'unknown';
  return `${isDiffPartial ? '≥ ' : ''}+${String(diff.insertions)} -${String(diff.deletions)}`;
}

/** Breaks a text into lines of the report's width, between words; a longer word is cut. */
function wrap(text: string, indent = 0, tone?: Tone): readonly Row[] {
  const room = WIDTH - indent;
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && displayWidth(longer) <= room) lines.splice(-1, 1, longer);
    else lines.push(cutToWidth(word, room));
  }
  return lines.map((line) => [
    { text: ' '.repeat(indent) },
    { text: line, ...(tone === undefined ? {} : { tone }) },
  ]);
}
