import type { ProcessIdentity } from '../../domain/task/processIdentity';
import { Problem } from '../../domain/problem';
import type { Machine } from '../taskQueue';
import type { QueueState } from './state/queueState';

/** A process and the machine that it runs on. */
export interface ProcessPlace {
  readonly machine: string;
  readonly process: ProcessIdentity;
}

/** Tells living processes of a queue from dead ones. A process can be neither: of another machine, little is known. */
export interface Liveness {
  isAlive(owner: ProcessPlace): boolean;
  isDead(owner: ProcessPlace): boolean;
  /** Whether this process refused its own claim with this mark, so that nobody works on it any more. */
  isFenced(mark: string): boolean;
  /** Whether a process that a dead owner started may still run. */
  mayStillRun(started: ProcessPlace): boolean;
}

/** Liveness as one machine can tell it: processes of other machines are neither alive nor dead. */
export function livenessOn(machine: Machine): Liveness {
  const isHere = (place: ProcessPlace): boolean => place.machine === machine.id;
  return {
    isAlive: (owner) => isHere(owner) && machine.isAlive(owner.process),
    isDead: (owner) => isHere(owner) && !machine.isAlive(owner.process),
    isFenced: () => false,
    mayStillRun: (started) => machine.isAlive(started.process),
  };
}

/**
 * Returns a claim of another machine as a problem; null if there is none. For stores that can be used by one machine at
 * a time: the processes of another cannot be checked.
 */
export function findOtherMachine(
  { claims }: Pick<QueueState, 'claims'>,
  { id: here }: Pick<Machine, 'id'>,
): Problem | null {
  for (const { owner, id } of claims.values()) {
    if (owner.kind !== 'process' || owner.machine === here) continue;
    return new Problem({ reason: 'other-machine', kind: 'other-machine', id, machine: owner.machine });
  }
  return null;
}
