import type { ProcessIdentity } from '../task/processIdentity';
import type { EpochMs } from '../time/epoch';
import {
  covers,
  findGateBlock,
  isForAll,
  isWithinWindow,
  openBefore,
  passesByItself,
  type GateBlock,
  type GateView,
  type LimitSignal,
  type ModelChoice,
  type Starter,
  type Probe,
} from './limits';
import type { Settings } from '../settings/settings';

/** What of the settings a gate goes by. */
export type GateRules = Pick<Settings, 'limitFallback' | 'openAfterReset' | 'openStagger'>;

/**
 * How far a block has come: closed until its reset; half-open, when one task goes first; staggered, when runs start one
 * after another; open, when it is only remembered.
 */
export type Phase =
  | { readonly kind: 'closed'; readonly until: EpochMs | null }
  | { readonly kind: 'half-open'; readonly trial: Probe | null }
  | { readonly kind: 'staggered'; readonly nextAt: EpochMs }
  | { readonly kind: 'open' };

/** How long runs start apart after somebody was let through. */
const STAGGERED_PHASE_MS = 5 * 60_000;
/** How long the probe may say nothing. */
const TRIAL_MS = 10 * 60_000;
/** The longest break before what nobody told the end of is tried again. */
export const LONGEST_BREAK_MS = 15 * 60_000;
/** Two looks at one clock may be told in another order than they were made. */
const CLOCK_ORDER_MS = 60_000;

/** When work may start again after a block: a little after the reset; null: when the user has acted. */
export function opensAt(block: GateBlock, openAfterResetMs: number): EpochMs | null {
  if (block.until === null) return null;
  return passesByItself(block.kind) ? block.until : block.until + openAfterResetMs;
}

/** How far the block has come. */
export function phaseOf(block: GateBlock, now: EpochMs, rules: GateRules): Phase {
  const { proven, trial } = block;
  if (proven !== undefined) {
    const isOver = now < proven.at - CLOCK_ORDER_MS || now >= proven.at + STAGGERED_PHASE_MS;
    return isOver ? { kind: 'open' } : { kind: 'staggered', nextAt: nextAfter(proven.begunAt, now, rules) };
  }
  const until = opensAt(block, rules.openAfterReset);
  if (isClosed(block, until, now) && !isImplausibleReset(block, now, rules)) return { kind: 'closed', until };
  return { kind: 'half-open', trial: trial !== undefined && isLive(trial, now) ? trial : null };
}

/** What started in the future started before the clock was set back: of such a time nothing can be made. */
function isClosed({ probed, since }: GateBlock, until: EpochMs | null, now: EpochMs): boolean {
  if (probed === true) return false;
  return until === null || (until > now && since <= now + CLOCK_ORDER_MS);
}

/** Whether the block's reset is farther ahead than can be, as after a clock was set back: it is not believed. */
export function isImplausibleReset(
  { kind, until, guessed }: GateBlock,
  now: EpochMs,
  { limitFallback }: Pick<GateRules, 'limitFallback'>,
): boolean {
  if (until === null) return false;
  if (passesByItself(kind)) return until - now > LONGEST_BREAK_MS + CLOCK_ORDER_MS;
  if (guessed !== true) return !isWithinWindow(kind, until, now);
  return until - now > Math.max(limitFallback, LONGEST_BREAK_MS) + CLOCK_ORDER_MS;
}

function isLive({ at }: Probe, now: EpochMs): boolean {
  return Math.abs(now - at) < TRIAL_MS;
}

function nextAfter(begunAt: EpochMs, now: EpochMs, { openStagger }: GateRules): EpochMs {
  return begunAt > now + CLOCK_ORDER_MS ? now : begunAt + openStagger;
}

/** What keeps a task from starting: the block, how far it has come, and when that changes by itself. */
export interface BlockedBy {
  readonly block: GateBlock;
  readonly phase: Exclude<Phase, { readonly kind: 'open' }>;
  /** Null: when the user has acted. */
  readonly until: EpochMs | null;
}

/** What keeps a task from starting now; of several blocks the one that lasts longest. */
export function findBlockFor(
  gate: GateView,
  task: ModelChoice,
  now: EpochMs,
  rules: GateRules,
): BlockedBy | null {
  if (gate.closures.length === 0) return null;
  return longestOf(
    gate.closures.filter((block) => covers(gate, block, task)),
    now,
    rules,
  );
}

