import { outputName } from '../../domain/task/attempt';
import type { Answered, Attempt, EndNote, StopCause } from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import { approvable, isApproved } from '../../domain/task/approval';
import { HISTORY_LOST } from '../../domain/task/reviewReasons';
import { decide, type Change } from '../../domain/task/decide';
import { type World } from '../../domain/reasons/world';
import { isToRun } from '../../domain/task/dependencies';
import { findMissed, findSkipped, type MissedRuns } from '../../domain/time/missedRuns';
import { findSoonerTime } from '../../domain/time/soonerTime';
import { describeSkipped, describeOccurrence, occurrenceFactsOf } from '../../domain/time/occurrences';
import { choiceOf } from '../../domain/order/choice';
import { choose } from '../../domain/order/order';
import { pick } from '../../domain/pick';
import { describeClass } from '../../domain/order/effectivePriority';
import { lookAhead } from '../../domain/order/lookAhead';
import { describeServed } from '../../domain/order/service';
import { planCallbacks } from '../../domain/queue/attemptCallbacks';
import { Fenced, Problem } from '../../domain/problem';
import type { EpochMs } from '../../domain/time/epoch';
import type { SkippedRun } from '../../domain/time/unchangedTree';
import { placeOf, placeOfAttempt } from '../../domain/task/place';
import type { TaskId } from '../../domain/task/task';
import { isUnaccepted, openQuestion } from '../../domain/queue/view';
import type { Claim, TaskState, TaskView } from '../../domain/queue/view';
import type {
  Claimed,
  ClaimRef,
  End,
  Idle,
  Lost,
  RecoverRules,
  ReleaseReason,
  Verb,
  ClaimRequest,
} from '../taskQueue';
import { stopFor } from '../../domain/queue/workerStop';
import type { LogLines } from './events';
import type { Liveness } from './liveness';
import { recordInputs } from './replay/recordInputs';
import { highestId } from './state/highestId';
import { raiseAllDone, raiseEnd } from './outbox';
import { currentTask, taskKey, type QueueState } from './state/queueState';
import type { Step } from './step';
import type { IndexedWorld } from './taskIndex';

/** Claims the next task, or returns why there is none. */
export function claimNext(step: Step, request: ClaimRequest, mark: string): Claimed | Idle {
  const stop = stopFor(step.state, request.owner, request.since);
  if (stop === undefined) recordInputs(step, request);
  const surroundings = { ...request, machine: request.owner.machine };
  let world = step.world(surroundings);
  if (stop === undefined && settleTimes(step, world)) world = step.world(surroundings);
  for (; ; world = step.world(surroundings)) {
    const task = stop === undefined ? choose(world, request, world.waiting) : null;
    if (task === null) {
      const outlook = lookAhead(world, request);
      if (stop !== undefined) return { kind: 'idle', ...outlook, stop };
      if (!outlook.passesByItself) raiseAllDone(step, world);
      return { kind: 'idle', ...outlook };
    }
    const missed = findMissed(task, world);
    if (missed === null) {
      const claim = makeClaim(step, task, world, { ...request, mark });
      const opens = step.state.batchSince === null && request.owner.kind === 'process';
      step.record({
        kind: 'claimed',
        claim,
        ...(opens ? { opensBatch: true } : {}),
        choice: choiceOf(request),
        ...pick(request, ['askingSince']),
      });
      return { kind: 'claimed', claim, ...pick(task, ['definition', 'state']) };
    }
    // Now it may not be due any more, or not the next.
    recordMissed(step, task, missed, world);
  }
}

/**
 * Records the next times of tasks whose stored time is out of date. That happens after skipped times, and after times
 * set while the clock was ahead. The rules treat such a task as due at its next time already, so it is never chosen.
 * Returns whether anything was recorded.
 */
function settleTimes(step: Step, world: IndexedWorld): boolean {
  const { length } = step.events;
  for (const task of world.repeating) {
    if (!isToRun(task)) continue;
    const sooner = findSoonerTime(task, world);
    const settled =
      sooner === null ? findSkipped(task, world) : { count: task.state.missed ?? 0, dueAt: sooner };
    if (settled !== null) recordMissed(step, task, settled, world);
  }
  return step.events.length > length;
}

