import { countStarts } from '../domain/budget';
import { formatDuration } from '../domain/duration';
import type { World } from '../domain/explain';
import { describeClosure } from '../domain/explainQueue';
import { type Closure, closureFor, type GateView, opensAt } from '../domain/limits';
import { tellTime } from '../domain/moment';
import type { EpochMs } from '../domain/epoch';

/** ISO 8601, or null. */
export function isoOrNull(at: EpochMs | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** One sentence about the gate. */
export function describeGate(gate: GateView, world: World): string {
  const closure = closureFor(gate, undefined, world.now, world.settings.openAfterReset);
  const { hour, day } = countStarts(world.queue.starts, world.now);
  const budget = `${String(hour)} of ${String(world.settings.maxPerHour)} attempts this hour, ${String(day)} of ${String(world.settings.maxPerDay)} today.`;
  const whom = closure?.model === undefined ? '' : ` for ${closure.model}`;
  const state = closure === null ? 'open' : `closed${whom}: ${describeClosure(closure, world)}`;
  return `The gate is ${state}; ${budget}`;
}

/** What the last runs told of the account's windows, a line each. */
export function describeUsage(gate: GateView, world: World): string[] {
  return gate.usage.map(({ window, utilization, resetAt, asOf }) => {
    const name = window === 'five_hour' ? '5-hour window' : 'weekly window';
    const share = `${String(Math.round(utilization * 100))} % used`;
    return `${name}: ${share}, resets ${tellTime(resetAt, world)} (told ${formatDuration(world.now - asOf)} ago)`;
  });
}

/** A closure for programs; `reason` is what Claude Code said. */
export interface GateJson {
  readonly kind: Closure['kind'];
  readonly model: string | null;
  readonly state: 'open' | 'closed';
  readonly until: string | null;
  readonly reason: string;
}

/** The account's own gate, all models: of several closures the one that lasts longest. */
export function accountGateAsJson(gate: GateView, { now, settings }: World): object {
  const closures = gate.closures.filter(({ model }) => model === undefined);
  const own = closureFor({ ...gate, closures }, undefined, now, settings.openAfterReset);
  return own === null
    ? { state: 'open', until: null, reason: 'none' }
    : { state: 'closed', until: isoOrNull(own.until), reason: own.kind };
}

/** Every closure that is remembered. */
export function gatesAsJson(gate: GateView, { now, settings }: World): GateJson[] {
  return gate.closures.map((closure) => {
    const opens = opensAt(closure, settings.openAfterReset);
    return {
      kind: closure.kind,
      model: closure.model ?? null,
      state: opens !== null && opens <= now ? 'open' : 'closed',
      until: isoOrNull(closure.until),
      reason: closure.message,
    };
  });
}

/** Attempts against the budget, and the fill levels of the account's windows. */
export function usageAsJson(gate: GateView, { queue, now, settings }: World): object {
  const { hour, day } = countStarts(queue.starts, now);
  return {
    attempts: { hour, maxPerHour: settings.maxPerHour, day, maxPerDay: settings.maxPerDay },
    windows: gate.usage.map(({ window, utilization, resetAt, asOf }) => ({
      window,
      utilization,
      resetAt: isoOrNull(resetAt),
      asOf: isoOrNull(asOf),
    })),
  };
}
