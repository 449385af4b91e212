import type { Picture, ShownTask } from '../app/picture';
import { cellOf, readCsv } from '../queue/csv/csvFile';
import type { CommandName } from './commandIds';

/** A lens above a row of a queue file. */
export interface PlannedLens {
  /** Line of the document, from 0. */
  readonly line: number;
  readonly title: string;
  /** Null: shows the tree, which tells more. */
  readonly command: CommandName | null;
  readonly taskId: number;
}

/** More rows than a person looks through get their lenses no more: the tree has them. */
const MOST_ROWS = 2_000;

/** Lenses of the rows of a document, saved or not, that are tasks of the queue; untrusted they only tell. */
export function planLenses(text: string, { tasks }: Picture, isTrusted = true): readonly PlannedLens[] {
  const file = readCsv(Buffer.from(text));
  if (file.records.length > MOST_ROWS) return [];
  const byId = new Map(tasks.map((shown) => [String(shown.task.definition.id), shown]));
  return file.records.flatMap((record) => {
    const shown = byId.get(cellOf(file, record, 'id')?.trim() ?? '');
    return shown === undefined ? [] : lensesOf(shown, record.line - 1, isTrusted);
  });
}

function lensesOf(shown: ShownTask, line: number, isTrusted: boolean): PlannedLens[] {
  const { reason, task } = shown;
  const icon = task.claim?.owner.kind === 'person' ? 'account' : ICONS[reason.shown];
  // A plain space behind an icon is not drawn.
  const drawn = icon === undefined ? '' : `$(${icon})\u00a0`;
  const state = `${drawn}${reason.shown}${reason.text === '' ? '' : `: ${reason.text}`}`;
  if (!isTrusted) return [{ line, title: state, command: null, taskId: task.definition.id }];
  const hasOutput = task.state.lastOutcome !== null || task.claim?.owner.kind === 'process';
  const titles = [[state, hasOutput ? 'showOutput' : null] as const, ...actionsOf(shown)];
  return titles.map(([title, command]) => ({ line, title, command, taskId: task.definition.id }));
}

const ICONS: Partial<Record<ShownTask['reason']['shown'], string>> = {
  running: 'sync~spin',
  unapproved: 'shield',
  review: 'eye',
  completed: 'pass',
  dead: 'error',
  stuck: 'error',
};

const RUN = [
  ['Run', 'runTask'],
  ['Run Interactively', 'runTaskInteractively'],
] as const;

/** What a person is likely to do with the task as it is. */
function actionsOf({ task, reason }: ShownTask): readonly (readonly [string, CommandName])[] {
  switch (reason.shown) {
    case 'unapproved':
      return [['Approve', 'approve'], ...RUN];
    case 'ready':
    case 'scheduled':
    case 'retrying':
      return RUN;
    case 'running':
      return task.claim?.owner.kind === 'person'
        ? [
            ['Done', 'markDone'],
            ['Failed', 'markFailed'],
            ['Give Back', 'giveBack'],
          ]
        : [
            ['Show Claude at Work', 'showWork'],
            ['Cancel', 'cancel'],
          ];
    case 'review':
      return [
        ['Accept', 'accept'],
        ['Retry', 'retry'],
      ];
    case 'dead':
      return [['Retry', 'retry']];
    case 'invalid':
    case 'blocked':
    case 'stuck':
    case 'waiting':
    case 'completed':
    case 'cancelled':
      return [];
  }
}
