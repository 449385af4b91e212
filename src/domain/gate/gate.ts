import type { ProcessIdentity } from '../task/processIdentity';
import type { EpochMs } from '../time/epoch';
import type { TaskId } from '../task/task';

/** Usage limits: they close an account's gate until a reset. */
export const LIMIT_KINDS = [
  'five_hour',
  'seven_day',
  'seven_day_opus',
  'seven_day_sonnet',
  'seven_day_overage_included',
  'overage',
  'unknown',
] as const;
/** Kind of block for a default model that cannot be used. It applies only to rows that run on that model by default. */
export const DEFAULT_MODEL = 'default-model';
/** Causes that need the user's action. */
export const USER_ACTION_KINDS = ['sign-in', 'billing', 'spend-limit', DEFAULT_MODEL] as const;
/** Causes that pass by themselves at an unknown time. One task tries again, after longer and longer intervals. */
export const PASSING_KINDS = ['offline', 'throttle', 'overload'] as const;
/** Causes on one machine: its sign-in, its settings, its network. Others may use the same account. */
export const MACHINE_KINDS: readonly string[] = ['sign-in', DEFAULT_MODEL, 'offline'];
export type LimitKind = (typeof LIMIT_KINDS)[number];
export type BlockKind = (typeof USER_ACTION_KINDS)[number];
export type PassingKind = (typeof PASSING_KINDS)[number];
export type GateKind = LimitKind | BlockKind | PassingKind;

/** A closed gate as one run reported it. */
export interface LimitSignal {
  readonly kind: GateKind;
  /**
   * Model family that it covers (`opus`, `sonnet`, `fable`); absent: all models. For kind `default-model`: the model's
   * name, where the run reported it.
   */
  readonly model?: string;
  /** Reset that the account reported; null: none. */
  readonly resetAt: EpochMs | null;
  /** Message of Claude Code. */
  readonly message: string;
  /** The user can reset this limit with a command of Claude Code, which reports that to no other program. */
  readonly resettable?: true;
}

/** Fill level of one of the account's usage windows. */
export interface WindowUsage {
  readonly window: 'five_hour' | 'seven_day';
  /** 0 to 1. */
  readonly utilization: number;
  readonly resetAt: EpochMs;
}

/** Names a task among all queues of an account. */
export interface TaskRef {
  /** Path of the queue's file, or another text that identifies the queue. */
  readonly queue: string;
  readonly id: TaskId;
}

/** Fields that determine the model of a run. */
export interface ModelChoice {
  /** Model that the row names; absent: the default of its directory. */
  readonly model?: string;
  readonly workingDir?: string;
}

/** A task that a worker is about to start. */
export interface Starter extends ModelChoice {
  readonly task: TaskRef;
  readonly worker: string;
  /** Machine of the process; absent in gates that an earlier version stored: this one. */
  readonly machine?: string;
  readonly process: ProcessIdentity;
}

/** The first run after a reset, which finds out whether requests pass. */
export interface Probe extends Pick<Starter, 'task' | 'worker' | 'machine' | 'process'> {
  readonly at: EpochMs;
  /** Process of the run, once it exists. It may continue although its worker has died. */
  readonly run?: ProcessIdentity;
}

/** A reason why an account's gate is closed. Persisted: field names are part of the file format. */
export interface GateBlock {
  readonly kind: GateKind;
  readonly model?: string;
  /** In a gate that machines share: the machine that it is for; absent: all. */
  readonly machine?: string;
  readonly since: EpochMs;
  /** Reported reset, or the next try; null: it lasts until the user acts. `opensAt` adds a margin to a reset. */
  readonly until: EpochMs | null;
  readonly message: string;
  /** The user may have reset it since then: Claude Code does not report that. */
  readonly resettable?: true;
  /** `until` is a guess: no credible reset was reported. */
  readonly guessed?: true;
  /** Met by a run of unknown model: its row leaves the model to the default, and the run reported none. */
  readonly ofDefault?: true;
  /** Number of times in a row that a probe met it again. */
  readonly again?: number;
  /** The user opened it before the reset: the next task that starts is the probe. */
  readonly probed?: true;
  /** The probe that runs now, or ran last. */
  readonly trial?: Probe;
  /** Set once a probe was let through: at `at`. `begunAt` is the latest start of an attempt since then. */
  readonly proven?: { readonly at: EpochMs; readonly begunAt: EpochMs };
}

/** An account's gate: open when no block is in force. */
export interface GateView {
  /** Blocks, also those that are open by now and only remembered. */
  readonly closures: readonly GateBlock[];
  readonly usage: readonly (WindowUsage & { readonly asOf: EpochMs })[];
  /** Models of the last runs whose row names none: of one in an unknown directory, and of each known directory. */
  readonly defaultModel?: string;
  readonly defaultModels?: Readonly<Record<string, string>>;
  /** Last overload that did not close the gate; absent once a run was let through. */
  readonly overloaded?: { readonly at: EpochMs };
  /**
   * Latest reset that was not waited for. No task waits for a reset up to this time any more; the blocks decide
   * instead.
   */
  readonly openedBefore?: EpochMs;
}

export const OPEN_GATE: GateView = { closures: [], usage: [] };

/** Greatest age of a reported reset, in ms; an older one is ignored. */
export const PAST_RESET_MS = 30 * 60_000;
const FARTHEST_RESET_MS = 8 * 24 * 3_600_000;

