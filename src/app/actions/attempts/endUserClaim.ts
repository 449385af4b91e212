import { BY_HAND, type Attempt, type Outcome, type Verdict } from '../../../domain/task/attempt';
import { decide, NO_COUNTS } from '../../../domain/task/decide';
import { findGateBlock, type GateView } from '../../../domain/gate/gate';
import { closedGateFor } from '../../../domain/gate/gateOpening';
import { describeService } from '../../../domain/order/service';
import { tasksById } from '../../../domain/reasons/world';
import { Problem } from '../../../domain/problem';
import type { Definition, TaskId } from '../../../domain/task/task';
import { isUserHere, type Claim, type TaskView } from '../../../domain/queue/view';
import type { EpochMs } from '../../../domain/time/epoch';
import type { Moment } from '../../../domain/time/moment';
import { describeClaim } from '../../present/reasons/claim';
import { t } from '../../../platform/text/translate';
import { DEFAULT_MAX_RETRIES } from '../../../queue/row/readTexts';
import type { TaskQueue } from '../../../queue/taskQueue';
import { findLast } from '../../../worker/attempt/createJob';
import { isRunning } from './userClaim';
import { removeNextTask } from './nextTaskFile';
import type { QueueContext } from '../../context/queueContext';

/** Outcome that the user reports; null: the task is given back as it was. */
export type ManualOutcome = Extract<Outcome, 'success' | 'error'> | null;

/** Task that the user no longer has. */
export interface ReturnedTask {
  readonly id: TaskId;
  /** An outcome was reported, but the row was edited meanwhile: it does not count for the edited row, which is still pending. */
  readonly wasEdited: boolean;
}

/**
 * Ends the user's claim with this outcome, and removes NEXT_TASK.md if it holds that task.
 * @throws Problem `usage`, `not-running`; `already-running` while Claude Code is running it in a terminal; for an outcome
 * `queue-incomplete` while its row is not valid
 */
export async function returnTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId | undefined,
  outcome: ManualOutcome,
): Promise<ReturnedTask> {
  const claim = await findClaim(queueContext, queue, id);
  if (isRunning(queueContext, claim)) {
    throw new Problem(
      'already-running',
      t('Claude Code is still running task {0} in a terminal. End it there first.', claim.id),
    );
  }
  let wasEdited = false;
  if (outcome === null) await queue.release(claim, 'person', queueContext.host.createId());
  else {
    await refuseInvalidRow(queue, claim.id);
    const end = { outcome, reason: BY_HAND, message: SAID_BY_HAND[outcome] };
    wasEdited = await finishClaimed(queueContext, queue, claim, end);
  }
  await removeNextTask(queueContext.paths.nextTask, [claim.id]);
  return { id: claim.id, wasEdited };
}

/** Refuses to end a task while its row does not say whether it repeats. The user is there to fix it. */
async function refuseInvalidRow(queue: TaskQueue, id: TaskId): Promise<void> {
  const { problems } = await queue.read();
  const first = problems.find((problem) => problem.id === id);
  if (first !== undefined)
    throw new Problem({ reason: 'queue-incomplete', kind: 'unread-rows', first, vanished: 0 });
}

/** Returns the claim of this machine's user, or the one with this id if the user may end it. */
async function findClaim(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId | undefined,
): Promise<Claim> {
  const { claims } = await queue.read();
  const here = { machine: queueContext.machine.id };
  const userClaims = claims.filter((claim) =>
    id === undefined ? isUserHere(claim.owner, here) : claim.id === id && mayEnd(queueContext, claim),
  );
  const [claim, ...others] = userClaims;
  if (claim !== undefined && others.length === 0) return claim;
  if (claim !== undefined) {
    throw new Problem(
      'usage',
      t('You have several tasks ({0}): name one.', userClaims.map((one) => String(one.id)).join(', ')),
    );
  }
  throw new Problem('not-running', describeMissingClaim(claims, id, here));
}

/**
 * Whether the user may end a claim by its id: that of a user, and that of a worker on another machine unless it may be
 * alive. A queue in a file knows nothing of processes on other machines, and leaves that to the user.
 */
