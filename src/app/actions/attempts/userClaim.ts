import { Problem } from '../../../domain/problem';
import { placeOf, placeOfAttempt, type Place } from '../../../domain/task/place';
import type { Definition, TaskId } from '../../../domain/task/task';
import { isUserHere, type Claim } from '../../../domain/queue/view';
import { describeClaim } from '../../present/reasons/claim';
import type { TaskQueue } from '../../../queue/taskQueue';
import { describeIdle } from '../../present/reasons/idle';
import { nameOrDescribe } from '../../present/reasons/reason';
import type { QueueContext } from '../../context/queueContext';
import { t } from '../../../platform/text/translate';

/** Task that the user has. */
export interface UserClaim {
  readonly kind: 'claimed';
  readonly claim: Claim;
  readonly definition: Definition;
  /** Place in which the user does it. */
  readonly place: Place;
  /** The user did not have it before this call. */
  readonly isNew: boolean;
}

/** Claim of the user, or why there is none, as the rest of a sentence. */
export type UserClaimResult = UserClaim | { readonly kind: 'idle'; readonly why: string };

/** Whether Claude Code is running the user's task in a terminal of this machine. */
export function isRunning({ host, machine }: QueueContext, { owner, run }: Claim): boolean {
  return isUserHere(owner, { machine: machine.id }) && run !== undefined && host.processes.isAlive(run);
}

/** Returns the run of this task that is open in a terminal; null if there is none. */
export async function findRunning(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId,
): Promise<Claim | null> {
  const { claims } = await queue.read();
  return claims.find((claim) => claim.id === id && isRunning(queueContext, claim)) ?? null;
}

/** Ends the `claude` of a terminal in which the user does a task, with all its child processes. */
export async function endRunning(queueContext: QueueContext, { run, mark }: Claim): Promise<void> {
  const { processes, clock } = queueContext.host;
  const { settings } = await queueContext.configure();
  if (run !== undefined) await processes.endTree(run, { graceMs: settings.stopGrace, mark, clock });
}

/**
 * Claims this task for the user, regardless of its place and time, or returns the one that they already have. Returns
 * the reason if it is not available.
 * @throws Problem `already-running` if Claude Code is running it in a terminal, or the user of another machine has it
 */
export async function takeTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId,
): Promise<UserClaimResult> {
  const { claims } = await queue.read();
  const claim = claims.find(({ id: claimed, owner }) => claimed === id && owner.kind === 'person');
  if (claim === undefined) return claimForUser(queueContext, queue, id);
  if (!isUserHere(claim.owner, { machine: queueContext.machine.id })) {
    const who = describeClaim(claim, { machine: queueContext.machine.id });
    throw new Problem('already-running', t('Task {0} cannot be taken: {1}.', id, who));
  }
  if (isRunning(queueContext, claim)) {
    throw new Problem('already-running', t('Claude Code works on task {0} in a terminal already.', id));
  }
  return takeAgain(queueContext, queue, claim);
}

/**
 * Returns the user's task with its current row. If the row was edited since, or is now in another place, the task is
 * claimed again.
 */
export async function takeAgain(
  queueContext: QueueContext,
  queue: TaskQueue,
  claim: Claim,
): Promise<UserClaimResult> {
  const { tasks } = await queue.read();
  const task = tasks.find(({ state }) => state.id === claim.id);
  if (task?.state.power === claim.power) {
    const { definition } = task;
    const place = placeOfAttempt(claim, definition);
    if (place.folder === placeOf(definition).folder)
      return { kind: 'claimed', claim, definition, place, isNew: false };
  }
  await queue.release(claim, 'person', queueContext.host.createId());
  return claimForUser(queueContext, queue, claim.id);
}

/** Claims the next task for the user, or the one that they name. Returns the reason if there is none. */
export async function claimForUser(
  queueContext: QueueContext,
  queue: TaskQueue,
  id?: TaskId,
): Promise<UserClaimResult> {
  const { host } = queueContext;
  const { settings, timeZone } = await queueContext.configure();
  const request = {
    ...(id === undefined ? {} : { id }),
    override: id === undefined ? { unattendedRules: true } : { unattendedRules: true, time: true },
    owner: { kind: 'person', machine: queueContext.machine.id },
    since: queue.now(),
    gate: { closures: [], usage: [] },
    // An unapproved row can be claimed, but its callback_url is not called.
    approvedRows: await queueContext.openApprovals().read(),
    settings,
    timeZone,
    freshSession: host.createId(),
  } as const;
  const answer = await queue.claim(request, host.createId());
  if (answer.kind === 'idle') {
    const moment = { ...queueContext.moment(), now: queue.now() };
    const describe = id === undefined ? describeIdle : nameOrDescribe;
    return { kind: 'idle', why: describe(answer.why, moment) };
  }
  const { claim, definition } = answer;
  return { kind: 'claimed', claim, definition, place: placeOfAttempt(claim, definition), isNew: true };
}
