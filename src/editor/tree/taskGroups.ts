import { describeLastMessage } from '../../app/present/attempt';
import { describeRowProblem } from '../../app/present/problems/rowProblem';
import type { QueueViewModel, TaskViewModel } from '../../app/viewModel/queueViewModel';
import { possibleActions, type TaskAction } from '../../app/viewModel/possibleActions';
import { SERVICE_MARKS } from '../../app/present/service';
import { count, describeFolder, shorten } from '../../app/present/text';
import { formatDuration } from '../../domain/time/duration';
import type { World } from '../../domain/reasons/world';
import type { Shown } from '../../domain/reasons/reason';
import { formatTime } from '../../domain/time/moment';
import { rowNumberOf, type RowProblem } from '../../domain/problem';
import type { Service } from '../../domain/order/service';
import type { TaskId } from '../../domain/task/task';
import type { Notes } from '../state/queueState';

/** Groups of the tree, in order. */
export const GROUPS = ['running', 'ready', 'waiting', 'review', 'done'] as const;
export type GroupName = (typeof GROUPS)[number];

/** Group of each state; everything that waits for the user is together. */
const GROUP_OF: Readonly<Record<Shown, GroupName>> = {
  running: 'running',
  ready: 'ready',
  scheduled: 'waiting',
  blocked: 'waiting',
  retrying: 'waiting',
  waiting: 'waiting',
  unapproved: 'review',
  stuck: 'review',
  review: 'review',
  dead: 'review',
  invalid: 'review',
  completed: 'done',
  cancelled: 'done',
};

/** Row of the tree. */
export interface TaskRow {
  /** Key that stays the same while the row means the same. */
  readonly key: string;
  /** Null for an invalid row of the file. */
  readonly taskId: number | null;
  readonly shown: Shown;
  readonly label: string;
  readonly description: string;
  /** Lines of plain text. */
  readonly details: readonly string[];
  /** Words for the `when` of menus, separated by spaces. */
  readonly traits: readonly string[];
  /** Line of the queue file, from 1. */
  readonly line: number;
}

/** Group with its first rows; an empty one is not shown. */
export interface TaskGroup {
  readonly name: GroupName;
  /** Number of its rows, shown or not. */
  readonly size: number;
  readonly rows: readonly TaskRow[];
}

/** Maximum number of rows in a group: the editor receives all of them at each change. */
export const MOST_ROWS = 500;

/** Characters of a prompt to show, so that the reason beside it fits. */
const LABEL_WIDTH = 60;

/** Groups the tree's rows, at most `MOST_ROWS` each, in the order of the file. */
export function groupTasks(
  { snapshot, tasks, world, next }: QueueViewModel,
  notes: Notes,
): readonly TaskGroup[] {
  const toTaskRow = (shown: TaskViewModel): TaskRow => {
    const { id } = shown.task.definition;
    return toRow(shown, { line: rowNumberOf(snapshot.places.get(id)), world, next, note: notes.get(id) });
  };
  return GROUPS.map((name) => {
    const own = tasks.filter(({ reason }) => GROUP_OF[reason.shown] === name);
    const problems = GROUP_OF.invalid === name ? snapshot.problems : [];
    const rows = [...own.slice(0, MOST_ROWS).map(toTaskRow), ...problems.map(toProblemRow)];
    return { name, size: own.length + problems.length, rows: rows.slice(0, MOST_ROWS) };
  }).filter(({ size }) => size > 0);
}

/** Counts rows of the tree that need attention: of the account, tasks, and invalid rows. */
export function countForPerson({ tasks, snapshot, account }: QueueViewModel): number {
  const waiting = tasks.filter(({ reason }) => GROUP_OF[reason.shown] === 'review');
  const needs = account.filter(({ needsUser }) => needsUser);
  return needs.length + waiting.length + snapshot.problems.length;
}

/** Formats a count: `3 items need attention`. */
export function describeAttention(items: number): string {
  return `${count(items, 'item')} ${items === 1 ? 'needs' : 'need'} attention`;
}

interface Surroundings {
  readonly line: number;
  readonly world: World;
  readonly next: TaskId | null;
  /** Note about the session in which the user does the task. */
  readonly note: string | undefined;
}

