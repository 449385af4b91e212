import type { Claim, QueueView } from '../../domain/queue/view';
import type { Claimed, ClaimRequest, Idle, OpId, Snapshot } from '../taskQueue';
import type { Liveness } from './liveness';
import type { QueueState } from './state/queueState';
import type { Step } from './step';
import { claimNext, isOwnerDead, repeatedClaim } from './steps';

/** Returns the claims of dead workers. */
export function findLost({ claims }: Pick<QueueState, 'claims'>, liveness: Liveness): Claim[] {
  return [...claims.values()].filter((claim) => isOwnerDead(claim, liveness));
}

/** Returns the liveness in a copy of a queue. Nobody dies there, and nothing runs of what dead workers have claimed. */
export function lifeInCopy(step: Pick<Step, 'state'>, liveness: Liveness): Liveness {
  const marks = new Set(findLost(step.state, liveness).map(({ mark }) => mark));
  return {
    isAlive: () => true,
    isDead: () => false,
    isFenced: (mark) => marks.has(mark),
    mayStillRun: () => false,
  };
}

/**
 * Claims the next task with the end of an attempt, if one is requested: nothing while a dead worker's task is not recovered,
 * which may come first. Repeats the claim of an earlier call with the same name, unless that has ended since. If none is
 * requested any more, it is released: the caller does not know of it.
 */
export function claimWithEnd(
  step: Step,
  request: ClaimRequest | undefined,
  op: OpId,
  liveness: Liveness,
): Claimed | Idle | undefined {
  const { repeated: event, state } = step;
  const made = event?.kind === 'claimed' ? event.claim : undefined;
  if (made !== undefined && state.claims.get(made.id)?.token !== made.token) return undefined;
  if (request === undefined) {
    if (made !== undefined) step.record({ kind: 'released', id: made.id, token: made.token, why: 'stopped' });
    return undefined;
  }
  const again = repeatedClaim(step, request);
  return again ?? (findLost(state, liveness).length > 0 ? undefined : claimNext(step, request, op));
}

/** Returns whether a worker or its attempt has died since the snapshot. */
export function hasLostSince(
  { workers, claims }: Pick<Snapshot, 'workers' | 'claims'>,
  liveness: Liveness,
): boolean {
  return (
    workers.some(({ owner }) => liveness.isDead(owner)) ||
    claims.some((claim) => claim.ownerDied !== true && isOwnerDead(claim, liveness))
  );
}

/** Returns the view with the claims of dead workers marked. */
export function markDead(view: QueueView, liveness: Liveness): QueueView {
  const dead = new Set(view.claims.filter((claim) => isOwnerDead(claim, liveness)).map(({ id }) => id));
  if (dead.size === 0) return view;
  const mark = (claim: Claim): Claim => (dead.has(claim.id) ? { ...claim, ownerDied: true } : claim);
  const tasks = view.tasks.map((task) =>
    task.claim === undefined ? task : { ...task, claim: mark(task.claim) },
  );
  return { ...view, tasks, claims: view.claims.map(mark) };
}
