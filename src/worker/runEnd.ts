import { outputName, type Attempt, type Verdict } from '../domain/attempt';
import { decide, type Change } from '../domain/decide';
import { closureFor, type GateView } from '../domain/limits';
import { Fenced } from '../domain/problem';
import { describeService, type ServiceFacts } from '../domain/service';
import type { Claimed, Idle, Want } from '../queue/taskQueue';
import { describeWant, type WorkerParts } from './parts';
import { untilWritten } from './patience';

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
  const { change, service } = await insist(() => decideEnd(parts, claimed, verdict));
  const end = { change, attempt: describeAttempt(parts, { ...run, change, service, gate }), definition };
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
): Promise<{ readonly change: Change; readonly service: ServiceFacts }> {
  const { settings, timeZone } = parts;
  const { tasks } = await parts.queue.read();
  const task = tasks.find(({ state }) => state.id === claim.id && state.power === claim.power);
  const now = parts.clock.now();
  const circumstances = { now, random: parts.random(), settings, timeZone };
  const dependencies = tasks.filter(({ state }) => definition.dependencies.includes(state.id));
  const byId = new Map(dependencies.map((dependency) => [dependency.state.id, dependency]));
  return {
    change: decide(definition, task?.state ?? NO_HISTORY, verdict, circumstances),
    service: describeService(claim, task, now, { byId, settings }),
  };
}

/** For a row that is gone or was edited meanwhile: its counts do not matter any more. */
const NO_HISTORY = { retryCount: 0, transientInRow: 0, lostInRow: 0 };

interface EndFacts extends Run {
  readonly change: Change;
  readonly service: ServiceFacts;
  readonly gate: GateView;
}

function describeAttempt(
  parts: WorkerParts,
  { claimed, verdict, change, service, startedAt, gate }: EndFacts,
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
    // Where the clock was set back meanwhile, it took no time rather than less than none.
    endedAt: Math.max(now, startedAt),
    outcome: verdict.outcome,
    reason: verdict.reason,
    message: verdict.message,
    code: change.code,
    output: outputName(claim.id, claim.attempt),
    ...service,
    ...(closure === null ? {} : { closedSince: closure.since }),
    ...(verdict.costUsd === undefined ? {} : { costUsd: verdict.costUsd }),
    ...(verdict.turns === undefined ? {} : { turns: verdict.turns }),
    ...(verdict.denials.length === 0 ? {} : { denials: verdict.denials }),
  };
}
