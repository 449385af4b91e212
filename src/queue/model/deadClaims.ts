import type { Claim, QueueView } from '../../domain/queue/view';
import type { Liveness } from './liveness';
import { isOwnerDead } from './steps';

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