function recordMissed(step: Step, task: TaskView, missed: MissedRuns, world: World): void {
  const skipped = missed.lastAt === undefined ? {} : { skipped: describeSkipped(task, world) };
  step.record({ kind: 'missed', id: task.definition.id, ...missed, ...skipped });
}

function makeClaim(
  { state, now }: Step,
  task: TaskView,
  world: World,
  { owner, mark, freshSession }: Pick<ClaimRequest, 'owner' | 'freshSession'> & Pick<Claim, 'mark'>,
): Claim {
  const { id, user } = task.definition;
  const { power, session, resume, handOver, answered, missed } = task.state;
  const isRowApproved = isApproved(approvable(task.definition, power), world.approvedRows);
  const callbacks = planCallbacks(task.definition, world.settings, isRowApproved);
  return {
    id,
    power,
    token: state.token + 1,
    attempt: (state.attemptCounts.get(id) ?? 0) + 1,
    owner,
    at: now,
    mark,
    place: placeOf(task.definition),
    ...(resume === null ? { session: freshSession } : { session: session ?? freshSession, resume }),
    ...(resume === null || handOver === undefined ? {} : { handOver }),
    ...(resume === null || answered === undefined ? {} : { answered }),
    ...(user === undefined ? {} : { user }),
    ...(callbacks === undefined ? {} : { callbacks }),
    ...describeClass(task, { ...world, now }),
    ...(missed === undefined ? {} : { missed }),
    ...describeOccurrence(task, world),
  };
}

/** Returns the claim that `ref` names. @throws Fenced if it is no longer the caller's */
function requireClaim(state: QueueState, ref: ClaimRef): Claim {
  const held = state.claims.get(ref.id);
  if (held?.token === ref.token && held.mark === ref.mark) return held;
  throw new Fenced(ref.id);
}

/** Records the attempt's process. @throws Fenced */
export function startAttempt(step: Step, ref: ClaimRef, run: ProcessIdentity): void {
  requireClaim(step.state, ref);
  step.record({ kind: 'started', id: ref.id, token: ref.token, run });
}

/** Returns the reason why the attempt should end, or undefined. @throws Fenced */
export function stopOf(state: QueueState, ref: ClaimRef, since: EpochMs): StopCause | undefined {
  const held = requireClaim(state, ref);
  if (held.cancelled === true) return 'cancelled';
  return stopFor(state, held.owner, since) === 'now' ? 'stopped' : undefined;
}

/** Records the end of an attempt. @throws Fenced */
export function finishAttempt(step: Step, ref: ClaimRef, end: End, logs: LogLines): void {
  const held = requireClaim(step.state, ref);
  step.record({
    kind: 'finished',
    id: ref.id,
    token: ref.token,
    change: end.change,
    attempt: { ...end.attempt, ...occurrenceFactsOf(held), ...whereOf(held) },
    ...(end.result === undefined ? {} : { result: end.result }),
    logs,
  });
  raiseEnd(step, end.attempt, end.change);
}

/** Returns the machine and the place of a claim, for its attempt. */
function whereOf(claim: Claim): Pick<Attempt, 'machine' | 'place'> {
  const place = placeOfAttempt(claim, undefined);
  return { machine: claim.owner.machine, ...(place === undefined ? {} : { place }) };
}

/** Releases a claim without an attempt. With `skip`, its due times are skipped. @throws Fenced */
export function releaseClaim(step: Step, ref: ClaimRef, why: ReleaseReason, skip?: SkippedRun): void {
  requireClaim(step.state, ref);
  const skipped = skip === undefined ? {} : { skip };
  step.record({ kind: 'released', id: ref.id, token: ref.token, why, ...skipped });
}

/** Composes the log lines for the end of an attempt. */
export type ComposeLogs = (end: End) => LogLines;

