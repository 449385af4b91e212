import type { Verdict } from '../domain/attempt';
import type { Change } from '../domain/decide';
import type { EpochMs } from '../domain/epoch';
import type { Reason } from '../domain/explain';
import type { TaskId } from '../domain/task';
import type { Claimed, Idle, Want } from '../queue/taskQueue';
import { tendLostRuns } from './lostRuns';
import { describeWant, type WorkerParts } from './parts';
import type { Ended } from './runEnd';
import { runTask } from './runTask';

/** How far a stretch of work goes. */
export interface Bounds {
  /** Ends when nothing is ready and nothing waits only for a back-off, the gate, the budget or another run. */
  readonly untilEmpty?: boolean;
  readonly maxTasks?: number;
  /** No task is begun from then on. */
  readonly until?: EpochMs;
  /** No task is begun once it is aborted. */
  readonly enough?: AbortSignal;
}

/** What a stretch of work came to. */
export interface Stretch {
  readonly ran: number;
  /** Tasks whose last attempt in this stretch failed. */
  readonly failed: readonly TaskId[];
  /** Whether it ended because only limits or the budget were in the way. */
  readonly atLimit: boolean;
}

/** Longest wait without a look: other processes may have opened the gate, or died. */
const LOOK_AGAIN_MS = 5_000;

/** Claims, runs and finishes until the bounds or a stop; waits out limits, times and other workers by itself. */
export async function work(parts: WorkerParts, bounds: Bounds, stop: AbortSignal): Promise<Stretch> {
  const changes = watchChanges(parts, stop);
  try {
    return await workAlong(parts, bounds, changes, stop);
  } finally {
    changes.end();
  }
}

async function workAlong(
  parts: WorkerParts,
  bounds: Bounds,
  changes: Changes,
  stop: AbortSignal,
): Promise<Stretch> {
  const tally = new Tally();
  const mayBegin = (running: number): boolean =>
    !stop.aborted && isWithin(bounds, tally.ran + running, parts.clock.now());
  let told = '';
  let next: Claimed | Idle | undefined;
  await tendLostRuns(parts);
  while (mayBegin(0)) {
    next ??= await parts.queue.claim(await describeWant(parts, {}), parts.createId());
    if (next.kind === 'claimed') {
      told = '';
      const ended = await runTask(parts, next, stop, () => mayBegin(1));
      if (ended !== null) tally.count(next.claim.id, ended);
      next = ended?.next;
      continue;
    }
    tally.atLimit = next.atLimit;
    if (next.stop !== undefined || (bounds.untilEmpty === true && !next.passesByItself)) break;
    const reason = nameReason(next.why);
    if (reason !== told) parts.events.waiting(next);
    told = reason;
    await waitForChange(parts, bounds, next, changes, stop);
    await tendLostRuns(parts);
    next = undefined;
  }
  if (next?.kind === 'claimed') await parts.queue.release(next.claim, 'stopped', parts.createId());
  return tally.sum();
}

/** The same reason keeps its name, although a time is told in other words on another day. */
export function nameReason(why: Reason): string {
  return `${why.shown} ${String(why.until ?? why.text)}`;
}

/** What one task, run now, came to: an attempt, or the reason why none was begun. */
export type Single = { readonly verdict: Verdict; readonly change: Change } | Idle | null;

/** Runs one task now, to its end; null when its claim was lost meanwhile. */
export async function runOne(
  parts: WorkerParts,
  choice: Pick<Want, 'id' | 'override'>,
  stop: AbortSignal,
): Promise<Single> {
  await tendLostRuns(parts);
  const next = await parts.queue.claim(await describeWant(parts, choice), parts.createId());
  if (next.kind === 'idle') return next;
  return runTask(parts, next, stop, () => false);
}

/** `begun`: attempts of this stretch, the one that still runs included. */
function isWithin({ maxTasks, until, enough }: Bounds, begun: number, now: EpochMs): boolean {
  if (enough?.aborted === true) return false;
  if (maxTasks !== undefined && begun >= maxTasks) return false;
  return until === undefined || now < until;
}

class Tally {
  ran = 0;
  atLimit = false;
  private readonly failed = new Set<TaskId>();

  count(id: TaskId, { verdict, change }: Ended): void {
    this.ran += 1;
    this.atLimit = false;
    const { outcome } = verdict;
    const hasFailed =
      outcome === 'error' || outcome === 'permanent' || outcome === 'transient' || change.givenUp;
    if (hasFailed) this.failed.add(id);
    else this.failed.delete(id);
  }

  sum(): Stretch {
    return { ran: this.ran, failed: [...this.failed], atLimit: this.atLimit };
  }
}

interface Changes {
  /** Resolves after a change since the last call, at once where one came meanwhile. */
  next(signal: AbortSignal): Promise<void>;
  end(): void;
}

function watchChanges({ queue }: WorkerParts, stop: AbortSignal): Changes {
  const over = new AbortController();
  let changed = false;
  let wake: (() => void) | null = null;
  queue.watch(
    () => {
      changed = true;
      wake?.();
    },
    AbortSignal.any([over.signal, stop]),
  );
  return {
    next: (signal) =>
      new Promise((resolve) => {
        wake = () => {
          changed = false;
          wake = null;
          resolve();
        };
        if (changed || signal.aborted) wake();
        else signal.addEventListener('abort', () => wake?.(), { once: true });
      }),
    end: () => {
      over.abort();
    },
  };
}

async function waitForChange(
  { clock }: WorkerParts,
  bounds: Bounds,
  { askAgainAt }: Idle,
  changes: Changes,
  stop: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([
    stop,
    over.signal,
    ...(bounds.enough === undefined ? [] : [bounds.enough]),
  ]);
  const now = clock.now();
  const latest = Math.min(askAgainAt ?? Infinity, bounds.until ?? Infinity, now + LOOK_AGAIN_MS);
  await Promise.race([clock.sleep(Math.max(latest - now, 0), signal), changes.next(signal)]);
  over.abort();
}
