import type { EpochMs } from '../time/epoch';
import { MACHINE_KINDS, type GateBlock, type GateView } from './gate';

/** Time after its start for which the block of another machine is kept, in ms. That machine finds it again. */
const KEPT_FOR_OTHERS_MS = 7 * 24 * 3_600_000;

/** Returns a shared gate as one machine sees it: without blocks that are for other machines. */
export function gateOfMachine(shared: GateView, machine: string): GateView {
  const isHere = isFor(machine);
  return shared.closures.every(isHere) ? shared : { ...shared, closures: shared.closures.filter(isHere) };
}

/**
 * Returns a shared gate after `machine` changed its view of it to `own`. Blocks with a cause on that machine are only
 * for it.
 */
export function withMachineGate(shared: GateView, machine: string, own: GateView, now: EpochMs): GateView {
  const isHere = isFor(machine);
  const others = shared.closures.filter((block) => !isHere(block) && now - block.since < KEPT_FOR_OTHERS_MS);
  const closures = own.closures.map((block) =>
    MACHINE_KINDS.includes(block.kind) ? { ...block, machine } : block,
  );
  return { ...own, closures: [...closures, ...others] };
}

function isFor(here: string): (block: GateBlock) => boolean {
  return ({ machine = here }) => machine === here;
}
