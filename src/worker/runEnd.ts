import { outputName, type Attempt, type Verdict } from '../domain/attempt';
import { decide, type Change } from '../domain/decide';
import { closureFor, type GateView } from '../domain/limits';
import { Fenced, isProblem } from '../domain/problem';
import { hasCode } from '../platform/files';
import type { Claimed, Idle, Want } from '../queue/taskQueue';
import { describeWant, messageOf, type WorkerParts } from './parts';

/** How long to wait before an end that could not be written is written again. */
const WRITE_AGAIN_MS = 5_000;

/** How long a worker that was asked to stop goes on trying. */
const WRITE_AFTER_STOP_MS = 60_000;

/** What became of a claim. `next` is what was claimed in the same step, if anything was wanted. */
export interface Ended {
  readonly verdict: Verdict;
  readonly change: Change;
  readonly next: Claimed | Idle | undefined;
}

/** What a run came to, before anybody was told of it. */
export interface Run {
  readonly claimed: Claimed;
  readonly verdict: Verdict;
  readonly startedAt: number;
}

/**
 * Closes the gate where a limit was met, decides, and puts the end on record. Null: the claim went to another owner.
 * `wantsNext` says whether to claim the next one in the same step.
 */
export async function recordEnd(
  parts: WorkerParts,
  run: Run,
  stop: AbortSignal,
  wantsNext: () => boolean,
): Promise<Ended | null> {
  const { claimed, verdict } = run;
  const { claim, definition } = claimed;
  const insist = <T>(write: () => Promise<T>): Promise<T> => untilWritten(parts, write, stop);
  const gate = await insist(() => parts.gate.report(verdict.signal ?? null, verdict.usage));
  const change = await insist(() => decideEnd(parts, claimed, verdict));
  const end = { change, attempt: describeAttempt(parts, { ...run, change, gate }), definition };
  const op = parts.createId();
  try {
    const next = await insist(async () => {
      const want: Want | undefined = wantsNext() ? await describeWant(parts, {}) : undefined;
      return parts.queue.finish(claim, end, op, want);
    });
    parts.events.ended(claimed, verdict, change);
    return { verdict, change, next };
  } catch (error) {
    if (error instanceof Fenced) return null;
    throw error;
  }
}

async function decideEnd(
  parts: WorkerParts,
  { claim, definition }: Claimed,
  verdict: Verdict,
): Promise<Change> {
  const { tasks } = await parts.queue.read();
  const task = tasks.find(({ state }) => state.id === claim.id && state.power === claim.power);
  const circumstances = {
    now: parts.clock.now(),
    random: parts.random(),
    settings: parts.settings,
    timeZone: parts.timeZone,
  };
  return decide(definition, task?.state ?? NO_HISTORY, verdict, circumstances);
}

/** For a row that is gone or was edited meanwhile: its counts do not matter any more. */
const NO_HISTORY = { retryCount: 0, transientInRow: 0, lostInRow: 0 };

interface EndFacts extends Run {
  readonly change: Change;
  readonly gate: GateView;
}

function describeAttempt(
  parts: WorkerParts,
  { claimed, verdict, change, startedAt, gate }: EndFacts,
): Attempt {
  const { claim, definition } = claimed;
  const now = parts.clock.now();
  const closure = verdict.outcome === 'limit' ? closureFor(gate, definition.model, now, 0) : null;
  return {
    id: claim.id,
    number: claim.attempt,
    power: claim.power,
    session: claim.session,
    startedAt,
    endedAt: now,
    outcome: verdict.outcome,
    reason: verdict.reason,
    message: verdict.message,
    code: change.code,
    output: outputName(claim.id, claim.attempt),
    ...(closure === null ? {} : { closedSince: closure.since }),
    ...(verdict.costUsd === undefined ? {} : { costUsd: verdict.costUsd }),
    ...(verdict.turns === undefined ? {} : { turns: verdict.turns }),
    ...(verdict.denials.length === 0 ? {} : { denials: verdict.denials }),
  };
}

/**
 * A disk that is full now may have room later, and a queue file that git took away comes back: an end that happened
 * is not given up for it. Only a worker that was asked to stop does not go on with this for ever; the next worker
 * then finds a lost run.
 */
export async function untilWritten<T>(
  { clock, events }: WorkerParts,
  write: () => Promise<T>,
  stop: AbortSignal,
): Promise<T> {
  for (let stoppedForMs = 0; ; stoppedForMs += stop.aborted ? WRITE_AGAIN_MS : 0) {
    try {
      return await write();
    } catch (error) {
      const mayPass = isProblem(error) || hasCode(error, ...DISK_CODES);
      if (!mayPass || stoppedForMs >= WRITE_AFTER_STOP_MS) throw error;
      events.trouble(`The end of the run could not be written, and will be tried again: ${messageOf(error)}`);
      await clock.sleep(WRITE_AGAIN_MS);
    }
  }
}

/** What a person, or time, can mend without the program. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ESTALE'];
