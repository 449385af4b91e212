import { Problem } from '../../../domain/problem';
import type { Claimed, Idle } from '../../taskQueue';
import type { Step } from '../step';
import { isOpen } from './queueState';

/** Rows and state that a step sees. */
type Seen = Pick<Step, 'rows' | 'state' | 'now'>;

/**
 * Time after which a file that was emptied counts as a removal of all its rows, in ms. Git and editors empty files too. Shorter than
 * a worker waits for a file that it cannot read, so that it ends as after any removal.
 */
const EMPTIED_MS = 20_000;

/** Whether rows that are not there may only be away: the file is not whole, or was emptied just now. */
export function mayRowsReturn({ rows, state: { emptied }, now }: Seen): boolean {
  return !rows.whole || (emptied !== null && Math.abs(now - emptied.at) < EMPTIED_MS);
}

/** Refuses to call a queue finished whose rows may only be away. @throws Problem `queue-incomplete` */
export function refuseUnread(seen: Seen, answer: Claimed | Idle): Claimed | Idle {
  if (answer.kind === 'claimed' || answer.stop !== undefined || !mayRowsReturn(seen)) return answer;
  const { rows, state } = seen;
  const [first] = rows.problems;
  if (first !== undefined)
    throw new Problem({
      reason: 'queue-incomplete',
      kind: 'unread-rows',
      first,
      vanished: countVanished(seen),
    });
  if (state.emptied === null) return answer;
  throw new Problem({ reason: 'queue-incomplete', kind: 'emptied', vanished: state.emptied.open });
}

/** Returns the number of open tasks that vanished with all rows of the file; 0: it has rows, or a command removed them. */
export function countEmptied(seen: Pick<Seen, 'rows' | 'state'>): number {
  return seen.rows.rows.length > 0 ? 0 : countVanished(seen);
}

/** Returns the number of open tasks that have no row. */
function countVanished({ rows, state }: Pick<Seen, 'rows' | 'state'>): number {
  const present = new Set(rows.rows.map(({ definition }) => definition.id));
  const ids = [...state.powers.keys()].filter((id) => !present.has(id) && !rows.invalidIds.has(id));
  return Math.max(ids.filter((id) => isOpen(state, id)).length, state.emptied?.open ?? 0);
}
