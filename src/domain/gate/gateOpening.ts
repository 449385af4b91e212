import type { EpochMs } from '../time/epoch';
import {
  covers,
  findGateBlock,
  isForAll,
  isWithinWindow,
  forgetResets,
  passesByItself,
  type GateBlock,
  type GateView,
  type LimitSignal,
  type ModelChoice,
  type Starter,
  type Probe,
} from './gate';
import { isLive, PROBE_TIMEOUT_MS } from './probe';
import type { Settings } from '../settings/settings';
import type { Circumstances } from '../task/decide';

/** Settings that a gate follows. */
export type GateRules = Pick<Settings, 'limitFallback' | 'openAfterReset' | 'openStagger'>;

/**
 * Phase of a block. Closed: until its reset. Half-open: one task, the probe, starts. Staggered: attempts start one
 * after another. Open: the block is only remembered.
 */
export type Phase =
  | { readonly kind: 'closed'; readonly opensAt: EpochMs | null }
  | { readonly kind: 'half-open'; readonly probe: Probe | null }
  | { readonly kind: 'staggered'; readonly nextAt: EpochMs }
  | { readonly kind: 'open' };

/** Duration of the staggered phase after a probe succeeded. */
const STAGGERED_PHASE_MS = 5 * 60_000;
/** Longest retry interval for causes without a known reset. */
export const LONGEST_RETRY_INTERVAL_MS = 15 * 60_000;
/** Tolerance for timestamps of concurrent processes. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Returns when attempts may start after a block: at its reset plus `openAfterReset`, or at its next try if its kind
 * passes by itself. Null: at no time; only the user's action opens it.
 */
export function opensAt(block: GateBlock, openAfterResetMs: number): EpochMs | null {
  if (block.until === null) return null;
  return passesByItself(block.kind) ? block.until : block.until + openAfterResetMs;
}

/** Returns the phase of a block. */
export function phaseOf(block: GateBlock, now: EpochMs, rules: GateRules): Phase {
  const { proven, trial } = block;
  if (proven !== undefined) {
    const isOver = now < proven.at - CLOCK_TOLERANCE_MS || now >= proven.at + STAGGERED_PHASE_MS;
    return isOver ? { kind: 'open' } : { kind: 'staggered', nextAt: nextAfter(proven.begunAt, now, rules) };
  }
  const end = opensAt(block, rules.openAfterReset);
  if (isBeforeEnd(block, end, now) && !isImplausibleReset(block, now, rules)) {
    return { kind: 'closed', opensAt: end };
  }
  return { kind: 'half-open', probe: trial !== undefined && isLive(trial, now) ? trial : null };
}

/**
 * Whether the block's end is still ahead and the user did not open it early. A block that starts in the future means
 * the clock was set back; ignore it.
 */
function isBeforeEnd({ probed, since }: GateBlock, end: EpochMs | null, now: EpochMs): boolean {
  if (probed === true) return false;
  return end === null || (end > now && since <= now + CLOCK_TOLERANCE_MS);
}

/**
 * Whether the block's reset is farther ahead than its kind allows, as after a clock was set back. Such a reset is
 * ignored.
 */
export function isImplausibleReset(
  { kind, until, guessed }: GateBlock,
  now: EpochMs,
  { limitFallback }: Pick<GateRules, 'limitFallback'>,
): boolean {
  if (until === null) return false;
  if (passesByItself(kind)) return until - now > LONGEST_RETRY_INTERVAL_MS + CLOCK_TOLERANCE_MS;
  if (guessed !== true) return !isWithinWindow(kind, until, now);
  return until - now > Math.max(limitFallback, LONGEST_RETRY_INTERVAL_MS) + CLOCK_TOLERANCE_MS;
}

function nextAfter(startedAt: EpochMs, now: EpochMs, { openStagger }: GateRules): EpochMs {
  return startedAt > now + CLOCK_TOLERANCE_MS ? now : startedAt + openStagger;
}

/** A block that keeps a task from starting, its phase, and when that changes by itself. */
export interface BlockedBy {
  readonly block: GateBlock;
  readonly phase: Exclude<Phase, { readonly kind: 'open' }>;
  /** Null: only the user's action changes it. */
  readonly until: EpochMs | null;
}

