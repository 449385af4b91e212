import {
  isFarFrom,
  nameWorker,
  isSameWorker,
  type Claim,
  type ProcessOwner,
} from '../../../domain/queue/view';
import type { Snapshot, TaskQueue } from '../../../queue/taskQueue';
import type { StopHow } from '../../../domain/queue/workerStop';
import { formatDuration } from '../../../domain/time/duration';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import { endLeftoverAttempts, type Report } from '../attempts/leftoverAttempts';
import type { QueueContext } from '../../context/queueContext';
import { findRunningClaims, NO_WORKER } from '../../present/workers';
import { nameMachine } from '../../../platform/processes/machine';
import { t } from '../../../platform/text/translate';

/**
 * Asks the workers of the queue to stop. With `now`, also ends leftover processes of dead workers and waits until all
 * attempts have ended. Returns whether all ended; reports workers that do not answer. Only its own worker ends an
 * attempt, even a frozen one: it would record an attempt ended by others as failed.
 * @throws Problem `inside-run`
 */
export async function stopQueue(
  queueContext: QueueContext,
  queue: TaskQueue,
  how: StopHow,
  report: Report,
): Promise<boolean> {
  await refuseInsideAttempt(queueContext, queue, 'stop workers');
  await queue.stop(how, queueContext.host.createId());
  const asked = await queue.read();
  const running = findRunningClaims(asked).map(({ id }) => String(id));
  const { settings } = await queueContext.configure();
  const longestMs = settings.stopGrace + SLACK_MS;
  report(describeAsked(how, asked, { running, longestMs }));
  if (how === 'after-task') return true;
  const isLeftEnded = await endLeftoverAttempts(queueContext, queue, report);
  const silent = await waitForEnd(queueContext, queue, { asked, longestMs });
  // A worker may have died meanwhile.
  const isAllEnded = isLeftEnded && (await endLeftoverAttempts(queueContext, queue, report));
  for (const each of silent) report(describeSilent(each, queueContext.machine.id));
  if (silent.length === 0 && running.length > 0) report(t('All running tasks have ended.'));
  return isAllEnded && silent.length === 0;
}

const ASKED: Readonly<Record<StopHow, string>> = {
  now: t('Asked the workers of this queue to stop now.'),
  'after-task': t('Asked the workers of this queue to stop after their current task.'),
};

function describeAsked(
  how: StopHow,
  { workers }: Snapshot,
  { running, longestMs }: { readonly running: readonly string[]; readonly longestMs: number },
): string {
  if (workers.length === 0 && running.length === 0) return NO_WORKER;
  const wait = how === 'now' ? [t('Waiting at most {0} for that.', formatDuration(longestMs))] : [];
  return [ASKED[how], describeRunning(running), ...wait].join(' ');
}

function describeRunning(ids: readonly string[]): string {
  return ids.length === 0 ? t('Nothing is running.') : t('Running: {0}.', ids.join(', '));
}

const POLL_MS = 100;
/** Time beyond the grace period for kills and for recording the attempts. */
export const SLACK_MS = 10_000;

/** Worker that has not stopped, with its running attempts. */
interface Silent {
  readonly owner: ProcessOwner;
  readonly runs: readonly Claim[];
}

async function waitForEnd(
  { host: { clock } }: QueueContext,
  queue: TaskQueue,
  { asked, longestMs }: { readonly asked: Snapshot; readonly longestMs: number },
): Promise<readonly Silent[]> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const silent = findSilent(asked, await queue.read());
    if (silent.length === 0 || waitedMs >= longestMs) return silent;
    await clock.sleep(POLL_MS);
  }
}

/** Returns the workers that were asked and still run; those that started since were not asked. */
function findSilent(asked: Snapshot, now: Snapshot): Silent[] {
  const runs = findRunningClaims(now).filter(({ token }) =>
    asked.claims.some((claim) => claim.token === token),
  );
  const owners = [
    ...now.workers
      .map(({ owner }) => owner)
      .filter((one) => asked.workers.some(({ owner }) => isSameWorker(owner, one))),
    ...runs.flatMap(({ owner }) => (owner.kind === 'process' ? [owner] : [])),
  ];
  return owners
    .filter((owner, index) => owners.findIndex((one) => isSameWorker(one, owner)) === index)
    .map((owner) => ({
      owner,
      runs: runs.filter((run) => run.owner.kind === 'process' && isSameWorker(run.owner, owner)),
    }));
}

/** Describes a worker that has not stopped. @param machine the reader's machine; a process id is not valid on another one */
export function describeSilent({ owner, runs }: Silent, machine: string): string {
  const pid = String(owner.process.pid);
  const ids = runs.map(({ id }) => String(id)).join(', ');
  if (isFarFrom({ machine }, owner)) return describeFarSilent(owner, pid, ids);
  if (ids === '') return t('Worker {0} does not respond. End it with "kill -9 {1}".', nameWorker(owner), pid);
  return t(
    'Worker {0} does not respond; task {1} is still running. End it with "kill -9 {2}", then its leftover processes with "claude-queue stop --now".',
    nameWorker(owner),
    ids,
    pid,
  );
}

function describeFarSilent(owner: ProcessOwner, pid: string, ids: string): string {
  const where = nameMachine(owner.machine);
  if (ids === '')
    return t(
      'Worker {0} on {1} does not respond. On {1}, end it with "kill -9 {2}".',
      nameWorker(owner),
      where,
      pid,
    );
  return t(
    'Worker {0} on {1} does not respond; task {2} is still running. On {1}, end it with "kill -9 {3}", then its leftover processes with "claude-queue stop --now".',
    nameWorker(owner),
    where,
    ids,
    pid,
  );
}
