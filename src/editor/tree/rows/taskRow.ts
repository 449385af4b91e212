import { describeRowProblem } from '../../../app/present/problems/rowProblem';
import { describeExpected, describeShortly } from '../../../app/present/reasons/shortReason';
import { shorten } from '../../../app/present/text';
import { possibleActions, type TaskAction } from '../../../app/viewModel/possibleActions';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { RowProblem } from '../../../domain/problem';
import type { ShownState } from '../../../domain/reasons/reason';
import type { TaskWorld } from '../../../domain/reasons/world';
import type { EpochMs } from '../../../domain/time/epoch';
import { describeTaskHover, type TaskHoverFacts } from '../../hover/taskHover';
import { hideIcons } from '../../hiddenLinks';
import { speakTask } from './spokenRow';
import type { RowIcon, RowMark, TreeRow } from './treeRow';
import { t } from '../../../platform/text/translate';

/** Icon of each state. */
const ICONS: Readonly<Record<ShownState, RowIcon>> = {
  running: ['sync~spin', 'charts.blue'],
  ready: ['circle-large-outline'],
  scheduled: ['calendar'],
  blocked: ['link'],
  retrying: ['history'],
  waiting: ['watch'],
  unapproved: ['shield', 'charts.yellow'],
  stuck: ['error', 'charts.red'],
  review: ['eye', 'charts.yellow'],
  dead: ['error', 'charts.red'],
  invalid: ['warning', 'charts.yellow'],
  completed: ['pass'],
  cancelled: ['circle-slash'],
};

/** Icon of a task that the user does: it runs, but does not continue by itself. */
const BY_USER: RowIcon = ['account', 'charts.blue'];

/** Icons of tasks that are late, or soon will be. */
const LATE: RowIcon = ['warning', 'charts.yellow'];
const AT_RISK: RowIcon = ['clockface', 'charts.yellow'];

/** Characters of a prompt to show. */
const PROMPT_WIDTH = 60;

/** Facts about a row besides its task. */
export interface RowFacts {
  readonly line: number;
  readonly world: TaskWorld;
  /** Note about the session in which the user does the task. */
  readonly note: string | undefined;
  /** Last action of Claude in the running attempt. */
  readonly live: string | undefined;
  /** Start that a forecast expects. */
  readonly start: EpochMs | undefined;
}

/** Returns the row of a task: its reason, then its id and prompt. What a running task does now is a row below it. */
export function toTaskRow(shown: TaskViewModel, { line, world, note, live, start }: RowFacts): TreeRow {
  const { id, prompt } = shown.task.definition;
  const expected = start === undefined || start <= world.now ? undefined : start;
  const label = describeShortly(shown, world, expected);
  const description = `${String(id)}  ${shorten(prompt, PROMPT_WIDTH)}`;
  const mark = markOf(shown);
  const now = note ?? (shown.reason.state === 'running' ? live : undefined);
  return {
    // VS Code opens only rows that are new to it.
    key: `task-${String(id)}${now === undefined ? '' : '-open'}`,
    label,
    description,
    icon: iconOf(shown),
    details: listDetails(shown, { world, note }),
    ...(expected === undefined ? {} : { forecast: describeExpected(expected, world) }),
    traits: traitsOf(shown),
    spoken: speakTask(shown, world, label),
    ...(mark === null ? {} : { mark }),
    command: { command: 'showRow', title: t('Show Row'), arguments: [line] },
    taskId: id,
    line,
    ...(now === undefined ? {} : { children: [toLiveRow(id, now)], isOpen: true }),
  };
}

function toLiveRow(id: number, text: string): TreeRow {
  return {
    key: `live-${String(id)}`,
    label: hideIcons(text),
    description: '',
    icon: ['arrow-small-right'],
    spoken: t('Task {0} now: {1}', id, text),
    command: { command: 'showAttempt', title: t('Show Attempt'), arguments: [id] },
  };
}

function iconOf({ task, reason, service, place }: TaskViewModel): RowIcon {
  if (task.claim?.owner.kind === 'person') return BY_USER;
  const own = ICONS[place !== null ? 'ready' : reason.waitsFor === 'elsewhere' ? 'waiting' : reason.state];
  if (place === null && (reason.waitsFor === 'person' || reason.state === 'running')) return own;
  if (service?.standing === 'violated') return LATE;
  return service?.standing === 'at-risk' ? AT_RISK : own;
}

function markOf({ reason, service }: TaskViewModel): RowMark | null {
  if (reason.state === 'dead' || reason.state === 'stuck') return 'failed';
  if (service?.standing === 'violated') return 'late';
  return service?.standing === 'at-risk' ? 'at-risk' : null;
}

/** Returns the text of the hover in lines, without its links. The facts of the last attempt are read on request. */
function listDetails(shown: TaskViewModel, facts: Omit<TaskHoverFacts, 'attempt'>): readonly string[] {
  const { title, lines, facts: known } = describeTaskHover(shown, facts);
  return [title, ...lines, ...known.map(({ name, text }) => `${name}: ${text}`)];
}

/** Words for the `when` of menus. */
const TRAIT_OF: Readonly<Record<TaskAction, string>> = {
  edit: 'task',
  handBack: 'inHand',
  runInteractively: 'pending',
  run: 'runnable',
  approve: 'unapproved',
  withdraw: 'approved',
  answer: 'question',
  accept: 'review',
  comment: 'commentable',
  allow: 'refused',
  retry: 'retriable',
  cancel: 'cancellable',
  undo: 'undoable',
  showChanges: 'changes',
  showOutput: 'output',
  changePriority: 'unfinished',
  move: 'movable',
  remove: 'removable',
};

/** States in which the user looks at what was done. */
const ENDED: readonly ShownState[] = ['review', 'dead', 'completed'];

function traitsOf(shown: TaskViewModel): string[] {
  const actions = possibleActions(shown);
  // A row has room for three buttons: a question has Answer in place of Accept, and changes are more than the output.
  const isAcceptable = actions.has('accept') && !actions.has('answer');
  const isCompared = actions.has('showChanges') && ENDED.includes(shown.reason.state);
  const isRead = actions.has('showOutput') && !(isCompared && actions.has('accept'));
  return [
    ...[...actions].map((action) => TRAIT_OF[action]),
    ...(isAcceptable ? ['acceptable'] : []),
    ...(isCompared ? ['compared'] : []),
    ...(isRead ? ['read'] : []),
  ];
}

/** Returns the row of a row of the file that is not valid, with all its problems. */
export function toProblemRow(problems: readonly [RowProblem, ...RowProblem[]]): TreeRow {
  const [{ where, row: line }, ...others] = problems;
  const isInFile = where.kind === 'file';
  const details = problems.map(describeRowProblem);
  const all = details.join(' ');
  const [first = ''] = details;
  const description = others.length === 0 ? first : `${first} (+${String(others.length)})`;
  return {
    key: `invalid-${String(line)}`,
    label: isInFile ? t('line {0}', line) : t('row {0}', line),
    description,
    icon: ICONS.invalid,
    details,
    traits: ['invalid'],
    spoken: isInFile ? t('Invalid row at line {0}: {1}', line, all) : t('Invalid row {0}: {1}', line, all),
    command: {
      command: 'showRow',
      title: t('Show Row'),
      arguments: [where.kind === 'file' ? { line: where.line, column: where.column } : line],
    },
    taskId: null,
    line,
  };
}
