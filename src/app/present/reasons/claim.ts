import type { Attempt } from '../../../domain/task/attempt';
import {
  isFarFrom,
  isUserHere,
  nameWorker,
  type Claim,
  type Owner,
  type Reader,
} from '../../../domain/queue/view';
import { isElsewhere, nameMachine } from '../../../platform/processes/machine';
import { t } from '../../../platform/text/translate';

/** Names the owner of a claim, with its machine if that is not the reader's. */
export function describeOwner(owner: Owner, reader: Reader = {}): string {
  if (owner.kind === 'person')
    return isUserHere(owner, reader) ? t('you') : t('the user on {0}', nameMachine(owner.machine));
  const worker = t('worker {0}', nameWorker(owner));
  return isFarFrom(reader, owner) ? t('{0} on {1}', worker, nameMachine(owner.machine)) : worker;
}

/** Describes who is running a task. */
export function describeClaim({ id, owner, ownerDied }: Claim, reader: Reader): string {
  if (owner.kind === 'person')
    return isUserHere(owner, reader)
      ? t('you have task {0}', id)
      : t('the user on {0} has task {1}', nameMachine(owner.machine), id);
  return ownerDied === true
    ? t(
        '{0} died while running task {1}; the next worker recovers it first',
        describeOwner(owner, reader),
        id,
      )
    : t('{0} is running task {1}', describeOwner(owner, reader), id);
}

/** Says where the output of an attempt is that runs on another machine. */
export function describeElsewhere(machine: string): string {
  return t('Its output is not shown: it stays on {0}, where the worker runs.', nameMachine(machine));
}

/** Says that what is allowed here does not help where the last attempt ran; null: it ran here, or that is not known. */
export function describeAllowedElsewhere({ machine }: Pick<Attempt, 'machine'>): string | null {
  return machine === undefined || !isElsewhere(machine)
    ? null
    : t(
        'Its last attempt ran on {0}, which may take the task again: allow it there too.',
        nameMachine(machine),
      );
}

/** Says why an attempt has no output file here. */
export function describeNoOutput({ machine }: Pick<Attempt, 'machine'>): string {
  if (machine === undefined)
    return t('Its output is not on this machine: another machine ran the attempt, or the file was removed.');
  return isElsewhere(machine)
    ? t('Its output is not on this machine: {0} ran the attempt.', nameMachine(machine))
    : t(
        'Its output is not there: the attempt wrote none, its file was removed, or that is of an earlier queue.',
      );
}
