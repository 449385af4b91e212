import * as path from 'node:path';
import { queueKey } from '../../../account/approvals';
import { Problem } from '../../../domain/problem';
import { isBelow, realFolder, resolveLinks, userStateFolder } from '../../../platform/files/paths';
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

/** An undo that could not be ended. */
export interface UnsettledUndo {
  readonly folder: string;
  /** Says why, and what to do. */
  readonly text: string;
}

/**
 * Ends the undos whose process died, as `settleDead` does, and removes files that earlier undos replaced and that were kept
 * long enough. Reports and returns the undos that could not be ended: they concern only their folders.
 */
export async function settleUndos(
  context: Context,
  queue: Recorder,
  report: Report,
): Promise<readonly UnsettledUndo[]> {
  await pruneKept(context, report);
  return settleDead(context, queue, report);
}

/** Ends the undos whose process died: one of this queue that wrote everything is recorded, any other is taken back. */
async function settleDead(
  context: Context,
  queue: Recorder,
  report: Report,
): Promise<readonly UnsettledUndo[]> {
  const journal = openUndos(context);
  if (await journal.isEmpty()) return [];
  return journal.settling(async () => {
    const unsettled: UnsettledUndo[] = [];
    for (const intent of await journal.list()) {
      if (isRunning(context, intent)) continue;
      try {
        await settleUndo(context, queue, intent, report);
      } catch (error) {
        const { task, folder } = intent;
        const text = t(
          'The undo of task {0} in {1} could not be ended: {2} To leave its files as they are, remove {3}.',
          ...[task, folder, describeError(error), journal.fileOf(intent)],
        );
        report(text);
        unsettled.push({ folder, text });
      }
    }
    return unsettled;
  });
}

/** Refuses to work in the folder of an undo that could not be ended. @throws Problem `undo-running` */
export function refuseUnsettled(unsettled: readonly UnsettledUndo[], folder: string): void {
  const found = unsettled.find((one) => overlaps(one.folder, folder));
  if (found !== undefined) throw new Problem('undo-running', found.text);
}

/** Returns a report that passes each sentence on once. */
export function reportOnce(report: Report): Report {
  const reported = new Set<string>();
  return (sentence) => {
    if (!reported.has(sentence)) report(sentence);
    reported.add(sentence);
  };
}

async function pruneKept(context: Context, report: Report): Promise<void> {
  try {
    await openKeptFiles(context).prune(context.host.clock.now());
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
  const once = reportOnce(report);
  for (let waited = 0; !stop.aborted; waited += LOOK_AGAIN_MS) {
    refuseUnsettled(await settleDead(context, queue, once), folder);
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
  const [a, b] = [realFolder(one), realFolder(other)];
  return isBelow(a, b) || isBelow(b, a);
}

/** @throws Problem `folder-moved` if a link leads to another folder now */
export function requireSameFolder(top: string): void {
  if (resolveLinks(top) === top) return;
  throw new Problem('folder-moved', t('{0} was moved: a link is in its place. Nothing was undone.', top));
}

/** Longest time for which an undo of another machine counts as running, in ms. */
const LONGEST_ELSEWHERE_MS = 600_000;

/**
 * Whether its process is alive. One of another machine counts as alive for a while: that machine may be a container that
 * is gone.
 */
function isRunning(
  { host }: Pick<Context, 'host'>,
  { machine, process, startedAt = 0 }: UndoIntent,
): boolean {
  if (process === null) return false;
  if (machine === machineId()) return host.processes.isAlive(process);
  return host.clock.now() - startedAt < LONGEST_ELSEWHERE_MS;
}