const HOUR_MS = 3_600_000;
/** Longest credible time until the reset of each limit, with a margin for clocks that differ. */
const LONGEST_WAIT_MS: Readonly<Record<LimitKind, number>> = {
  five_hour: 6 * HOUR_MS,
  seven_day: FARTHEST_RESET_MS,
  seven_day_opus: FARTHEST_RESET_MS,
  seven_day_sonnet: FARTHEST_RESET_MS,
  seven_day_overage_included: FARTHEST_RESET_MS,
  overage: 32 * 24 * HOUR_MS,
  unknown: FARTHEST_RESET_MS,
};

/** Whether the reset of a limit of this kind can be at `until`. If not, a clock was or is wrong. */
export function isWithinWindow(kind: GateKind, until: EpochMs, now: EpochMs): boolean {
  const longest = longestWaitOf(kind);
  return longest === undefined || until - now <= longest;
}

function longestWaitOf(kind: GateKind): number | undefined {
  const limit = LIMIT_KINDS.find((one) => one === kind);
  return limit === undefined ? undefined : LONGEST_WAIT_MS[limit];
}

/**
 * Returns the reported reset of a limit if it can be true: at most half an hour ago and within eight days, or as long as
 * that limit lasts. Else null.
 */
export function saneReset(kind: GateKind, resetAt: EpochMs | null, now: EpochMs): EpochMs | null {
  if (resetAt === null) return null;
  const longest = Math.max(FARTHEST_RESET_MS, longestWaitOf(kind) ?? 0);
  return resetAt >= now - PAST_RESET_MS && resetAt <= now + longest ? resetAt : null;
}

/** Whether this kind needs the user's action before the gate opens again. */
export function needsUser(kind: GateKind): kind is BlockKind {
  return (USER_ACTION_KINDS as readonly string[]).includes(kind);
}

/** Whether this kind passes by itself at an unknown time. */
export function passesByItself(kind: GateKind): kind is PassingKind {
  return (PASSING_KINDS as readonly string[]).includes(kind);
}

/** Returns the block with the signal's kind and model; undefined: none. */
export function findGateBlock(
  gate: GateView,
  { kind, model }: Pick<LimitSignal, 'kind' | 'model'>,
): GateBlock | undefined {
  return gate.closures.find((block) => block.kind === kind && block.model === model);
}

/** Returns the gate with newer fill levels. */
export function recordUsage(gate: GateView, usage: readonly WindowUsage[], now: EpochMs): GateView {
  if (usage.length === 0) return gate;
  const kept = gate.usage.filter((old) => !usage.some((fresh) => fresh.window === old.window));
  return { ...gate, usage: [...kept, ...usage.map((fresh) => ({ ...fresh, asOf: now }))] };
}

/** Returns the gate after the user confirmed that the cause is fixed. */
export function reopenGate({ overloaded: _forgotten, ...gate }: GateView): GateView {
  return forgetResets({ ...gate, closures: [] }, gate.closures);
}

/** Returns the gate in which no task waits for the resets of these blocks any more. */
export function forgetResets(gate: GateView, closures: readonly GateBlock[]): GateView {
  const openedBefore = Math.max(gate.openedBefore ?? 0, ...closures.map(({ until }) => until ?? 0));
  return openedBefore <= (gate.openedBefore ?? 0) ? gate : { ...gate, openedBefore };
}

/**
 * Whether the block applies to a task. A task without a model runs on the default of its directory. If that default is
 * unknown, the block applies in two cases: all known defaults are of its model family, or a run of unknown model met
 * it.
 */
export function covers(gate: GateView, block: GateBlock, choice: ModelChoice): boolean {
  if (isForAll(block)) return true;
  if (block.kind === DEFAULT_MODEL) return isOnDefault(gate, block, choice);
  return block.model === undefined || isOnFamily(gate, block, block.model, choice);
}

/** Whether the block applies to every task, regardless of its model. */
export function isForAll({ kind, model }: Pick<GateBlock, 'kind' | 'model'>): boolean {
  return model === undefined && kind !== DEFAULT_MODEL;
}

/**
 * Whether a row runs on the default model that cannot be used. A row that says `default` does not: Claude Code takes
 * the account's own default for that word, regardless of the settings. A row whose directory has another default does
 * not either.
 */
function isOnDefault(
  { defaultModels = {} }: GateView,
  block: GateBlock,
  { model, workingDir }: ModelChoice,
): boolean {
  if (model !== undefined) return false;
  const own = workingDir === undefined ? undefined : defaultModels[workingDir];
  return own === undefined || block.model === undefined || own === block.model;
}

function isOnFamily(
  gate: GateView,
  block: GateBlock,
  family: string,
  { model, workingDir }: ModelChoice,
): boolean {
  if (model !== undefined && !isDefault(model)) return isOfFamily(model, family);
  const { defaultModel, defaultModels = {} } = gate;
  const own = workingDir === undefined ? undefined : defaultModels[workingDir];
  if (own !== undefined) return isOfFamily(own, family);
  if (block.ofDefault === true) return true;
  const known = [...Object.values(defaultModels), ...(defaultModel === undefined ? [] : [defaultModel])];
  return known.length > 0 && known.every((each) => isOfFamily(each, family));
}

/** Whether a row leaves the model to the default: it names none, or `default`. */
export function isDefault(model: string | undefined): boolean {
  return model === undefined || model === 'default';
}

/** Whether the name or alias of a model belongs to this family. */
export function isOfFamily(model: string, family: string): boolean {
  return model.toLowerCase().includes(family.toLowerCase());
}
