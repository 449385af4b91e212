import type { EpochMs } from './epoch';

/** What closes an account's gate until a time. */
export const LIMIT_KINDS = [
  'five_hour',
  'seven_day',
  'seven_day_opus',
  'seven_day_sonnet',
  'seven_day_overage_included',
  'overage',
  'unknown',
] as const;
/** What closes it until a person has acted. */
export const BLOCK_KINDS = ['sign-in', 'billing', 'spend-limit'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];
export type BlockKind = (typeof BLOCK_KINDS)[number];
export type GateKind = LimitKind | BlockKind;

/** A closed gate as one run met it. */
export interface LimitSignal {
  readonly kind: GateKind;
  /** The model family that it covers (`opus`, `sonnet`, `fable`); absent: all models. */
  readonly model?: string;
  /** When the account says that it opens again; null where it did not say. */
  readonly resetAt: EpochMs | null;
  /** As Claude Code said it. */
  readonly message: string;
}

/** How full a window of the account is. */
export interface WindowUsage {
  readonly window: 'five_hour' | 'seven_day';
  /** 0 to 1. */
  readonly utilization: number;
  readonly resetAt: EpochMs;
}

/** One reason for which an account's gate is closed. */
export interface Closure {
  readonly kind: GateKind;
  readonly model?: string;
  readonly since: EpochMs;
  /** The reset; null: until a person has acted. */
  readonly until: EpochMs | null;
  readonly message: string;
}

/** An account's gate: open when no closure is in force. */
export interface GateView {
  readonly closures: readonly Closure[];
  readonly usage: readonly (WindowUsage & { readonly asOf: EpochMs })[];
}

export const OPEN_GATE: GateView = { closures: [], usage: [] };

const PAST_RESET_MS = 60_000;
/** How long a closure that has ended is kept. */
const REMEMBERED_MS = 24 * 3_600_000;
const FARTHEST_RESET_MS = 8 * 24 * 3_600_000;

/** A reported reset that can be true: not more than a minute ago and within eight days; else null. */
export function saneReset(resetAt: EpochMs | null, now: EpochMs): EpochMs | null {
  if (resetAt === null) return null;
  return resetAt >= now - PAST_RESET_MS && resetAt <= now + FARTHEST_RESET_MS ? resetAt : null;
}

/** When a limit is taken to be over: the reported reset, or the fall-back where none can be believed. */
export function resetOf(signal: LimitSignal, now: EpochMs, limitFallbackMs: number): EpochMs {
  return saneReset(signal.resetAt, now) ?? now + limitFallbackMs;
}

/** Whether a person must act before the gate opens again. */
export function needsPerson(kind: GateKind): kind is BlockKind {
  return (BLOCK_KINDS as readonly string[]).includes(kind);
}

/**
 * The gate after a run met `signal`. A closure of the same kind and model is replaced only by one that lasts
 * longer, so that twelve runs that meet one limit make one closure.
 */
export function closeGate(
  gate: GateView,
  signal: LimitSignal,
  now: EpochMs,
  limitFallbackMs: number,
): GateView {
  const until = needsPerson(signal.kind) ? null : resetOf(signal, now, limitFallbackMs);
  const existing = gate.closures.find((c) => c.kind === signal.kind && c.model === signal.model);
  if (existing !== undefined && isInForce(existing, now, 0) && lastsAsLong(existing, until)) return gate;
  const closure: Closure = {
    kind: signal.kind,
    ...(signal.model === undefined ? {} : { model: signal.model }),
    since: now,
    until,
    message: signal.message,
  };
  const others = gate.closures.filter((c) => c !== existing && (c.until ?? now) > now - REMEMBERED_MS);
  return { ...gate, closures: [...others, closure] };
}

function lastsAsLong(closure: Closure, until: EpochMs | null): boolean {
  if (closure.until === null) return true;
  return until !== null && closure.until >= until;
}

/** The gate with newer fill levels. */
export function recordUsage(gate: GateView, usage: readonly WindowUsage[], now: EpochMs): GateView {
  if (usage.length === 0) return gate;
  const kept = gate.usage.filter((old) => !usage.some((fresh) => fresh.window === old.window));
  return { ...gate, usage: [...kept, ...usage.map((fresh) => ({ ...fresh, asOf: now }))] };
}

/** The gate after a person said that what was in the way is mended, or wants to try. */
export function reopenGate(gate: GateView): GateView {
  return { ...gate, closures: [] };
}

/** When work may start again after a closure: a little after the reset; null: when a person has acted. */
export function opensAt(closure: Closure, openAfterResetMs: number): EpochMs | null {
  return closure.until === null ? null : closure.until + openAfterResetMs;
}

function isInForce(closure: Closure, now: EpochMs, openAfterResetMs: number): boolean {
  const opens = opensAt(closure, openAfterResetMs);
  return opens === null || opens > now;
}

/**
 * The closure that keeps a task of `model` from starting; the one that lasts longest where there are several.
 * A task that names no model runs on the account's default, which may be any: every closure covers it.
 */
export function closureFor(
  gate: GateView,
  model: string | undefined,
  now: EpochMs,
  openAfterResetMs: number,
): Closure | null {
  if (gate.closures.length === 0) return null;
  const covering = gate.closures.filter(
    (closure) => isInForce(closure, now, openAfterResetMs) && covers(closure, model),
  );
  const forPerson = covering.find((closure) => closure.until === null);
  if (forPerson !== undefined) return forPerson;
  return covering.reduce<Closure | null>(
    (longest, closure) => ((closure.until ?? 0) > (longest?.until ?? 0) ? closure : longest),
    null,
  );
}

function covers(closure: Closure, model: string | undefined): boolean {
  if (closure.model === undefined || model === undefined) return true;
  return model.toLowerCase().includes(closure.model.toLowerCase());
}
