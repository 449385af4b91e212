import type { ProcessIdentity } from '../task/processIdentity';
import type { EpochMs } from '../time/epoch';
import type { TaskId } from '../task/task';

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
/** The model that rows without one of their own run on cannot be used: other rows are not concerned. */
export const DEFAULT_MODEL = 'default-model';
/** What closes it until the user has acted. */
export const USER_ACTION_KINDS = ['sign-in', 'billing', 'spend-limit', DEFAULT_MODEL] as const;
/** What passes by itself, nobody says when: it is tried again, by one task, after longer and longer breaks. */
export const PASSING_KINDS = ['offline', 'throttle', 'overload'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];
export type BlockKind = (typeof USER_ACTION_KINDS)[number];
export type PassingKind = (typeof PASSING_KINDS)[number];
export type GateKind = LimitKind | BlockKind | PassingKind;

/** A closed gate as one run met it. */
export interface LimitSignal {
  readonly kind: GateKind;
  /**
   * The model family that it covers (`opus`, `sonnet`, `fable`); absent: all models. Of kind `default-model`: the name of
   * that model, where the run told it.
   */
  readonly model?: string;
  /** When the account says that it opens again; null where it did not say. */
  readonly resetAt: EpochMs | null;
  /** As Claude Code said it. */
  readonly message: string;
  /** The user can reset this limit with a command of Claude Code's, which reports it to nobody else. */
  readonly resettable?: true;
}

/** How full a window of the account is. */
export interface WindowUsage {
  readonly window: 'five_hour' | 'seven_day';
  /** 0 to 1. */
  readonly utilization: number;
  readonly resetAt: EpochMs;
}

/** Names a task among all queues of an account. */
export interface TaskRef {
  /** Path of the queue's file, or whatever else tells one queue from another. */
  readonly queue: string;
  readonly id: TaskId;
}

/** What of a run tells which model it is on. */
export interface ModelChoice {
  /** As its row names it; absent: it runs on the default of its directory. */
  readonly model?: string;
  readonly workingDir?: string;
}

/** A task of a worker's that is about to run. */
export interface Starter extends ModelChoice {
  readonly task: TaskRef;
  readonly worker: string;
  readonly process: ProcessIdentity;
}

/** The run that goes first after a reset. */
export interface Probe extends Pick<Starter, 'task' | 'worker' | 'process'> {
  readonly at: EpochMs;
  /** The run itself, once there is one: it may continue although its worker has died. */
  readonly run?: ProcessIdentity;
}

/** One reason for which an account's gate is closed. */
export interface GateBlock {
  readonly kind: GateKind;
  readonly model?: string;
  readonly since: EpochMs;
  /** The reset; null: until the user has acted. */
  readonly until: EpochMs | null;
  readonly message: string;
  /** The user may have reset it since: nobody would know. */
  readonly resettable?: true;
  /** Nobody told `until`, or not so that it can be believed. */
  readonly guessed?: true;
  /** A run met it whose row names no model, and which did not say itself what it ran on. */
  readonly ofDefault?: true;
  /** How often in a row the probe met it again. */
  readonly again?: number;
  /** The user lets one task try before the reset. */
  readonly probed?: true;
  /** Who goes first after the reset. */
  readonly trial?: Probe;
  /** Since when it is known that the account lets requests through again, and when a run last started after that. */
  readonly proven?: { readonly at: EpochMs; readonly begunAt: EpochMs };
}

/** An account's gate: open when no block is in force. */
export interface GateView {
  readonly closures: readonly GateBlock[];
  readonly usage: readonly (WindowUsage & { readonly asOf: EpochMs })[];
  /** What rows that name no model run on, as the last such run said: of any directory, and of each. */
  readonly defaultModel?: string;
  readonly defaultModels?: Readonly<Record<string, string>>;
  /** When a run met an overload last, as long as nobody has been let through since. */
  readonly overloaded?: { readonly at: EpochMs };
  /** The latest reset that was not waited for: a task's own wait for one up to then is over, the blocks tell more. */
  readonly openedBefore?: EpochMs;
}

export const OPEN_GATE: GateView = { closures: [], usage: [] };

/** A reset this long ago is told late; an earlier one tells nothing. */
const PAST_RESET_MS = 30 * 60_000;
const FARTHEST_RESET_MS = 8 * 24 * 3_600_000;

