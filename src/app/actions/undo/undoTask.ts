import * as path from 'node:path';
import { queueKey } from '../../../account/approvals';
import { isProblem, Problem } from '../../../domain/problem';
import { busyPlace } from '../../../domain/queue/busyPlace';
import { findUnblockedBy } from '../../../domain/task/dependencies';
import type { TaskId } from '../../../domain/task/task';
import { decode } from '../../../platform/git/fileNames';
import { t } from '../../../platform/text/translate';
import { DiskLook } from '../../../platform/undo/diskVersion';
import type { UndoIntent } from '../../../platform/undo/undoJournal';
import {
  type Planned,
  planUndo,
  type UndoOverlaps,
  type UndoPlan,
  type UndoStep,
} from '../../../platform/undo/undoPlan';
import { ChangedMeanwhile, knownPermissions, UndoWrites } from '../../../platform/undo/undoWrites';
import type { Snapshot, TaskQueue } from '../../../queue/taskQueue';
import { openKeptTrees } from '../../context/openKeptTrees';
import type { QueueContext } from '../../context/queueContext';
import { describeError } from '../../present/problems/problem';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { Report } from '../attempts/leftoverAttempts';
import {
  describeRunning,
  findUndoIn,
  openKeptFiles,
  openUndos,
  overlaps,
  refuseUnsettled,
  requireSameFolder,
  settleUndo,
  settleUndos,
} from './settleUndos';
import { findUndoable, type UndoneAttempts } from './undoneAttempts';

/** Request to undo what a task changed. */
export interface UndoRequest {
  readonly id: TaskId;
  /** Only this attempt; absent: all of its present form since it last succeeded. */
  readonly number?: number;
  /** Only says what would be done. */
  readonly isDryRun: boolean;
  /** Returns whether the user agrees. Called with what would be done, unless something is in its way. */
  readonly confirm: (planned: UndoResult) => Promise<boolean>;
}

/** A restored file. `returned`: the task had deleted it; `removed`: it had created it. */
export interface RestoredFile {
  /** From the top of the repository. */
  readonly path: string;
  readonly action: 'restored' | 'removed' | 'returned';
  /** Part of its earlier permissions that is known, where that is not all that it needs. */
  readonly permissions?: 'none' | 'executable';
}

/** Result of an undo. If anything was in its way, nothing was changed. */
export interface UndoResult extends UndoOverlaps {
  /** Numbers of the attempts, oldest first. */
  readonly numbers: readonly number[];
  readonly top: string;
  /** Folder in which the attempts ran. The files are all that changed in it meanwhile, by anybody. */
  readonly folder: string;
  readonly files: readonly RestoredFile[];
  /** Folder that keeps the replaced and removed files; null: none was. */
  readonly kept: string | null;
  /** Tasks that depend on this one and still run. */
  readonly dependents: readonly TaskId[];
}

/**
 * Restores the files that a task changed, as they were before it: all or none. Only these files are written; git's index,
 * commits and branches are not. What is replaced or removed is kept before. Returns null if the user does not agree.
 * @throws Problem `inside-run`; `already-running` if an attempt runs in the folder; `no-such-task`; `no-diff`;
 * `conflict`; `undo-running`; `undo-failed`
 */
export async function undoTask(
  context: QueueContext,
  queue: TaskQueue,
  request: UndoRequest,
  report: Report,
): Promise<UndoResult | null> {
  const { id, number, isDryRun, confirm } = request;
  await refuseInsideAttempt(context, queue, 'undo changes');
  const unsettled = await settleUndos(context, queue, report);
  const expected = await findUndoable(context, queue, id, number);
  refuseUnsettled(unsettled, expected.place.folder);
  // Attempts have the queue's time, and files this machine's.
  const aheadMs = (): number => queue.now() - context.host.clock.now();
  const findDependents = ({ tasks }: Snapshot): TaskId[] => findUnblockedBy(id, tasks);
  const preview = toResult(expected, plan(expected, aheadMs()), {
    dependents: findDependents(await queue.read()),
  });
  if (isDryRun || preview.overlaps.length > 0) return preview;
  if (!(await confirm(preview))) return null;
  const intent = createIntent(context, id, expected);
  const journal = openUndos(context);
  await journal.start(intent);
  try {
    // From here on no attempt starts in the folder. One that has, or its end, is seen now.
    const { folder } = expected.place;
    if ((await findUndoIn(context, folder, intent.id)) !== undefined) throw describeRunning(folder);
    const snapshot = await queue.read();
    refuseBusy(context, snapshot, id, folder);
    const found = await findUndoable(context, queue, id, number);
    if (listNumbers(found) !== listNumbers(expected)) throw describeRunning(folder);
    const planned = plan(found, aheadMs());
    const kept = 'plan' in planned ? await carryOut(context, found, planned.plan, intent) : null;
    await settleOrFail(context, queue, intent, report);
    return toResult(found, planned, { kept, dependents: findDependents(snapshot) });
  } catch (error) {
    await settleOrFail(context, queue, intent, report);
    if (error instanceof ChangedMeanwhile) return { ...preview, files: [], overlaps: [error.file] };
    if (isProblem(error) || !(error instanceof Error)) throw error;
    throw new Problem('undo-failed', t('Nothing was undone: {0}', describeError(error)), { cause: error });
  }
}

