import * as fs from 'node:fs/promises';
import { BY_HAND, type Attempt, type Outcome, type Verdict } from '../../domain/task/attempt';
import { decide, NO_COUNTS } from '../../domain/task/decide';
import { findGateBlock, type GateView } from '../../domain/gate/limits';
import { Problem } from '../../domain/problem';
import type { Definition, TaskId } from '../../domain/task/task';
import type { Claim, TaskView } from '../../domain/queue/view';
import { readIfThere, replaceDurably } from '../../platform/files/files';
import { DEFAULT_MAX_RETRIES } from '../../queue/row/readTexts';
import type { TaskQueue } from '../../queue/taskQueue';
import { claimForUser, isRunning, takeAgain, type UserClaim, type UserClaimResult } from './userClaim';
import { formatNextTask, readNextTask } from './nextTask';
import type { QueueContext } from '../context/queueContext';

/**
 * Hands the next task to the user, or the one that they have already, and writes NEXT_TASK.md. Where there is none,
 * gives the reason and removes the file.
 */
export async function claimNext(queueContext: QueueContext, queue: TaskQueue): Promise<UserClaimResult> {
  const result = (await reclaimUserTask(queueContext, queue)) ?? (await claimForUser(queueContext, queue));
  if (result.kind === 'claimed')
    await replaceDurably(queueContext.paths.nextTask, formatNextTask(result.definition));
  else await fs.rm(queueContext.paths.nextTask, { force: true });
  return result;
}

/**
 * The task that the user has already: the same one again, until they say what became of it. What Claude Code works on
 * in a terminal is not handed out a second time; what was taken out of the queue is not either.
 */
async function reclaimUserTask(queueContext: QueueContext, queue: TaskQueue): Promise<UserClaim | null> {
  const { claims, tasks } = await queue.read();
  const userClaims = claims.filter(
    (claim) =>
      claim.owner.kind === 'person' &&
      !isRunning(queueContext, claim) &&
      tasks.some(({ state }) => state.id === claim.id),
  );
  const shown = await idInFile(queueContext);
  const claim = userClaims.find(({ id }) => id === shown) ?? userClaims[0];
  if (claim === undefined) return null;
  const result = await takeAgain(queueContext, queue, claim);
  // An edit may have put something in its way: then it is not theirs any more, and another one is next.
  return result.kind === 'claimed' ? result : null;
}

/** The task in NEXT_TASK.md; null where there is none. */
async function idInFile(queueContext: QueueContext): Promise<TaskId | null> {
  return readNextTask((await readIfThere(queueContext.paths.nextTask))?.toString() ?? '');
}

/** What the user says of a task that they had; null: it is given back as it was. */
export type ManualOutcome = Extract<Outcome, 'success' | 'error'> | null;

/** A task that is no longer the user's. */
export interface ReturnedTask {
  readonly id: TaskId;
  /** What was done is not what its row says now: that is still to be done. */
  readonly wasEdited: boolean;
}

/**
 * Ends the user's claim as they say, and removes NEXT_TASK.md where it tells of that task.
 * @throws Problem `usage`, `not-running`; `already-running` while Claude Code works on it in a terminal
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
      `Claude Code is still running task ${String(claim.id)} in a terminal. End it there first.`,
    );
  }
  let wasEdited = false;
  if (outcome === null) await queue.release(claim, 'person', queueContext.host.createId());
  else {
    const end = { outcome, reason: BY_HAND, message: SAID_BY_HAND[outcome] };
    wasEdited = await finishClaimed(queueContext, queue, claim, end);
  }
  if ((await idInFile(queueContext)) === claim.id) await fs.rm(queueContext.paths.nextTask, { force: true });
  return { id: claim.id, wasEdited };
}

/** The user's claim; by its id also one of another machine, which this machine cannot tell to be alive. */
async function findClaim(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId | undefined,
): Promise<Claim> {
  const { claims } = await queue.read();
  const userClaims = claims.filter(({ owner, ...claim }) =>
    id === undefined
      ? owner.kind === 'person'
      : claim.id === id && (owner.kind === 'person' || owner.machine !== queueContext.machine.id),
  );
  const [claim, ...others] = userClaims;
  if (claim !== undefined && others.length === 0) return claim;
  if (claim !== undefined) {
    throw new Problem(
      'usage',
      `You have several tasks (${userClaims.map((one) => String(one.id)).join(', ')}): name one.`,
    );
  }
  throw new Problem(
    'not-running',
    id === undefined
      ? 'You have no task. Take one with "claude-queue next".'
      : `Task ${String(id)} is not userClaims: it was not taken by hand, or it was returned or has ended.`,
  );
}

/** How a task that the user had came to its end. */
type AttemptEnd = Pick<Verdict, 'outcome' | 'reason' | 'message' | 'signal' | 'contextTokens'>;

const SAID_BY_HAND: Readonly<Record<'success' | 'error', string>> = {
  success: 'Done by hand.',
  error: 'Failed by hand.',
};

/** Records the end of an attempt that the user made, and tells whether the row was edited meanwhile. */
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
  const now = host.clock.now();
  const circumstances = { now, random: host.random(), settings, timeZone };
  const change = decide(definition, row?.state ?? NO_COUNTS, end, circumstances);
  const { signal } = end;
  const block = gate === undefined || signal === undefined ? undefined : findGateBlock(gate, signal);
  const attempt: Attempt = {
    id: claim.id,
    number: claim.attempt,
    power: claim.power,
    // Without a process there was no session either.
    session: claim.run === undefined ? null : claim.session,
    startedAt: claim.at,
    endedAt: now,
    outcome: end.outcome,
    reason: end.reason,
    message: end.message,
    code: change.code,
    ...(claim.user === undefined ? {} : { user: claim.user }),
    ...(block === undefined ? {} : { closedSince: block.since }),
  };
  await queue.finish(claim, { change, attempt, definition }, host.createId());
  return !isSame && row !== undefined;
}

/** The queue keeps what a row says, not what it said: the logs must not tell that the user did what it says now. */
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
 * A limit ended the session in which the user did the task: the account's gate closes, and the task continues in that
 * session when it is open again.
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
