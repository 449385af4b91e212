import { describeExpected } from '../../app/present/reasons/shortReason';
import { STATE_NAMES } from '../../app/present/reasons/stateNames';
import type { Starts } from '../../app/simulate/worthForecasting';
import type { QueueViewModel, TaskViewModel } from '../../app/viewModel/queueViewModel';
import { SERVICE_MARKS } from '../../app/present/service';
import { shorten } from '../../app/present/text';
import { SHOWN_STATES, type ShownState } from '../../domain/reasons/reason';
import { cutToWidth, displayWidth } from './displayWidth';
import type { Line } from './line';
import { stateTone } from './stateTone';
import { joinLines, layOutCells, textOf, type Cell } from './table';

const HEAD = ['  id', 'state', 'priority', 'user', 'prompt', 'why'].map(
  (text) => ({ text, tone: 'dim' }) as const,
);

/** Default width of prompts, in terminal columns. */
const PROMPT_WIDTH = 60;
const LEAST_PROMPT_WIDTH = 16;
const LEAST_WHY_WIDTH = 8;
const USER_WIDTH = 16;
const GAP = 2;

/** Facts besides the tasks that a table shows. */
interface TableContext extends Pick<QueueViewModel, 'next' | 'world'> {
  /** Starts that a forecast expects. */
  readonly starts: Starts;
}

/** Lays out tasks as a table, cut to the terminal's width of `columns`; null: no terminal, and reasons are not cut. */
export function layTasksOut(
  tasks: readonly TaskViewModel[],
  context: TableContext,
  columns: number | null,
): Line {
  const rows = tasks.map((shown) => toCells(shown, context));
  // Like the table, which leaves out a column without values.
  const fixed = [0, 1, 2, 3].map((column) =>
    widestOf(rows, column) === 0 ? 0 : widestOf([HEAD, ...rows], column),
  );
  const left = (columns ?? Infinity) - fixed.reduce((sum, width) => sum + (width === 0 ? 0 : width + GAP), 0);
  const { forPrompt, forWhy } = shareRoom(left, widestOf(rows, 5));
  const cut = rows.map((row) => [
    ...row.slice(0, 4),
    cutToWidth(textOf(row[4]), forPrompt),
    cutToWidth(textOf(row[5]), forWhy),
  ]);
  return joinLines(layOutCells(HEAD, cut));
}

/** Divides N columns between prompts and reasons: reasons are cut only if they leave no room for a prompt. */
function shareRoom(left: number, reasons: number): { readonly forPrompt: number; readonly forWhy: number } {
  if (reasons === 0) return { forPrompt: left === Infinity ? PROMPT_WIDTH : left, forWhy: 0 };
  const forPrompt = Math.min(Math.max(left - GAP - reasons, LEAST_PROMPT_WIDTH), PROMPT_WIDTH);
  const forWhy = left - GAP - forPrompt;
  return forWhy < Math.min(LEAST_WHY_WIDTH, reasons) ? { forPrompt: left, forWhy: 0 } : { forPrompt, forWhy };
}

function toCells(
  { task: { definition }, reason, effectivePriority, service }: TaskViewModel,
  { next, world, starts }: TableContext,
): Cell[] {
  const { id, priority, prompt, user = '' } = definition;
  const start = starts.get(id);
  const isAhead = start !== undefined && start > world.now;
  const raised = effectivePriority === priority ? priority : `${priority}→${effectivePriority}`;
  return [
    `${id === next ? '>' : ' '} ${String(id)}`,
    { text: STATE_NAMES[reason.state], tone: stateTone(reason.state) },
    `${raised}${service === null ? '' : SERVICE_MARKS[service.standing]}`,
    shorten(user, USER_WIDTH),
    shorten(prompt, Infinity),
    isAhead ? withExpected(reason.text, describeExpected(start, world)) : reason.text,
  ];
}

/** Adds the expected start to a reason; a task that is ready has none. */
function withExpected(reason: string, expected: string): string {
  return reason === '' ? expected : `${reason} (${expected})`;
}

function widestOf(rows: readonly (readonly Cell[])[], column: number): number {
  return rows.reduce((widest, row) => Math.max(widest, displayWidth(textOf(row[column]))), 0);
}

/** Counts tasks by state: `2 ready, 1 scheduled`. */
export function countStates(tasks: readonly TaskViewModel[]): string {
  const counts = new Map<ShownState, number>();
  for (const { reason } of tasks) counts.set(reason.state, (counts.get(reason.state) ?? 0) + 1);
  return SHOWN_STATES.flatMap((shown) => {
    const number = counts.get(shown);
    return number === undefined ? [] : [`${String(number)} ${STATE_NAMES[shown]}`];
  }).join(', ');
}