/** Ends the claims of dead owners. Leaves a claim whose process still lives: its session must not be used twice. */
export function recoverLost(
  step: Step,
  liveness: Liveness,
  rules: RecoverRules,
  composeLogs: ComposeLogs,
): Lost[] {
  const lost: Lost[] = [];
  for (const claim of [...step.state.claims.values()]) {
    if (!isAbandoned(claim, liveness) || claim.id !== (rules.only ?? claim.id)) continue;
    const row = step.rows.rows.find(
      ({ definition, power }) => definition.id === claim.id && power === claim.power,
    );
    const cause = liveness.isFenced(claim.mark) ? 'redis-away' : 'owner-died';
    const found: LostClaim = { claim, cause };
    const { change, attempt, note } = endOfLost(step, found, row?.definition ?? NEVER_GIVEN_UP, rules);
    const logs = row === undefined ? {} : composeLogs({ change, attempt, definition: row.definition });
    step.record({ kind: 'finished', id: claim.id, token: claim.token, change, attempt, logs });
    raiseEnd(step, attempt, change);
    lost.push({ claim, change, note });
  }
  return lost;
}

/** For an attempt whose row was removed or edited: no number of retries applies. */
const NEVER_GIVEN_UP = { maxRetries: Infinity };

/** Returns whether nobody works on a worker's claim any more: its process is dead, or has refused the claim. */
export function isOwnerDead({ owner, mark }: Pick<Claim, 'owner' | 'mark'>, liveness: Liveness): boolean {
  return owner.kind === 'process' && (liveness.isDead(owner) || liveness.isFenced(mark));
}

/** Whether nobody works on a worker's claim any more, and its Claude Code has ended too. */
function isAbandoned(claim: Claim, liveness: Liveness): boolean {
  const { owner, run } = claim;
  if (!isOwnerDead(claim, liveness)) return false;
  return run === undefined || !liveness.mayStillRun({ machine: owner.machine, process: run });
}

/** A lost claim. `redis-away`: its worker lives, but could not renew its lease. */
type LostClaim = Readonly<{ claim: Claim; cause: 'owner-died' | 'redis-away' }>;

function endOfLost(
  { state, now }: Step,
  lost: LostClaim,
  definition: Parameters<typeof decide>[0],
  rules: RecoverRules,
): { change: Change; attempt: Attempt; note: EndNote } {
  const { claim } = lost;
  const task = state.tasks.get(taskKey(claim.id, claim.power));
  if (task === undefined) {
    throw new Problem({ reason: 'state-damaged', kind: 'claim-without-task', id: claim.id });
  }
  const verdict = judgeLost(lost, task);
  const note = noteLost(lost, task);
  const end = { ...rules.traces?.get(claim.mark), ...verdict };
  const change = decide(definition, task, end, { now, ...rules });
  const attempt: Attempt = {
    id: claim.id,
    number: claim.attempt,
    power: claim.power,
    session: claim.session,
    startedAt: claim.at,
    endedAt: Math.max(now, claim.at),
    ...end,
    message: '',
    note,
    code: change.code,
    output: outputName(claim.id, claim.attempt),
    ...describeServed(claim),
    ...occurrenceFactsOf(claim),
    ...whereOf(claim),
  };
  return { change, attempt, note };
}

/**
 * Returns the outcome of a lost claim. If its row says that the task ended, the user must look before it runs again.
 */
function judgeLost(
  { claim: { cancelled }, cause }: LostClaim,
  { status }: TaskState,
): Pick<Attempt, 'outcome' | 'reason'> & { readonly outcome: 'cancelled' | 'review' | 'lost' } {
  if (cancelled === true) return { outcome: 'cancelled', reason: 'cancelled' };
  return status === 'pending'
    ? { outcome: 'lost', reason: cause }
    : { outcome: 'review', reason: HISTORY_LOST };
}

function noteLost({ claim: { owner, attempt }, cause }: LostClaim, { status }: TaskState): EndNote {
  const worker = owner.kind === 'process' ? owner.worker : null;
  if (status === 'pending') return { kind: cause, worker };
  return { kind: 'history-lost', worker, status, attempt };
}

