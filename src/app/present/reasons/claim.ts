import type { Attempt } from '../../../domain/task/attempt';
import { nameWorker, type Claim, type Owner } from '../../../domain/queue/view';
import { machineId, nameMachine } from '../../../platform/processes/machine';
import { t } from '../../../platform/text/translate';

/** Names the owner of a claim, with its machine if that is another one. */
export function describeOwner(owner: Owner): string {
  if (owner.kind === 'person') return t('you');
  const worker = t('worker {0}', nameWorker(owner));
  return isElsewhere(owner) ? t('{0} on {1}', worker, nameMachine(owner.machine)) : worker;
}

/** Whether a process is one of another machine. */
export function isElsewhere({ machine }: Pick<Owner, 'machine'>): boolean {
  return machine !== machineId();
}

/** Describes who is running a task. */
export function describeClaim({ id, owner, ownerDied }: Claim): string {
  if (owner.kind === 'person') return t('you have task {0}', id);
  return ownerDied === true
    ? t('{0} died while running {1}; the next worker recovers it first', describeOwner(owner), id)
    : t('{0} is running {1}', describeOwner(owner), id);
}

/** Says where the output of an attempt is that runs on another machine. */
export function describeElsewhere(machine: string): string {
  return t('Its output is not shown: it stays on {0}, where the worker runs.', nameMachine(machine));
}

/** Says why an attempt has no output file here. */
export function describeNoOutput({ machine }: Pick<Attempt, 'machine'>): string {
  return machine === undefined || !isElsewhere({ machine })
    ? t('Its output is not on this machine: another machine ran the attempt, or the file was removed.')
    : t('Its output is not on this machine: {0} ran the attempt.', nameMachine(machine));
}
