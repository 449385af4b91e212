import { describeError } from '../present/problems/problem';
import type { Notice } from '../../domain/queue/notices';
import type { EpochMs } from '../../domain/time/epoch';
import type { Snapshot } from '../../queue/taskQueue';
import type { WorkerNotices, WorkerDeps } from '../../worker/workerDeps';
import { DueCallbacks, type DueCallbacksDeps } from './dueCallbacks';
import { lookAt, DueNotices, type Look } from './dueNotices';
import { describeInLine } from '../present/notices/noticeTexts';
import { runNotify, type NotifyPlace } from './notifyCommand';
import type { QueueContext } from '../context/queueContext';

type Parts = Pick<
  WorkerDeps,
  'queue' | 'gate' | 'readApprovedRows' | 'rules' | 'owner' | 'createId' | 'clock'
> &
  Pick<DueCallbacksDeps, 'readResult' | 'post'>;

/** Minimum milliseconds between two looks: a busy queue changes many times a second. */
const LOOK_AGAIN_MS = 1_000;

/** Maximum milliseconds that an ending worker waits for its last notices; the next process sends the rest. */
const LONGEST_FINISH_MS = 30_000;

/** Creates the notices of a worker: lines in its terminal, one run of the `notify` command for each, and callbacks. */
export function createWorkerNotices(
  { queueFile, machine, host }: Pick<QueueContext, 'queueFile' | 'machine' | 'host'>,
  deps: Parts,
  say: (line: string) => void,
): WorkerNotices {
  const { queue, owner, createId, clock, rules } = deps;
  const place = { env: host.env, clock, queueFile, warn: say };
  const sender = new DueNotices({
    queue,
    channel: 'worker',
    sender: owner,
    machine,
    createId,
    send: (notices, look) =>
      sendFromWorker(rules.last.settings.notify, notices, { look, place, isOver: () => isOver }),
  });
  const own = { sender: owner, machine, settings: () => rules.last.settings };
  const callbacks = new DueCallbacks({ ...deps, ...own });
  const tryNotices = createRetry('Notices could not be sent and will be tried again', say);
  const tryCallbacks = createRetry('Callbacks could not be sent and will be tried again', say);
  let isOver = false;
  let lookedAt = -Infinity;
  let delivering = Promise.resolve();
  const deliver = (snapshot: Snapshot): Promise<void> =>
    (delivering = tryCallbacks(() => callbacks.sendDue(snapshot, () => isOver)));
  const look = async (): Promise<void> => {
    lookedAt = clock.now();
    const [gate, approvedRows] = [await deps.gate.view(), await deps.readApprovedRows()];
    const found = await lookAt(queue, { ...rules.last, gate, approvedRows, now: clock.now() });
    // A slow receiver must not hold up the notices.
    void deliver(found.snapshot);
    await sender.sendDue(found);
  };
  let running = Promise.resolve();
  let isRunning = false;
  const start = (): Promise<void> => {
    isRunning = true;
    running = tryNotices(look).finally(() => (isRunning = false));
    return running;
  };
  return {
    look: () => {
      if (!isRunning && Math.abs(clock.now() - lookedAt) >= LOOK_AGAIN_MS) void start();
    },
    finish: async () => {
      const over = new AbortController();
      const rest = { callbacks, queue, clock, end: clock.now() + LONGEST_FINISH_MS };
      // The last delivery may have started before the last callbacks were due.
      const last = running
        .then(start)
        .then(() => delivering)
        .then(() => tryCallbacks(() => deliverRest(rest, over.signal)))
        // A callback that failed for the last time is a notice itself.
        .then(start);
      await Promise.race([last, clock.sleep(LONGEST_FINISH_MS, over.signal)]);
      over.abort();
      isOver = true;
    },
  };
}

/** The callbacks that an ending worker sends, and when it stops trying. */
interface Rest extends Pick<Parts, 'queue' | 'clock'> {
  readonly callbacks: DueCallbacks;
  readonly end: EpochMs;
}

/** Sends the callbacks that are due, and tries those that fail again as long as that is before the end. */
async function deliverRest({ callbacks, queue, clock, end }: Rest, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const snapshot = await queue.read();
    const nextAt = callbacks.nextTryAt(snapshot);
    if (nextAt === null || nextAt >= end) return;
    await clock.sleep(Math.max(0, nextAt - clock.now()), over);
    await callbacks.sendDue(snapshot, () => over.aborted);
  }
}

/** Returns a function that runs a step and never rejects. It says once why steps fail, until one succeeds. */
function createRetry(
  problem: string,
  say: (line: string) => void,
): (run: () => Promise<void>) => Promise<void> {
  let lastReason = '';
  return async (run) => {
    try {
      await run();
      lastReason = '';
    } catch (error) {
      // Work continues; the next look finds what is due.
      const reason = describeError(error);
      if (reason !== lastReason) say(`${problem}: ${reason}`);
      lastReason = reason;
    }
  };
}

interface Sending {
  readonly look: Look;
  readonly place: NotifyPlace;
  /** Whether the worker waits no longer; the next process sends the rest. */
  readonly isOver: () => boolean;
}

/**
 * Prints notices that the lines of attempts do not show, without waiting for the command. Runs the command for each
 * notice.
 */
async function sendFromWorker(
  command: readonly string[],
  notices: readonly Notice[],
  { look, place, isOver }: Sending,
): Promise<readonly Notice[]> {
  for (const notice of notices) if (!('attempt' in notice)) place.warn(describeInLine(notice, look));
  const shown: Notice[] = [];
  for (const notice of notices) {
    if (isOver()) break;
    await runNotify(command, notice, look, place);
    shown.push(notice);
  }
  return shown;
}