/** Applies a command of the user to a task. @throws Problem `no-such-task`, `already-running`, `conflict` */
export function commandTask(step: Step, id: TaskId, verb: Verb, logs: LogLines): void {
  const task = currentTask(step.state, id);
  const held = step.state.claims.get(id);
  // An attempt whose row was deleted or broken can still be ended.
  if (task === undefined && (held === undefined || verb !== 'cancel'))
    throw new Problem({ reason: 'no-such-task', kind: 'unknown-task', id });
  if (held !== undefined && verb !== 'cancel') {
    throw new Problem({ reason: 'already-running', kind: 'running', id });
  }
  if (task !== undefined) refuseUnfit(task, id, verb);
  // A worker ends its own attempt. No process watches a claim of the user, so it ends here.
  if (held?.owner.kind === 'person') step.record({ kind: 'released', id, token: held.token, why: 'person' });
  step.record({ kind: 'commanded', id, verb, logs });
}

/** Records the user's answer to a task's question. @throws Problem `no-such-task`, `conflict` */
export function answerTask(step: Step, id: TaskId, reply: Required<Answered>): void {
  const task = currentTask(step.state, id);
  if (task === undefined) {
    throw new Problem({ reason: 'no-such-task', kind: 'unknown-task', id });
  }
  const question = step.state.claims.has(id) ? undefined : openQuestion(task);
  if (question?.text !== reply.question) {
    throw new Problem({ reason: 'conflict', kind: 'other-question', id });
  }
  step.record({ kind: 'answered', id, reply });
}

/** Records the user's comment on a task's work. @throws Problem `no-such-task`, `already-running`, `conflict` */
export function commentTask(step: Step, id: TaskId, text: string): void {
  const { state } = step;
  const task = currentTask(state, id);
  if (task === undefined) throw new Problem({ reason: 'no-such-task', kind: 'unknown-task', id });
  if (state.claims.has(id)) throw new Problem({ reason: 'already-running', kind: 'running', id });
  if (openQuestion(task) !== undefined) throw new Problem({ reason: 'conflict', kind: 'asks-question', id });
  const last = state.attempts.findLast((attempt) => attempt.id === id);
  if (last?.power !== task.power || last.session === null)
    throw new Problem({ reason: 'conflict', kind: 'no-session', id });
  step.record({ kind: 'commented', id, text, session: last.session });
}

/** Refuses a command that does not fit the task's state. @throws Problem `conflict` */
function refuseUnfit(task: TaskState, id: TaskId, verb: Verb): void {
  if (verb === 'accept' && !isUnaccepted(task)) {
    throw new Problem({ reason: 'conflict', kind: 'not-in-review', id, status: task.status });
  }
  if (verb === 'cancel' && task.status === 'completed') {
    throw new Problem({ reason: 'conflict', kind: 'already-completed', id });
  }
}

/** Returns the next free id, above every id that was ever seen, so that none is reused. */
export function nextId({ state, rows }: Step): TaskId {
  return Math.max(highestId(state), rows.highestId) + 1;
}

/**
 * Returns the claim of an earlier call with the same name. If its row was edited or removed since, or needs another approval
 * now, the claim is released: nobody may have approved what the row says now. @throws Fenced if it has ended since
 */
export function repeatedClaim(step: Step, { approvedRows, override }: ClaimRequest): Claimed | undefined {
  const { repeated: event, state, rows } = step;
  if (event?.kind !== 'claimed') return undefined;
  const claim = requireClaim(state, event.claim);
  const row = rows.rows.find(({ definition, power }) => definition.id === claim.id && power === claim.power);
  const task = state.tasks.get(taskKey(claim.id, claim.power));
  const approved = override?.unattendedRules === true ? { ...approvedRows, trusted: true } : approvedRows;
  if (row && task && isApproved(approvable(row.definition, row.power), approved))
    return { kind: 'claimed', claim, definition: row.definition, state: task };
  step.record({ kind: 'released', id: claim.id, token: claim.token, why: 'stopped' });
  return undefined;
}