const HOUR_MS = 3_600_000;
/** How far ahead a reset of each limit can be, with an hour for clocks that differ. */
const LONGEST_WAIT_MS: Readonly<Record<LimitKind, number>> = {
  five_hour: 6 * HOUR_MS,
  seven_day: FARTHEST_RESET_MS,
  seven_day_opus: FARTHEST_RESET_MS,
  seven_day_sonnet: FARTHEST_RESET_MS,
  seven_day_overage_included: FARTHEST_RESET_MS,
  overage: 32 * 24 * HOUR_MS,
  unknown: FARTHEST_RESET_MS,
};

/** Whether a limit of this kind can have its reset so far ahead. Where it cannot, a clock was or is wrong. */
export function isWithinWindow(kind: GateKind, until: EpochMs, now: EpochMs): boolean {
  const longest = LIMIT_KINDS.find((limit) => limit === kind);
  return longest === undefined || until - now <= LONGEST_WAIT_MS[longest];
}

/** A reported reset that can be true: not more than half an hour ago and within eight days; else null. */
export function saneReset(resetAt: EpochMs | null, now: EpochMs): EpochMs | null {
  if (resetAt === null) return null;
  return resetAt >= now - PAST_RESET_MS && resetAt <= now + FARTHEST_RESET_MS ? resetAt : null;
}

/** Whether the user must act before the gate opens again. */
export function needsPerson(kind: GateKind): kind is BlockKind {
  return (USER_ACTION_KINDS as readonly string[]).includes(kind);
}

/** Whether it passes by itself, and nobody says when. */
export function passesByItself(kind: GateKind): kind is PassingKind {
  return (PASSING_KINDS as readonly string[]).includes(kind);
}

/** The block that this signal made, or would make. */
export function findGateBlock(
  gate: GateView,
  { kind, model }: Pick<LimitSignal, 'kind' | 'model'>,
): GateBlock | undefined {
  return gate.closures.find((block) => block.kind === kind && block.model === model);
}

/** The gate with newer fill levels. */
export function recordUsage(gate: GateView, usage: readonly WindowUsage[], now: EpochMs): GateView {
  if (usage.length === 0) return gate;
  const kept = gate.usage.filter((old) => !usage.some((fresh) => fresh.window === old.window));
  return { ...gate, usage: [...kept, ...usage.map((fresh) => ({ ...fresh, asOf: now }))] };
}

/** The gate after the user said that what was in the way is fixed. */
export function reopenGate({ overloaded: _forgotten, ...gate }: GateView): GateView {
  return openBefore({ ...gate, closures: [] }, gate.closures);
}

/** The gate with nobody waiting for the resets of these blocks any more. */
export function openBefore(gate: GateView, closures: readonly GateBlock[]): GateView {
  const openedBefore = Math.max(gate.openedBefore ?? 0, ...closures.map(({ until }) => until ?? 0));
  return openedBefore <= (gate.openedBefore ?? 0) ? gate : { ...gate, openedBefore };
}

/**
 * Whether the block is about a task. One that names no model runs on the default of its directory. Where that is not
 * known, it is covered if all defaults that are known are of this model, or a run of an unknown default met the block.
 */
export function covers(gate: GateView, block: GateBlock, choice: ModelChoice): boolean {
  if (isForAll(block)) return true;
  if (block.kind === DEFAULT_MODEL) return isOnDefault(gate, block, choice);
  return block.model === undefined || isOnFamily(gate, block, block.model, choice);
}

/** Whether the block is about every task, whichever its model. */
export function isForAll({ kind, model }: Pick<GateBlock, 'kind' | 'model'>): boolean {
  return model === undefined && kind !== DEFAULT_MODEL;
}

/**
 * Whether a row runs on the default model that cannot be used. One that says `default` does not: Claude Code takes the
 * account's own default for that word, whatever the settings name. Nor does one whose directory has another default.
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

/** Whether a row leaves the model to the default: it may say so in a word. */
export function isDefault(model: string | undefined): boolean {
  return model === undefined || model === 'default';
}

/** Whether the name of a model, or its alias, is one of this family. */
export function isOfFamily(model: string, family: string): boolean {
  return model.toLowerCase().includes(family.toLowerCase());
}