/** Returns the block that keeps a task from starting now; of several, the one that ends last. Null: none. */
export function findBlockFor(
  gate: GateView,
  task: ModelChoice,
  now: EpochMs,
  rules: GateRules,
): BlockedBy | null {
  if (gate.closures.length === 0) return null;
  return findLongest(
    gate.closures.filter((block) => covers(gate, block, task)),
    now,
    rules,
  );
}

/** Returns the block that keeps every task from starting, regardless of its model. Null: none. */
export function findBlockForAll(gate: GateView, now: EpochMs, rules: GateRules): BlockedBy | null {
  if (gate.closures.length === 0) return null;
  return findLongest(gate.closures.filter(isForAll), now, rules);
}

function findLongest(closures: readonly GateBlock[], now: EpochMs, rules: GateRules): BlockedBy | null {
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

/** Returns the block with its phase if it keeps a task from starting now. Null: it does not. */
export function evaluateBlock(block: GateBlock, now: EpochMs, rules: GateRules): BlockedBy | null {
  const phase = phaseOf(block, now, rules);
  switch (phase.kind) {
    case 'closed':
      return { block, phase, until: phase.opensAt };
    case 'half-open':
      return phase.probe === null ? null : { block, phase, until: phase.probe.at + PROBE_TIMEOUT_MS };
    case 'staggered':
      return phase.nextAt <= now ? null : { block, phase, until: phase.nextAt };
    case 'open':
      return null;
  }
}

/** Whether the block with the signal's kind and model is in its closed phase. */
export function isClosedBy(gate: GateView, signal: LimitSignal, now: EpochMs, rules: GateRules): boolean {
  const block = findGateBlock(gate, signal);
  return block !== undefined && phaseOf(block, now, rules).kind === 'closed';
}

/** Returns whether the gate is closed for the signal of an attempt that ended, and until when. Undefined: it had none. */
export function closedGateFor(
  gate: GateView,
  signal: LimitSignal | undefined,
  now: EpochMs,
  rules: GateRules,
): Pick<Circumstances, 'isGateClosed' | 'closedUntil'> {
  if (signal === undefined || !isClosedBy(gate, signal, now, rules)) return { isGateClosed: false };
  const until = findGateBlock(gate, signal)?.until ?? null;
  return { isGateClosed: true, ...(until === null ? {} : { closedUntil: until }) };
}

/** Whether every block is in its open phase, so that an attempt needs no admission. */
export function isFullyOpen(gate: GateView, now: EpochMs, rules: GateRules): boolean {
  return gate.closures.every((block) => phaseOf(block, now, rules).kind === 'open');
}

/**
 * Returns the gate after it admitted an attempt: as the probe of half-open blocks, or as the latest start in staggered
 * ones. Null: the attempt may not start now.
 * Call under the gate's lock.
 */
export function admitAttempt(
  gate: GateView,
  starter: Starter,
  now: EpochMs,
  rules: GateRules,
): GateView | null {
  const concerned = gate.closures.filter((block) => covers(gate, block, starter));
  if (findLongest(concerned, now, rules) !== null) return null;
  const passed = new Map(concerned.map((block) => [block, passThrough(block, starter, now, rules)]));
  if ([...passed].every(([before, after]) => before === after)) return gate;
  return { ...gate, closures: gate.closures.map((block) => passed.get(block) ?? block) };
}

function passThrough(block: GateBlock, starter: Starter, now: EpochMs, rules: GateRules): GateBlock {
  const { kind } = phaseOf(block, now, rules);
  if (kind === 'half-open') {
    const { task, worker, machine, process } = starter;
    const place = machine === undefined ? { process } : { machine, process };
    return { ...block, trial: { task, worker, ...place, at: now } };
  }
  if (kind !== 'staggered' || block.proven === undefined) return block;
  return { ...block, proven: { ...block.proven, begunAt: now } };
}

/** Returns the gate after the user opened it before the reported reset: the next task that starts is the probe. */
export function openEarly(gate: GateView, now: EpochMs, rules: GateRules): GateView {
  const closed = gate.closures.filter((block) => phaseOf(block, now, rules).kind === 'closed');
  const open = (block: GateBlock): GateBlock => (closed.includes(block) ? { ...block, probed: true } : block);
  return forgetResets({ ...gate, closures: gate.closures.map(open) }, closed);
}