function mayEnd({ machine, redis }: QueueContext, { owner, ownerDied }: Claim): boolean {
  if (owner.kind === 'person') return true;
  return owner.machine !== machine.id && (redis === null || ownerDied === true);
}

function describeMissingClaim(
  claims: readonly Claim[],
  id: TaskId | undefined,
  here: Pick<Moment, 'machine'>,
): string {
  if (id !== undefined) {
    const claim = claims.find((one) => one.id === id);
    return claim === undefined
      ? t('Task {0} is not yours: it was not taken by hand, or it was returned or has ended.', id)
      : t('Task {0} is not yours: {1}.', id, describeClaim(claim, here));
  }
  const elsewhere = claims.find(({ owner }) => owner.kind === 'person');
  return elsewhere === undefined
    ? t('You have no task. Take one with "claude-queue next".')
    : t('You have no task on this machine, but {0}. Name it to end that.', describeClaim(elsewhere, here));
}

/** End of an attempt that the user made. */
type AttemptEnd = Pick<Verdict, 'outcome' | 'reason' | 'message' | 'signal' | 'contextTokens'>;

const SAID_BY_HAND: Readonly<Record<'success' | 'error', string>> = {
  success: 'Done by hand.',
  error: 'Failed by hand.',
};

/** Records the end of an attempt that the user made. Returns whether the row was edited meanwhile. */
async function finishClaimed(
  queueContext: QueueContext,
  queue: TaskQueue,
  claim: Claim,
  { gate, ...end }: AttemptEnd & { readonly gate?: GateView },
): Promise<boolean> {
  const { host } = queueContext;
  const { settings, timeZone } = await queueContext.configure();
  const { tasks } = await queue.read();
  const row = tasks.find(({ state }) => state.id === claim.id);
  const isSame = row?.state.power === claim.power;
  const definition = isSame ? row.definition : placeholderDefinition(claim, row);
  const now = queue.now();
  const ends = { endedAt: now, lastEndedAt: await findLastEnd(queue, claim) };
  const { signal } = end;
  const circumstances = {
    ...{ now, random: host.random(), settings, timeZone },
    ...(gate === undefined ? {} : closedGateFor(gate, signal, now, settings)),
  };
  const change = decide(definition, isSame ? row.state : NO_COUNTS, end, circumstances);
  const block = gate === undefined || signal === undefined ? undefined : findGateBlock(gate, signal);
  const attempt: Attempt = {
    id: claim.id,
    number: claim.attempt,
    power: claim.power,
    // Without a process there was no session.
    session: claim.run === undefined ? null : claim.session,
    startedAt: claim.at,
    // If the clock was set back meanwhile, the duration is 0 rather than negative.
    endedAt: Math.max(now, claim.at),
    outcome: end.outcome,
    reason: end.reason,
    message: end.message,
    code: change.code,
    ...describeService(claim, isSame ? row : undefined, ends, { byId: tasksById({ tasks }), settings }),
    ...(block === undefined ? {} : { closedSince: block.since }),
  };
  await queue.finish(claim, { change, attempt, definition }, host.createId());
  return !isSame && row !== undefined;
}

async function findLastEnd(queue: TaskQueue, claim: Claim): Promise<EpochMs | null> {
  const last = await findLast(queue, claim);
  return last?.endedAt ?? null;
}

/** Placeholder definition: the row's old text is gone, and the log must not show the new prompt. */
function placeholderDefinition({ id }: Claim, row: TaskView | undefined): Definition {
  return {
    id,
    priority: row?.definition.priority ?? 'medium',
    workingDir: row?.definition.workingDir ?? '',
    prompt: '(the row was edited or removed meanwhile)',
    dependencies: [],
    maxRetries: row?.definition.maxRetries ?? DEFAULT_MAX_RETRIES,
  };
}

/**
 * Ends the user's claim at a usage limit that its session hit. The account's gate closes, and the task resumes in that
 * session once it is open again.
 */
export async function endAtLimit(
  queueContext: QueueContext,
  queue: TaskQueue,
  claim: Claim,
  end: AttemptEnd,
): Promise<void> {
  const gate = await (await queueContext.openGate()).report({ signal: end.signal ?? null, usage: [] });
  await finishClaimed(queueContext, queue, claim, { ...end, gate });
}
