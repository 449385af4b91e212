import { countStarts } from '../../domain/queue/budget';
import type { World } from '../../domain/reasons/world';
import { gateFactsOf } from '../../domain/reasons/explainGate';
import { barrierForAll, barrierOf, phaseOf, type Barrier, type Phase } from '../../domain/gate/gateOpening';
import { DEFAULT_MODEL, isForAll, type Closure, type TaskRef } from '../../domain/gate/limits';
import { findSpending } from '../../domain/queue/nightBudget';
import type { EpochMs } from '../../domain/time/epoch';
import { formatUsd } from '../../domain/usd';
import { describeGateFacts } from './reasons/gate';

/** ISO 8601, or null. */
export function isoOrNull(at: EpochMs | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** One sentence about the gate. */
export function describeGate(world: World): string {
  const { hour, day } = countStarts(world.queue.starts, world.now);
  const budget = `${String(hour)} of ${String(world.settings.maxPerHour)} attempts in the last hour, ${String(day)} of ${String(world.settings.maxPerDay)} in the last 24 hours${describeNight(world)}.`;
  const hint = findTelling(world)?.closure.resettable === true ? ` ${AFTER_OWN_RESET}` : '';
  return `The gate is ${describeState(world)}; ${budget}${hint}`;
}

/** What to do in a terminal where the user may have reset the limit: Claude Code reports that to nobody. */
export const AFTER_OWN_RESET = 'After a /limit-reset of yours: "claude-queue usage --probe".';

function describeNight({ queue, now, settings, timeZone }: World): string {
  if (settings.nightBudget === 0) return '';
  const { usd } = findSpending(queue.costs, now, timeZone);
  return `, ${formatUsd(usd)} of ${formatUsd(settings.nightBudget)} this night`;
}

/** What there is to tell of a gate that is not plainly open. */
export interface GateTold {
  readonly kind: Closure['kind'];
  readonly phase: Barrier['phase']['kind'];
  readonly text: string;
}

/** What is told of the gate before all else; null: it is plainly open. */
export function tellGate(world: World): GateTold | null {
  const told = findTelling(world);
  if (told === null) return null;
  return {
    kind: told.closure.kind,
    phase: told.phase.kind,
    text: describeGateFacts(gateFactsOf(told, world), world),
  };
}

/** Of closures that are each about some tasks alone, all are told. */
function describeState(world: World): string {
  const telling = listTelling(world);
  const [first] = telling;
  if (first === undefined) return 'open';
  const told = isForAll(first.closure) ? [first] : telling;
  return told
    .map((barrier) => {
      const scope = describeScope(barrier.closure);
      return `${barrier.phase.kind}${scope}: ${describeGateFacts(gateFactsOf(barrier, world), world)}`;
    })
    .join('; ');
}

/** Which tasks the closure is about, where it is not about all. */
function describeScope({ kind, model }: Closure): string {
  if (kind === DEFAULT_MODEL) return ' for tasks without a model of their own';
  return model === undefined ? '' : ` for ${model}`;
}

function findTelling(world: World): Barrier | null {
  return listTelling(world)[0] ?? null;
}

/** What is told of the gate: what concerns all models first, and of that what lasts longest. */
function listTelling({ gate, now, settings }: World): Barrier[] {
  const barriers = gate.closures.flatMap((closure) => {
    const phase = phaseOf(closure, now, settings);
    if (phase.kind === 'open') return [];
    const until = barrierOf(closure, now, settings)?.until;
    return [{ closure, phase, until: until === undefined ? now : until }];
  });
  return barriers.toSorted((one, other) => tellingWeight(other) - tellingWeight(one));
}

function tellingWeight({ closure, until }: Barrier): number {
  return (until ?? FOR_A_PERSON) + (isForAll(closure) ? FOR_A_PERSON : 0);
}

/** Beyond every time. */
const FOR_A_PERSON = 2 ** 48;

/** A closure for programs; `reason` is what Claude Code said. */
export interface GateJson {
  readonly kind: Closure['kind'];
  readonly model: string | null;
  /** Whether a task that it is about may start now. */
  readonly state: 'open' | 'closed';
  readonly phase: Phase['kind'];
  /** The reported reset. */
  readonly until: string | null;
  /** When a task may start next, where that is known. */
  readonly next: string | null;
  /** The task that goes first after the reset. */
  readonly first: TaskRef | null;
  readonly reason: string;
}

/** The account's own gate, all models: of several closures the one that lasts longest. */
export function accountGateAsJson({ gate, now, settings }: World): object {
  const own = barrierForAll(gate, now, settings);
  return own === null
    ? { state: 'open', until: null, reason: 'none' }
    : { state: 'closed', until: isoOrNull(own.closure.until), reason: own.closure.kind };
}

/** Every closure that is remembered. */
export function gatesAsJson({ gate, now, settings }: World): GateJson[] {
  return gate.closures.map((closure) => {
    const phase = phaseOf(closure, now, settings);
    const barrier = barrierOf(closure, now, settings);
    return {
      kind: closure.kind,
      model: closure.model ?? null,
      state: barrier === null ? 'open' : 'closed',
      phase: phase.kind,
      until: isoOrNull(closure.until),
      next: phase.kind === 'half-open' ? null : isoOrNull(barrier?.until ?? null),
      first: phase.kind === 'half-open' ? (phase.trial?.task ?? null) : null,
      reason: closure.message,
    };
  });
}
