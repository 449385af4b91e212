import { outputName, type Attempt, type Verdict } from '../../domain/task/attempt';
import { factsOf } from '../../domain/task/attemptFacts';
import { decide, NO_COUNTS, type Change } from '../../domain/task/decide';
import { closedGateFor } from '../../domain/gate/gateOpening';
import { findGateBlock, type GateView } from '../../domain/gate/gate';
import { Fenced, isProblem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import { describeService, type ServiceFacts } from '../../domain/order/service';
import type { Claim } from '../../domain/queue/view';
import type { Claimed, End, Idle, ClaimRequest } from '../../queue/taskQueue';
import { buildClaimRequest, type RowAtEnd, type Rules, type WorkerDeps } from '../workerDeps';
import { RetryUntilWritten } from '../retryUntilWritten';
import { reportOf } from './admission';
import type { AttemptLink } from './attemptLink';
import type { MeasuredChanges } from './measureChanges';

/** End of a claim. `next` is the result of the claim made in the same step, if one was requested. */
export interface Ended {
  readonly verdict: Verdict;
  readonly change: Change;
  readonly next: Claimed | Idle | undefined;
}

/** Result of an attempt that is not recorded yet. */
export interface UnrecordedAttempt {
  readonly claimed: Claimed;
  readonly verdict: Verdict;
  /** All fill levels that it reported, for its history. The verdict has only those that the gate lacks. */
  readonly usage: Verdict['usage'];
  /** Its changes, once they are known. They are looked for meanwhile. Never rejects. */
  readonly changes: Promise<MeasuredChanges>;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
  /** End of the last attempt before it at the same task; null: it is the first. */
  readonly lastEndedAt: EpochMs | null;
}

/**
 * Closes the gate if a limit was met, decides what follows, and records the end. Returns null if another owner has
 * the claim.
 * If the link reserves another attempt, claims the next task in the same step: the critical one that this attempt was
 * stopped for, or the next in order.
 */
export async function recordEnd(
  deps: WorkerDeps,
  run: UnrecordedAttempt,
  stop: AbortSignal,
  { reserveNext, running }: AttemptLink,
): Promise<Ended | null> {
  const { claimed, verdict: found } = run;
  const { claim, definition } = claimed;
  const retryUntilWritten = new RetryUntilWritten(deps, stop, 'The end of the attempt');
  try {
    const gate = await retryUntilWritten.untilWritten(() => deps.gate.report(reportOf(deps, claimed, found)));
    const { change, service, row } = await retryUntilWritten.untilWritten(() => decideEnd(deps, run, gate));
    const verdict = { ...found, ...(await run.changes) };
    const attempt = composeAttempt({ ...run, verdict, change, service, gate });
    const end = { change, attempt, definition, ...(await keepResult(deps, claim, attempt)) };
    const op = deps.createId();
    const next = await retryUntilWritten.untilWritten(async () => {
      const request = reserveNext() ? await describeNext(deps, running?.nextId) : undefined;
      return deps.queue.finish(claim, end, op, request);
    });
    deps.events.ended(claimed, verdict, change, row);
    return { verdict, change, next };
  } catch (error) {
    if (!(error instanceof Fenced)) {
      reportUnrecorded(deps, claim, found);
      throw error;
    }
    reportFenced(deps, claim);
    return null;
  }
}

/** Returns the answer for the callback of the row, which another machine may send. The end is recorded in any case. */
async function keepResult(
  { readResult, events, describeError }: WorkerDeps,
  { id, callbacks }: Claim,
  attempt: Attempt,
): Promise<Pick<End, 'result'>> {
  try {
    const result = callbacks?.url === undefined ? undefined : await readResult?.(attempt);
    return result === undefined ? {} : { result };
  } catch (error) {
    events.trouble(`The answer of task ${String(id)} is not kept for its callback: ${describeError(error)}`);
    return {};
  }
}

/** Reports an end that could not be recorded. The next worker finds a lost attempt and knows no more. */
function reportUnrecorded({ events, paths }: WorkerDeps, claim: Claim, verdict: Verdict): void {
  const said = verdict.message === '' ? verdict.reason : verdict.message;
  events.trouble(
    `The end of task ${String(claim.id)} (${verdict.outcome}: ${said}) is not recorded. Its output is in ${paths.state.outputOf(claim)}, if it still exists.`,
  );
}

/** Reports an attempt that does not count: its claim is no longer the task's (fenced). Nothing else shows its end. */
export function reportFenced({ events }: WorkerDeps, { id }: Claim): void {
  events.trouble(
    `The attempt of task ${String(id)} does not count: the task has another owner, the queue's history was replaced, or Redis was away too long.`,
  );
}

async function decideEnd(
  deps: WorkerDeps,
  { claimed: { claim, definition, state }, verdict, ...ends }: UnrecordedAttempt,
  gate: GateView,
): Promise<{ readonly change: Change; readonly service: ServiceFacts; readonly row: RowAtEnd }> {
  const { settings, timeZone } = await readRules(deps);
  const tasks = await deps.queue.find([claim.id, ...definition.dependencies]);
  const current = tasks.find(({ state }) => state.id === claim.id);
  const task = current?.state.power === claim.power ? current : undefined;
  // A row that is not valid now may be valid again: its failures so far still count.
  const counts = current === undefined ? state : (task?.state ?? NO_COUNTS);
  const now = deps.clock.now();
  const circumstances = {
    ...{ now, random: deps.random(), settings, timeZone },
    ...closedGateFor(gate, verdict.signal, now, settings),
  };
  const dependencies = tasks.filter(({ state }) => definition.dependencies.includes(state.id));
  const byId = new Map(dependencies.map((dependency) => [dependency.state.id, dependency]));
  return {
    // Its owner may have changed its retries or its schedule meanwhile.
    change: decide(task?.definition ?? definition, counts, verdict, circumstances),
    service: describeService(claim, task, ends, { byId, settings }),
    row: current === undefined ? 'none' : task === undefined ? 'edited' : 'own',
  };
}

/**
 * Returns the current rules. If they are invalid, returns the last valid ones, so that the end is recorded at once.
 */
async function readRules({ rules }: WorkerDeps): Promise<Rules> {
  try {
    return await rules.read();
  } catch (error) {
    if (!isProblem(error, 'settings-invalid')) throw error;
    return rules.last;
  }
}

/** Longest wait for the request of the next claim, in ms. It asks Claude Code who pays, which may take half a minute. */
const NEXT_MS = 500;

/**
 * Returns the request for the next claim, or undefined if it fails or takes longer than `NEXT_MS`. The end is
 * recorded in any case; the worker's next look meets the failure again and reports it.
 */
async function describeNext(deps: WorkerDeps, id: TaskId | undefined): Promise<ClaimRequest | undefined> {
  const answered = new AbortController();
  const late = deps.clock.sleep(NEXT_MS, answered.signal).then(() => undefined);
  const request = buildClaimRequest(deps, id === undefined ? {} : { id }).catch(() => undefined);
  const next = await Promise.race([request, late]);
  answered.abort();
  return next;
}

interface EndFacts extends Omit<UnrecordedAttempt, 'changes'> {
  readonly change: Change;
  readonly service: ServiceFacts;
  readonly gate: GateView;
}

function composeAttempt(end: EndFacts): Attempt {
  const { claimed, verdict, usage, change, service, startedAt, endedAt, gate } = end;
  const { claim } = claimed;
  const { signal } = verdict;
  const block = verdict.outcome === 'limit' && signal !== undefined ? findGateBlock(gate, signal) : undefined;
  return {
    id: claim.id,
    number: claim.attempt,
    power: claim.power,
    session: claim.session,
    startedAt,
    // If the clock was set back meanwhile, the duration is 0 rather than negative.
    endedAt: Math.max(endedAt, startedAt),
    outcome: verdict.outcome,
    reason: verdict.reason,
    message: verdict.message,
    code: change.code,
    output: outputName(claim.id, claim.attempt),
    ...service,
    ...(block === undefined ? {} : { closedSince: block.since }),
    ...factsOf(verdict),
    exitCode: verdict.exitCode,
    ...(verdict.denials.length === 0 ? {} : { denials: verdict.denials }),
    ...(usage.length === 0 ? {} : { usage }),
  };
}
