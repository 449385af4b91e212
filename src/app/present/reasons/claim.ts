import { nameWorker, type Claim, type Owner } from '../../../domain/queue/view';

/** Names the owner of a claim. */
export function describeOwner(owner: Owner): string {
  return owner.kind === 'person' ? 'you' : `worker ${nameWorker(owner)}`;
}

/** Describes who is running a task. */
export function describeClaim({ id, owner, ownerDied }: Claim): string {
  if (owner.kind === 'person') return `you have task ${String(id)}`;
  return ownerDied === true
    ? `${describeOwner(owner)} died while running ${String(id)}; the next worker recovers it first`
    : `${describeOwner(owner)} is running ${String(id)}`;
}
