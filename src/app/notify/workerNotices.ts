import { describeError } from '../present/problems/problem';
import type { Notice } from '../../domain/queue/notices';
import type { EpochMs } from '../../domain/time/epoch';
import type { WorkerNotices, WorkerDeps } from '../../worker/workerDeps';
import { DueCallbacks, type DueCallbacksDeps } from './dueCallbacks';
import { lookAt, DueNotices, type Look } from './dueNotices';
import { describeInLine } from '../present/notices/noticeTexts';
import { count } from '../present/text';
import { NotifyRuns } from './notifyRuns';
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

type Place = Pick<QueueContext, 'queueFile' | 'machine' | 'host'>;

/** Creates the notices of a worker: lines in its terminal, runs of the `notify` command for each, and callbacks. */
export function createWorkerNotices(place: Place, deps: Parts, say: (line: string) => void): WorkerNotices {
  return new Sender(place, deps, say);
}

class Sender implements WorkerNotices {
  private readonly runs: NotifyRuns;
  private readonly notices: DueNotices;
  private readonly callbacks: DueCallbacks;
  private readonly tryNotices: TryStep;
  private readonly tryCallbacks: TryStep;
  private readonly machine: string;
  private isOver = false;
  private lookedAt = -Infinity;
  private isRunning = false;
  private running = Promise.resolve();
  private delivering = Promise.resolve();

  constructor(
    { queueFile, machine, host }: Place,
    private readonly deps: Parts,
    private readonly say: (line: string) => void,
  ) {
    const { queue, owner, createId, clock, rules } = deps;
    this.machine = machine.id;
    this.runs = new NotifyRuns({ env: host.env, clock, queueFile, warn: say });
    this.notices = new DueNotices({
      ...{ queue, channel: 'worker', sender: owner, machine, createId },
      send: (notices, look) => this.send(notices, look),
    });
    this.callbacks = new DueCallbacks({
      ...deps,
      sender: owner,
      machine,
      settings: () => rules.last.settings,
    });
    this.tryNotices = createRetry('Notices could not be sent and will be tried again', say);
    this.tryCallbacks = createRetry('Callbacks could not be sent and will be tried again', say);
  }

  look(): void {
    const sinceMs = Math.abs(this.deps.clock.now() - this.lookedAt);
    if (!this.isRunning && sinceMs >= LOOK_AGAIN_MS) void this.start();
  }

  async finish(): Promise<void> {
    const { clock } = this.deps;
    const over = new AbortController();
    const end = clock.now() + LONGEST_FINISH_MS;
    // The last delivery may have started before the last callbacks were due.
    const last = this.running
      .then(() => this.sendAll())
      .then(() => this.tryNotices(() => this.sendRest(end, over.signal)))
      // A callback that failed for the last time is a notice itself.
      .then(() => this.start());
    await Promise.race([last, clock.sleep(LONGEST_FINISH_MS, over.signal)]);
    over.abort();
    this.isOver = true;
    await this.tryNotices(() => this.sayUnsent());
  }

  private start(): Promise<void> {
    this.isRunning = true;
    this.running = this.tryNotices(() => this.lookOnce()).finally(() => (this.isRunning = false));
    return this.running;
  }

  private async lookOnce(): Promise<void> {
    const { queue, gate, readApprovedRows, rules, clock } = this.deps;
    this.lookedAt = clock.now();
    const [view, approvedRows] = [await gate.view(), await readApprovedRows()];
    const around = { ...rules.last, gate: view, approvedRows, now: clock.now(), machine: this.machine };
    const found = await lookAt(queue, around);
    // A slow receiver must not hold up the notices.
    this.delivering = this.tryCallbacks(() => this.callbacks.sendDue(found.snapshot, () => this.isOver));
    await this.notices.sendDue(found);
  }

  private send(notices: readonly Notice[], look: Look): Promise<readonly Notice[]> {
    // The lines of attempts show the others.
    const shown = notices.filter((notice) => !('attempt' in notice) && !this.runs.hasFailed(notice));
    for (const notice of shown) this.say(describeInLine(notice, look));
    return this.runs.send(this.deps.rules.last.settings.notify, notices, look, () => this.isOver);
  }

  private async sendAll(): Promise<void> {
    await this.start();
    await this.delivering;
  }

  /** Sends again what failed, as long as it is due before the end. */
  private async sendRest(end: EpochMs, over: AbortSignal): Promise<void> {
    const { queue, clock } = this.deps;
    let isSaid = false;
    while (!over.aborted) {
      const snapshot = await queue.read();
      const tries = this.callbacks.listNextTries(snapshot);
      const nextAt = Math.min(...tries, this.runs.nextRunAt(snapshot.outbox));
      if (nextAt >= end) return;
      if (tries.length > 0 && !isSaid)
        this.say(
          `Not delivered yet: ${count(tries.length, 'callback')}. Trying again before the worker ends, for at most 30 s.`,
        );
      isSaid = true;
      await clock.sleep(Math.max(LOOK_AGAIN_MS, nextAt - clock.now()), over);
      await this.sendAll();
    }
  }

  /** Says what this worker leaves to the next one. */
  private async sayUnsent(): Promise<void> {
    const snapshot = await this.deps.queue.read();
    const undelivered = this.callbacks.listNextTries(snapshot).length;
    const unsent = snapshot.outbox.filter(({ notice }) => this.runs.hasFailed(notice)).length;
    if (undelivered > 0)
      this.say(`Not delivered: ${count(undelivered, 'callback')}. The next worker tries again.`);
    if (unsent > 0) this.say(`Not sent: ${count(unsent, 'notice')}. The next worker tries again.`);
  }
}

type TryStep = (run: () => Promise<void>) => Promise<void>;

/** Returns a function that runs a step and never rejects. It says once why steps fail, until one succeeds. */
function createRetry(problem: string, say: (line: string) => void): TryStep {
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