function createIntent(context: QueueContext, id: TaskId, { attempts, place }: UndoneAttempts): UndoIntent {
  return {
    id: context.host.createId(),
    queue: queueKey(context.queueFile),
    task: id,
    numbers: attempts.map(({ number }) => number),
    folder: place.folder,
    machine: context.machine.id,
    process: context.host.processes.self(),
    startedAt: context.host.clock.now(),
  };
}

const listNumbers = ({ attempts }: UndoneAttempts): string => attempts.map(({ number }) => number).join(' ');

/** Refuses while an attempt of this machine runs in the folder, above or below it, or somebody the task. @throws Problem `already-running` */
function refuseBusy(context: QueueContext, { claims, tasks }: Snapshot, id: TaskId, folder: string): void {
  const busy = claims.find((claim) => {
    if (claim.id === id) return true;
    const row = tasks.find(({ definition }) => definition.id === claim.id)?.definition;
    const place = busyPlace(claim, row, context.machine.id);
    return place !== undefined && overlaps(place.folder, folder);
  });
  if (busy === undefined) return;
  throw new Problem(
    'already-running',
    t('Task {0} is running in {1}. Undo task {2} once it has ended.', busy.id, folder, id),
  );
}

function plan({ changes, broken, attempts, place, format }: UndoneAttempts, aheadMs: number): Planned {
  const { top, folder } = place;
  requireSameFolder(top);
  const since = Math.min(...attempts.map(({ startedAt }) => startedAt)) - aheadMs;
  const below = Buffer.from(path.relative(top, folder)).toString('latin1');
  const planned = planUndo(changes, new DiskLook(top, format), { top, below, format, since });
  if (broken.length === 0) return planned;
  const { overlaps, older } = 'overlaps' in planned ? planned : { overlaps: [], older: [] };
  return { overlaps: [...new Set([...broken, ...overlaps])].sort(), older };
}

/** Writes everything. Returns the folder that keeps the replaced and removed files; null: there are none. */
async function carryOut(
  context: QueueContext,
  { format }: UndoneAttempts,
  planned: UndoPlan,
  intent: UndoIntent,
): Promise<string | null> {
  const journal = openUndos(context);
  const kept = openKeptFiles(context);
  const trees = openKeptTrees(context);
  const disk = new DiskLook(planned.top, format);
  const read = ({ path: name, from }: UndoStep): Buffer => {
    const found = disk.read(name);
    if (typeof found === 'string' || found.version.object !== from?.object)
      throw new ChangedMeanwhile(decode(name));
    return found.bytes;
  };
  const name = `task-${String(intent.task)}-${intent.id}`;
  const folder = await kept.keep(name, planned.steps, read);
  await journal.keepPlan(intent, planned, read);
  const never = new AbortController().signal;
  await new UndoWrites(planned, disk, intent.id).apply((version) => trees.read(format, version, never));
  await journal.markDone(intent);
  return folder;
}

/** Records an undo that wrote everything, or takes it back. @throws Problem `undo-failed` if that fails too */
async function settleOrFail(
  context: QueueContext,
  queue: TaskQueue,
  intent: UndoIntent,
  report: Report,
): Promise<void> {
  try {
    await settleUndo(context, queue, intent, report);
  } catch (error) {
    // The next process tries again.
    await openUndos(context).start({ ...intent, process: null });
    throw new Problem(
      'undo-failed',
      t(
        'The undo of task {0} could not be ended: {1} To try again, run "claude-queue status".',
        intent.task,
        describeError(error),
      ),
      { cause: error },
    );
  }
}

function toResult(
  { attempts, place, changes }: UndoneAttempts,
  planned: Planned,
  { kept = null, dependents }: Pick<UndoResult, 'dependents'> & Partial<Pick<UndoResult, 'kept'>>,
): UndoResult {
  const result = { numbers: attempts.map(({ number }) => number), ...place, kept, dependents };
  if ('overlaps' in planned)
    return {
      ...result,
      files: [],
      overlaps: planned.overlaps.map(decode),
      older: planned.older.map(decode),
    };
  const files = changes.map(({ path: name, before, after }): RestoredFile => {
    const action = after === null ? 'returned' : 'restored';
    const permissions = knownPermissions(after, before);
    return {
      path: decode(name),
      action: before === null ? 'removed' : action,
      ...(permissions === 'all' ? {} : { permissions }),
    };
  });
  return { ...result, files, overlaps: [], older: [] };
}