/** What keeps every task from starting, whichever its model. */
export function findBlockForAll(gate: GateView, now: EpochMs, rules: GateRules): BlockedBy | null {
  if (gate.closures.length === 0) return null;
  return longestOf(gate.closures.filter(isForAll), now, rules);
}

function longestOf(closures: readonly GateBlock[], now: EpochMs, rules: GateRules): BlockedBy | null {
  let longest: BlockedBy | null = null;
  for (const block of closures) {
    const blockedBy = evaluateBlock(block, now, rules);
    if (blockedBy !== null && (longest === null || endOf(blockedBy) > endOf(longest))) longest = blockedBy;
  }
  return longest;
}

function endOf({ until }: BlockedBy): number {
  return until ?? Infinity;
}

/** What a block is in the way of now; null: of nothing, a task may start. */
export function evaluateBlock(block: GateBlock, now: EpochMs, rules: GateRules): BlockedBy | null {
  const phase = phaseOf(block, now, rules);
  switch (phase.kind) {
    case 'closed':
      return { block, phase, until: phase.until };
    case 'half-open':
      return phase.trial === null ? null : { block, phase, until: phase.trial.at + TRIAL_MS };
    case 'staggered':
      return phase.nextAt <= now ? null : { block, phase, until: phase.nextAt };
    case 'open':
      return null;
  }
}

/** Whether the gate is closed for what the signal tells. */
export function isClosedBy(gate: GateView, signal: LimitSignal, now: EpochMs, rules: GateRules): boolean {
  const block = findGateBlock(gate, signal);
  return block !== undefined && phaseOf(block, now, rules).kind === 'closed';
}

/** Whether nothing has to be asked before a run starts. */
export function isFullyOpen(gate: GateView, now: EpochMs, rules: GateRules): boolean {
  return gate.closures.every((block) => phaseOf(block, now, rules).kind === 'open');
}

/**
 * The gate with a run on its way: as the one that goes first, or as the next one after that. Null: it may not start now.
 * Nothing but this gives a run its turn, so anyone who keeps the gate must not let two ask at once.
 */
export function admitRun(gate: GateView, starter: Starter, now: EpochMs, rules: GateRules): GateView | null {
  const concerned = gate.closures.filter((block) => covers(gate, block, starter));
  if (longestOf(concerned, now, rules) !== null) return null;
  const passed = new Map(concerned.map((block) => [block, passThrough(block, starter, now, rules)]));
  if ([...passed].every(([before, after]) => before === after)) return gate;
  return { ...gate, closures: gate.closures.map((block) => passed.get(block) ?? block) };
}

function passThrough(block: GateBlock, starter: Starter, now: EpochMs, rules: GateRules): GateBlock {
  const { kind } = phaseOf(block, now, rules);
  if (kind === 'half-open') {
    const { task, worker, process } = starter;
    return { ...block, trial: { task, worker, process, at: now } };
  }
  if (kind !== 'staggered' || block.proven === undefined) return block;
  return { ...block, proven: { ...block.proven, begunAt: now } };
}

/** The gate without those that were to go first, and that say nothing or have died: the worker, and the run it started. */
export function dropVoidProbes(
  gate: GateView,
  now: EpochMs,
  isAlive: (process: ProcessIdentity) => boolean,
): GateView {
  const isThere = ({ process, run }: Probe): boolean =>
    isAlive(process) || (run !== undefined && isAlive(run));
  const isVoid = ({ trial }: GateBlock): boolean =>
    trial !== undefined && !(isLive(trial, now) && isThere(trial));
  if (!gate.closures.some(isVoid)) return gate;
  return {
    ...gate,
    closures: gate.closures.map((block) => (isVoid(block) ? withoutProbe(block) : block)),
  };
}

/** The block when nobody goes first. */
export function withoutProbe({ trial: _over, ...block }: GateBlock): GateBlock {
  return block;
}

/** The gate when the user lets one task try now, whatever the account said about the reset. */
export function probeGate(gate: GateView, now: EpochMs, rules: GateRules): GateView {
  const closed = gate.closures.filter((block) => phaseOf(block, now, rules).kind === 'closed');
  const probe = (block: GateBlock): GateBlock =>
    closed.includes(block) ? { ...block, probed: true } : block;
  return openBefore({ ...gate, closures: gate.closures.map(probe) }, closed);
}
