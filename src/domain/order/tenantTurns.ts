import type { QueueView } from '../queue/view';
import type { Choice } from './choice';

/** Rank of a tenant that no worker has served yet: before all others. */
const NEVER_SERVED = -1;

/** Returns the rank of a tenant, lowest served first: by the longest time since the last claim. */
export function servedAt(tenant: string, { turns }: Pick<QueueView, 'turns'>): number {
  return turns.get(tenant) ?? NEVER_SERVED;
}

/** Returns the rank of a tenant for a claimer: its own tenants are before all others. */
export function rankFor(tenant: string, queue: Pick<QueueView, 'turns'>, { users }: Choice): number {
  const isOwn = users === undefined || users.includes(tenant);
  return servedAt(tenant, queue) + (isOwn ? 0 : OTHERS_OFFSET);
}

/** Offset for other tenants: above every token that a queue can reach. */
const OTHERS_OFFSET = 2 ** 48;
