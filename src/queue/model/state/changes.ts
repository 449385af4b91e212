import { isId, listOf } from '../../../platform/text/shapes';
import type { Changed } from '../../../domain/order/waitingTasks';
import type { TaskId } from '../../../domain/task/task';
import type { QueueEvent } from '../events';
import type { QueueState } from './queueState';

/** Changes of a state that were noted and not taken yet. */
class Noted implements Changed {
  readonly tasks = new Set<TaskId>();
  readonly tenants = new Set<string>();
  /** Whether each task may have changed. */
  all = false;
}

const noted = new WeakMap<QueueState, Noted>();

function notedOf(state: QueueState): Noted {
  const known = noted.get(state);
  if (known !== undefined) return known;
  const first = new Noted();
  noted.set(state, first);
  return first;
}

/** Notes that each task of a state may have changed. */
export function noteAllChanged(state: QueueState): void {
  notedOf(state).all = true;
}

/** Notes what an event changes. */
export function noteChanges(state: QueueState, event: QueueEvent): void {
  const changes = notedOf(state);
  for (const id of tasksOf(event)) changes.tasks.add(id);
  if (event.kind === 'resumed' || event.kind === 'adopted') changes.all = true;
  if (event.kind === 'claimed') changes.tenants.add(event.claim.user ?? '');
}

/** Returns what changed since the last call for this state. */
export function takeChanges(state: QueueState): Changed & { readonly all: boolean } {
  const taken = notedOf(state);
  noted.delete(state);
  return taken;
}

const isIds = listOf(isId);

/** Returns the tasks that an event names. A later version may have other events, with any value in these fields. */
function tasksOf(event: QueueEvent): readonly TaskId[] {
  if (event.kind === 'seen') return event.rows.map(({ id }) => id);
  if (event.kind === 'claimed') return [event.claim.id];
  if ('ids' in event) return isIds(event.ids) ? event.ids : [];
  return 'id' in event ? [event.id] : [];
}
