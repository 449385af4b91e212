import { existsSync } from 'node:fs';
import * as path from 'node:path';
import type { QueueViewModel, TaskViewModel } from '../../app/viewModel/queueViewModel';
import { ratesOf, type Rate } from '../../domain/order/rates';
import type { Moment } from '../../domain/time/moment';
import type { Priority } from '../../domain/task/priority';
import type { TaskId } from '../../domain/task/task';
import { resolveLinks } from '../../platform/files/paths';
import { nameFolder } from '../../platform/files/repositories';
import type { RowContext } from '../../queue/row/rowContext';
import type { OpenedQueue } from '../state/openedQueue';
import { userName } from '../../platform/processes/machine';
import { valuesOf, type FormValues } from './formValues';
import type { CheckContext } from './formProblems';

/** Facts that the form shows besides what the user typed. */
export interface FormFacts extends CheckContext {
  /** Task that is edited, with the values that its row had; null: a new one, or `id` has no valid row any more. */
  readonly edited: { readonly shown: TaskViewModel; readonly initial: FormValues } | null;
  /** Reason why the queue cannot be read now; the view model is an older one then. Null: it can. */
  readonly unread: string | null;
  /** Whether the user has chosen the default permissions. Start asks for them. */
  readonly isModeChosen: boolean;
  /** Mean durations of attempts. */
  readonly rates: Readonly<Record<Priority, Rate>>;
  /** User of this machine, as whom Claude runs. */
  readonly login: string;
  /** Whether a folder exists on this machine. */
  readonly folderExists: (folder: string) => boolean;
  /** Folders to offer. */
  readonly folders: readonly string[];
}

/** Facts of a queue for the time that a form is open. */
export interface SteadyFacts extends Pick<FormFacts, 'rates' | 'login' | 'folderExists' | 'folders'> {
  /** View model when the form was opened. */
  readonly viewModel: QueueViewModel;
  readonly rows: () => RowContext;
  readonly moment: () => Moment;
  /** Returns the values of a task's row as it is now. */
  readonly readValues: (id: TaskId) => Promise<FormValues>;
}

const DAY_MS = 86_400_000;

/** Gathers what a form shows of a queue. */
export async function gatherFacts(session: OpenedQueue): Promise<SteadyFacts> {
  const { queueContext, queue } = session;
  const { now } = queueContext.moment();
  const [viewModel, attempts] = await Promise.all([session.look(), queue.attempts({ since: now - DAY_MS })]);
  const rows = (): RowContext => queueContext.rowContext();
  return {
    viewModel,
    rates: ratesOf(attempts, now),
    login: userName(),
    folderExists: existsSync,
    folders: listFolders(viewModel, rows()),
    rows,
    moment: () => queueContext.moment(),
    readValues: async (id) => valuesOf(await queue.cells(id)),
  };
}

/** Returns the workspace, the folders of other tasks, and the repositories of this machine, as rows name them. */
function listFolders({ tasks, world }: QueueViewModel, rows: RowContext): readonly string[] {
  const used = tasks.map(({ task }) => nameFolderOf(task.definition.workingDir, rows));
  const repositories = [...world.settings.repositories.keys()].map((name) => `repo:${name}`);
  return [...new Set([...(rows.folder === null ? [] : ['.']), ...used, ...repositories])];
}

/** Returns a folder as a row names it: relative where it is in the workspace, by its repository in Redis. */
export function nameFolderOf(folder: string, { folder: workspace, repositories }: RowContext): string {
  if (!path.isAbsolute(folder)) return folder;
  if (workspace === null) return nameFolder(resolveLinks(folder), repositories ?? new Map());
  const relative = path.relative(workspace, folder);
  if (relative === '') return '.';
  return relative.startsWith('..') || path.isAbsolute(relative) ? folder : relative;
}
