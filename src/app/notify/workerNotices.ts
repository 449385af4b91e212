import { describeError } from '../present/problems/problem';
import type { Notice } from '../../domain/queue/notices';
import type { WorkerNotices, WorkerDeps } from '../../worker/workerDeps';
import { DueCallbacks, type DueCallbacksDeps } from './dueCallbacks';
import { lookAt, DueNotices, type Look } from './dueNotices';
import { describeInLine } from '../present/notices/notices';
import { runNotify, type NotifyPlace } from './notifyCommand';
import type { QueueContext } from '../context/queueContext';

type Parts = Pick<
  WorkerDeps,
  'queue' | 'gate' | 'readApprovedRows' | 'rules' | 'owner' | 'createId' | 'clock'
> &
  Pick<DueCallbacksDeps, 'readResult'>;

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
  let isOver = false;
  let lookedAt = -Infinity;
  let lastReason = '';
  const look = async (): Promise<void> => {
    try {
      lookedAt = clock.now();
      const [gate, approvedRows] = [await deps.gate.view(), await deps.readApprovedRows()];
      const found = await lookAt(queue, { ...rules.last, gate, approvedRows, now: clock.now() });
      await Promise.all([sender.sendDue(found), callbacks.sendDue(found.snapshot, () => isOver)]);
      lastReason = '';
    } catch (error) {
      // Work continues without notices; the next look finds what is due.
      const why = `Notices could not be sent and will be tried again: ${describeError(error)}`;
      if (why !== lastReason) say(why);
      lastReason = why;
    }
  };
  let running = Promise.resolve();
  let isRunning = false;
  const start = (): Promise<void> => {
    isRunning = true;
    running = look().finally(() => {
      isRunning = false;
    });
    return running;
  };
  return {
    look: () => {
      if (!isRunning && Math.abs(clock.now() - lookedAt) >= LOOK_AGAIN_MS) void start();
    },
    finish: async () => {
      const over = new AbortController();
      const last = running.then(start);
      await Promise.race([last, clock.sleep(LONGEST_FINISH_MS, over.signal)]);
      over.abort();
      isOver = true;
    },
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
