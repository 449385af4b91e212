import {
  describeGaps,
  describeLimits,
  describeMadeWay,
  describeSkips,
} from '../../../app/present/report/nightTexts';
import { describeCause, nameTask } from '../../../app/present/report/needTexts';
import {
  describeAccepted,
  describeAttemptCounts,
  describeCost,
  describeForecast,
  describePeriod,
  describeStop,
  describeTaskCounts,
  END_NAMES,
  summarizeReport,
} from '../../../app/present/report/reportTexts';
import { formatShortTime } from '../../../app/present/reasons/amounts';
import { knownCost } from '../../../app/viewModel/ledger';
import type { NightReport } from '../../../app/viewModel/report/nightReport';
import type { ReportedTask } from '../../../app/viewModel/report/reportedTask';
import { needsAction } from '../../../app/viewModel/report/risk';
import type { TaskEnd } from '../../../app/viewModel/report/taskEnd';
import { formatUsd } from '../../../domain/usd';
import { cutToWidth, displayWidth } from '../displayWidth';
import type { Line, Tone } from '../line';
import { joinLines, layOutCells, type Cell } from '../table';
import { layNeedsOut, WIDTH, wrap, type Row } from './layNeedsOut';
import { commandForStop } from './reportCommands';

/** Lays out the account of a night in 80 columns: what to do first, then the tasks, then the night. */
export function layReportOut(report: NightReport): Line {
  const { needs, stops } = report;
  const sums = [describeCost(report), describeAccepted(report), describeForecast(report)].filter(
    (text) => text !== null,
  );
  const must = needs.filter(({ risk }) => needsAction(risk));
  const looks = needs.filter(({ risk }) => !needsAction(risk));
  return joinLines([
    [{ text: `${summarizeReport(report)}.`, tone: 'bold' }],
    [{ text: describePeriod(report), tone: 'dim' }],
    ...wrap(describeTaskCounts(report)),
    ...wrap(describeAttemptCounts(report)),
    ...sums.flatMap((text) => wrap(text)),
    ...section('Needs you', [
      ...stops.flatMap((stop) => [
        ...wrap(describeStop(stop), 2, 'red'),
        ...wrap(commandForStop(stop), 6, 'cyan'),
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
      'Stopped for critical tasks',
      describeMadeWay(report).flatMap((text) => wrap(text, 2)),
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
  changed: 'dim',
};

const HEAD = ['  id', 'state', 'task', 'ended', 'att', 'cost', 'changed', 'refused'].map(
  (text) => ({ text, tone: 'dim' }) as const,
);
const TITLE = 2;
const LEAST_TITLE = 6;

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
  const known = new Set(needs.map(({ task }) => task));
  return [
    head,
    ...lines.flatMap((line, index): readonly Row[] => {
      const task = tasks[index];
      if (task === undefined || PLAIN.includes(task.end) || known.has(task)) return [line];
      const cause = describeCause(task);
      return cause === '' ? [line] : [line, ...wrap(cause, CAUSE_INDENT, 'dim', 1)];
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

/** As `formatCost`, for a narrow column. */
function formatPrice({ sums }: ReportedTask): string {
  const usd = knownCost(sums);
  if (sums.attempts === 0) return '';
  return usd === null ? 'unknown' : `${sums.attemptsWithoutCost > 0 ? '≥ ' : ''}${formatUsd(usd)}`;
}

function formatSize({ diff, isDiffPartial, isUndone }: ReportedTask): string {
  if (isUndone) return 'undone';
  if (diff === null || (isDiffPartial && diff.files === 0)) return 'unknown';
  return `${isDiffPartial ? '≥ ' : ''}+${String(diff.insertions)} -${String(diff.deletions)}`;
}
