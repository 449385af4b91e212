import { placeOfAttempt, type Place } from '../task/place';
import type { Definition } from '../task/task';
import type { Claim } from './view';

/**
 * Returns the place in which Claude Code works for this claim on a machine: for a worker, or in the user's terminal.
 * Undefined: none. A task that the user has without a run keeps no place busy: the user may have done nothing yet. A
 * folder of another machine is another place. `row` counts only for claims of older versions.
 */
export function busyPlace(claim: Claim, row: Definition | undefined, machine: string): Place | undefined {
  const { owner, run } = claim;
  if (owner.machine !== machine) return undefined;
  if (owner.kind === 'person' && run === undefined) return undefined;
  return placeOfAttempt(claim, row);
}
