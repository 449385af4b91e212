import type { QueueViewModel, TaskViewModel } from '../../app/viewModel/queueViewModel';
import { possibleActions, type TaskAction } from '../../app/viewModel/possibleActions';
import type { Shown } from '../../domain/reasons/reason';
import { cellOf, readCsv } from '../../queue/csv/csvFile';
import type { CommandName } from '../commandIds';
import { hideIcons } from '../tree/hideIcons';

/** Lens above a row of a queue file. */
export interface PlannedLens {
  /** Line of the document, from 0. */
  readonly line: number;
  readonly title: string;
  /** Null shows the tree, which has the details. */
  readonly command: CommandName | null;
  readonly taskId: number;
}

/** Maximum number of rows with lenses; the tree has longer queues. */
const MOST_ROWS = 2_000;

/**
 * Plans lenses for the rows of a document, saved or not, that are tasks of the queue. Without trust they have no
 * commands.
 */
export function planLenses(
  text: string,
  { tasks }: QueueViewModel,
  isTrusted = true,
): readonly PlannedLens[] {
  const file = readCsv(Buffer.from(text));
  if (file.records.length > MOST_ROWS) return [];
  const byId = new Map(tasks.map((shown) => [String(shown.task.definition.id), shown]));
  return file.records.flatMap((record) => {
    const shown = byId.get(cellOf(file, record, 'id')?.trim() ?? '');
    return shown === undefined ? [] : lensesOf(shown, record.line - 1, isTrusted);
  });
}

function lensesOf(shown: TaskViewModel, line: number, isTrusted: boolean): PlannedLens[] {
  const { reason, task } = shown;
  const icon = task.claim?.owner.kind === 'person' ? 'account' : ICONS[reason.shown];
  // An ordinary space after an icon is not drawn.
  const drawn = icon === undefined ? '' : `$(${icon})\u00a0`;
  const state = `${drawn}${reason.shown}${reason.text === '' ? '' : `: ${hideIcons(reason.text)}`}`;
  if (!isTrusted) return [{ line, title: state, command: null, taskId: task.definition.id }];
  const hasOutput = possibleActions(shown).has('showOutput');
  const titles = [[state, hasOutput ? 'showOutput' : null] as const, ...actionsOf(shown)];
  return titles.map(([title, command]) => ({ line, title, command, taskId: task.definition.id }));
}

const ICONS: Partial<Record<TaskViewModel['reason']['shown'], string>> = {
  running: 'sync~spin',
  unapproved: 'shield',
  review: 'eye',
  completed: 'pass',
  dead: 'error',
  stuck: 'error',
};

/** Titles of each possible action, and their commands. */
const LENSES: Readonly<Record<TaskAction, readonly (readonly [string, CommandName])[]>> = {
  handBack: [
    ['Done', 'markDone'],
    ['Failed', 'markFailed'],
    ['Return to Queue', 'giveBack'],
  ],
  runInteractively: [['Run Interactively', 'runTaskInteractively']],
  run: [['Run', 'runTask']],
  approve: [['Approve', 'approve']],
  answer: [['Answer…', 'answer']],
  accept: [['Accept', 'accept']],
  allow: [['Allow and Retry…', 'allowTools']],
  retry: [['Retry', 'retry']],
  cancel: [['Cancel', 'cancel']],
  showChanges: [['Show Changes', 'showChanges']],
  showOutput: [],
};

/** Likely actions for a task in each state; the tree's menu has all that are possible. */
const LIKELY: Readonly<Record<Shown, readonly TaskAction[]>> = {
  unapproved: ['approve', 'run', 'runInteractively'],
  ready: ['run', 'runInteractively'],
  scheduled: ['run', 'runInteractively'],
  retrying: ['run', 'runInteractively'],
  waiting: ['run', 'runInteractively'],
  running: ['handBack', 'cancel'],
  review: ['showChanges', 'answer', 'accept', 'allow', 'retry'],
  dead: ['showChanges', 'allow', 'retry'],
  invalid: [],
  blocked: [],
  stuck: [],
  completed: ['showChanges'],
  cancelled: [],
};

function actionsOf(shown: TaskViewModel): readonly (readonly [string, CommandName])[] {
  const possible = possibleActions(shown);
  const isRunning = shown.reason.shown === 'running' && !possible.has('handBack');
  const actions = LIKELY[shown.reason.shown].filter((action) => possible.has(action));
  return [
    ...(isRunning ? [['Show Worker Terminal', 'showWork'] as const] : []),
    ...actions.flatMap((action) => LENSES[action]),
  ];
}
