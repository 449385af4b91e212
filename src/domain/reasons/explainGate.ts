import type { World } from './world';
import { findBlockFor, isImplausibleReset, type BlockedBy } from '../gate/gateOpening';
import type { Probe } from '../gate/gate';
import type { GateFacts, Obstacle } from './reason';
import type { TaskView } from '../queue/view';

/** Returns what keeps a task of this model from starting at the account's gate; null: nothing. */
export function findGateObstacle({ definition }: TaskView, world: World): Obstacle | null {
  const blockedBy = findBlockFor(world.gate, definition, world.now, world.settings);
  return blockedBy === null ? null : gateObstacleOf(blockedBy, world);
}

/** Returns a block of the account's gate as an obstacle. */
export function gateObstacleOf(blockedBy: BlockedBy, world: World): Obstacle {
  const { until, phase } = blockedBy;
  const gate = {
    state: 'waiting',
    atLimit: true,
    cause: { kind: 'gate', gate: gateFactsOf(blockedBy, world) },
  } as const;
  if (until === null) return { ...gate, waitsFor: 'person' };
  // It is not known when the probe is let through. The end of its time is no time to count down to.
  return { ...gate, waitsFor: 'machine', ...(phase.kind === 'half-open' ? {} : { until }) };
}

/** Returns the facts about a gate that its text needs. */
export function gateFactsOf({ block, phase }: BlockedBy, { now, settings, queue }: World): GateFacts {
  return {
    block,
    phase,
    isImplausibleReset: isImplausibleReset(block, now, settings),
    stagger: settings.openStagger,
    isProbeHere: phase.kind === 'half-open' && phase.probe !== null && isHere(phase.probe, queue),
  };
}

function isHere({ task, machine, process }: Probe, { claims }: World['queue']): boolean {
  return claims.some(
    ({ id, owner }) =>
      id === task.id &&
      owner.kind === 'process' &&
      owner.machine === (machine ?? owner.machine) &&
      owner.process.pid === process.pid,
  );
}