function toRow(shown: TaskViewModel, { line, world, next, note }: Surroundings): TaskRow {
  const { service, task } = shown;
  const { id, prompt } = task.definition;
  const mark = service === null ? '' : SERVICE_MARKS[service.standing];
  const details = describeDetails(shown, world);
  return {
    key: `task-${String(id)}`,
    taskId: id,
    shown: shown.reason.shown,
    label: `${String(id)}  ${shorten(prompt, LABEL_WIDTH)}`,
    description: `${note ?? describe(shown, world, next)}${mark === '' ? '' : ` ${mark}`}`,
    details: note === undefined ? details : [note, ...details],
    traits: traitsOf(shown),
    line,
  };
}

/** Describes a task in lines of plain text. */
export function describeDetails(shown: TaskViewModel, world: World): readonly string[] {
  const { service } = shown;
  return [...detail(shown), ...(service === null ? [] : [describeService(service, world)])];
}

/** Describes what the group does not show already. */
function describe(
  { task, reason, effectivePriority }: TaskViewModel,
  { now }: World,
  next: TaskId | null,
): string {
  const { id, priority } = task.definition;
  if (task.claim !== undefined && reason.shown === 'running') {
    return `${formatDuration(wholeSeconds(now - task.claim.at))} · ${reason.text}`;
  }
  const raised = effectivePriority === priority ? priority : `${priority} → ${effectivePriority}`;
  if (reason.shown === 'ready') return id === next ? `${raised} · next` : raised;
  // The icon shows it, and the details say why.
  if (reason.shown === 'unapproved' && !task.state.reopened) return raised;
  if (reason.text === '') return reason.shown;
  if (reason.shown === 'completed') return `completed, ${reason.text}`;
  const isSaid = GROUP_OF[reason.shown] === 'waiting' || reason.shown === 'review';
  return isSaid ? reason.text : `${reason.shown}: ${reason.text}`;
}

function wholeSeconds(ms: number): number {
  return Math.max(Math.floor(ms / 1000), 0) * 1000;
}

function detail(shown: TaskViewModel): string[] {
  const { task, reason, effectivePriority } = shown;
  const { definition, state, claim } = task;
  const raised = effectivePriority === definition.priority ? '' : `, counts as ${effectivePriority}`;
  const tries = `${String(state.retryCount)} of ${String(definition.maxRetries)} failed attempts`;
  return [
    `${reason.shown}${reason.text === '' ? '' : `: ${reason.text}`}`,
    `priority ${definition.priority}${raised} · ${tries}`,
    `in ${describeFolder(definition)}`,
    ...(claim === undefined ? [] : [`attempt ${String(claim.attempt)}`]),
    // If there is output, all facts of its attempt are shown instead.
    ...(state.lastOutcome === null || possibleActions(shown).has('showOutput')
      ? []
      : [[`last attempt: ${state.lastOutcome}`, describeLastMessage(state) ?? []].flat().join('. ')]),
    ...(definition.dependencies.length === 0 ? [] : [`after ${definition.dependencies.join(', ')}`]),
  ];
}

const STANDING_WORDS: Readonly<Record<Service['standing'], string>> = {
  'in-time': '',
  'at-risk': ', at risk (!)',
  violated: ', violated (!!)',
};

/** Describes when it should have ended, and whether it still can. */
function describeService({ by, standing, explicit }: Service, world: World): string {
  const whose = explicit ? 'deadline' : 'service time';
  return `${whose} ${formatTime(by, world)}${STANDING_WORDS[standing]}`;
}

/** Words for the `when` of menus. */
const TRAIT_OF: Readonly<Record<TaskAction, string>> = {
  handBack: 'inHand',
  runInteractively: 'pending',
  run: 'runnable',
  approve: 'unapproved',
  answer: 'question',
  accept: 'review',
  allow: 'refused',
  retry: 'retriable',
  cancel: 'cancellable',
  showOutput: 'output',
};

function traitsOf(shown: TaskViewModel): string[] {
  const actions = possibleActions(shown);
  // A row has room for three buttons: a question has Answer in place of Accept.
  const isAcceptable = actions.has('accept') && !actions.has('answer');
  return ['task', ...[...actions].map((action) => TRAIT_OF[action]), ...(isAcceptable ? ['acceptable'] : [])];
}

function toProblemRow(problem: RowProblem): TaskRow {
  const { where } = problem;
  const line = rowNumberOf(where);
  const message = describeRowProblem(problem);
  return {
    key: `line-${String(line)}-${where.kind === 'file' ? String(where.column) : (where.field ?? '')}`,
    taskId: null,
    shown: 'invalid',
    label: `${where.kind === 'file' ? 'Line' : 'Row'} ${String(line)}`,
    description: message,
    details: [message],
    traits: ['invalid'],
    line,
  };
}
