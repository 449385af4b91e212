import * as path from 'node:path';
import { queueKey } from '../../../account/approvals';
import { Problem } from '../../../domain/problem';
import { resolveLinks, userStateFolder } from '../../../platform/files/paths';
import { machineId } from '../../../platform/processes/machine';
import { t } from '../../../platform/text/translate';
import { DiskLook } from '../../../platform/undo/diskVersion';
import { KeptFiles } from '../../../platform/undo/keptFiles';
import { KEPT, type UndoIntent, UndoJournal } from '../../../platform/undo/undoJournal';
import { UndoWrites } from '../../../platform/undo/undoWrites';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { QueueContext } from '../../context/queueContext';
import { describeError } from '../../present/problems/problem';
import type { Report } from '../attempts/leftoverAttempts';

type Context = Pick<QueueContext, 'queueFile' | 'host'>;
type Recorder = Pick<TaskQueue, 'recordUndo'>;

/** Longest wait of an attempt for an undo in its folder, in ms. */
const LONGEST_WAIT_MS = 60_000;

const LOOK_AGAIN_MS = 100;

/** Returns the undos of this user that are not over. */
export function openUndos({ host }: Pick<Context, 'host'>): UndoJournal {
  return new UndoJournal(path.join(userStateFolder(host.env), 'undo'));
}

/** Returns the files that undos of this user replaced and removed. */
export function openKeptFiles({ host }: Pick<Context, 'host'>): KeptFiles {
  return new KeptFiles(path.join(userStateFolder(host.env), 'undo', KEPT));
}

/**
 * Ends the undos whose process died. One that wrote everything is recorded, if it is of this queue; any other is taken
 * back.
 */
export async function settleUndos(context: Context, queue: Recorder, report: Report): Promise<void> {
  await pruneKept(context, report);
  const journal = openUndos(context);
  if (await journal.isEmpty()) return;
  await journal.settling(async () => {
    for (const intent of await journal.list())
      if (!isRunning(context, intent)) await settleUndo(context, queue, intent, report);
  });
}

async function pruneKept(context: Context, report: Report): Promise<void> {
  try {
    await openKeptFiles(context).prune(Date.now());
  } catch (error) {
    report(t('The files that earlier undos replaced could not be removed: {0}', describeError(error)));
  }
}

/** Ends one undo, which nobody continues. */
export async function settleUndo(
  context: Context,
  queue: Recorder,
  intent: UndoIntent,
  report: Report,
): Promise<void> {
  const journal = openUndos(context);
  if (await journal.isDone(intent)) {
    if (intent.queue !== queueKey(context.queueFile)) return;
    await queue.recordUndo(intent.task, intent.numbers, intent.id);
  } else {
    const plan = await journal.plan(intent);
    if (plan !== null) {
      requireSameFolder(plan.top);
      const writes = new UndoWrites(plan, new DiskLook(plan.top, plan.format), intent.id);
      const left = await writes.rollBack((index) => journal.bytes(intent, index));
      report(t('The undo of task {0} did not end. Its files are as they were before it.', intent.task));
      for (const file of left)
        report(t('{0} has changed since then and was left as it is.', path.join(plan.top, file)));
    }
  }
  await journal.end(intent);
}

/**
 * Waits while an undo runs in a folder, and takes back one that did not end. An undo starts nothing while an attempt has
 * the folder, so the caller must have claimed its task before.
 * @throws Problem `undo-running`
 */
export async function awaitUndo(
  context: Context,
  queue: Recorder,
  folder: string,
  { report, stop }: { readonly report: Report; readonly stop: AbortSignal },
): Promise<void> {
  const { clock } = context.host;
  for (let waited = 0; !stop.aborted; waited += LOOK_AGAIN_MS) {
    await settleUndos(context, queue, report);
    if ((await findUndoIn(context, folder)) === undefined) return;
    if (waited >= LONGEST_WAIT_MS) throw describeRunning(folder);
    await clock.sleep(LOOK_AGAIN_MS, stop);
  }
}

/** Returns another undo that runs in a folder, above or below it. */
export async function findUndoIn(
  context: Context,
  folder: string,
  own?: UndoIntent['id'],
): Promise<UndoIntent | undefined> {
  const intents = await openUndos(context).list();
  return intents.find(
    (intent) => intent.id !== own && overlaps(intent.folder, folder) && isRunning(context, intent),
  );
}

/** Returns the problem of an undo that has to wait for another, or an attempt for an undo. */
export function describeRunning(folder: string): Problem {
  return new Problem(
    'undo-running',
    t('Another undo is running in {0}. Try again once it has ended.', folder),
  );
}

/** Whether one folder is the other, or in it. */
export function overlaps(one: string, other: string): boolean {
  const [a, b] = [one, other].map((folder) => `${resolveLinks(folder)}${path.sep}`) as [string, string];
  return a.startsWith(b) || b.startsWith(a);
}

/** @throws Problem `folder-moved` if a link leads to another folder now */
export function requireSameFolder(top: string): void {
  if (resolveLinks(top) === top) return;
  throw new Problem('folder-moved', t('{0} was moved: a link is in its place. Nothing was undone.', top));
}

/** Whether its process is alive. One of another machine is never known to be dead. */
function isRunning({ host }: Pick<Context, 'host'>, { machine, process }: UndoIntent): boolean {
  if (process === null) return false;
  return machine !== machineId() || host.processes.isAlive(process);
}
