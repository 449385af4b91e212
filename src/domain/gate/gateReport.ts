import type { ProcessIdentity } from '../task/processIdentity';
import type { EpochMs } from '../time/epoch';
import {
  isImplausibleReset,
  LONGEST_RETRY_INTERVAL_MS,
  opensAt,
  phaseOf,
  type GateRules,
} from './gateOpening';
import {
  covers,
  findGateBlock,
  isDefault,
  isOfFamily,
  isWithinWindow,
  needsUser,
  forgetResets,
  passesByItself,
  recordUsage,
  saneReset,
  type GateBlock,
  type GateView,
  type LimitSignal,
  type ModelChoice,
  type WindowUsage,
} from './gate';
import { endProbe, noteStartedProcess, type ProbeReport } from './probe';

/** Report of an attempt, or of a session in the user's terminal. */
export interface AttemptReport extends ModelChoice, ProbeReport {
  /** Limit that blocked its requests; null: none. */
  readonly signal: LimitSignal | null;
  /** Limits that blocked subagents of the attempt. */
  readonly subagentLimits?: readonly LimitSignal[];
  readonly usage: readonly WindowUsage[];
  /** Model that the run itself reported. */
  readonly attemptModel?: string;
  /** Process of an attempt that has just started. The report has no other content. */
  readonly startedProcess?: ProcessIdentity;
}

/** Back-off of blocks without a known end: one interval for each time in a row that the cause is met. */
const BREAKS_MS = [1, 2, 5, 15].map((minutes) => minutes * 60_000);
/** A limit met within this time of its reset, with no accepted request between, is the same limit. */
const SAME_LIMIT_MS = 30 * 60_000;
/** Two overloads within this time close the gate. */
const OVERLOAD_MS = 30 * 60_000;
/** Longest time until a monthly spending cap is reset. */
const FARTHEST_CAP_MS = 32 * 24 * 3_600_000;
/** Time for which an ended block is kept. */
const REMEMBERED_MS = 24 * 3_600_000;

/**
 * Returns the gate after a report; the same object if the report changes nothing. Pure: the caller passes the time.
 */
export function applyReport(gate: GateView, report: AttemptReport, now: EpochMs, rules: GateRules): GateView {
  if (report.startedProcess !== undefined) return noteStartedProcess(gate, report, report.startedProcess);
  const learned = learnDefault(recordUsage(gate, report.usage, now), report);
  const recovered = report.passed === true ? markRecovered(learned, report, now, rules) : learned;
  const signals = [report.signal ?? [], report.subagentLimits ?? []].flat();
  const closed = signals.reduce(
    (before, signal) => close(before, { ...report, signal }, now, rules),
    recovered,
  );
  return endProbe(closed, report);
}

/** Maximum number of directories whose default model is kept. The oldest entry is dropped first. */
const DIRECTORIES_KNOWN = 200;

function learnDefault(gate: GateView, { task, model, workingDir, attemptModel }: AttemptReport): GateView {
  // The word `default` is the account's own default, not that of a directory's settings.
  if (task === undefined || model !== undefined || attemptModel === undefined) return gate;
  if (workingDir === undefined)
    return gate.defaultModel === attemptModel ? gate : { ...gate, defaultModel: attemptModel };
  const { [workingDir]: before, ...others } = gate.defaultModels ?? {};
  if (before === attemptModel) return gate;
  const kept = Object.entries(others).slice(1 - DIRECTORIES_KNOWN);
  return { ...gate, defaultModels: Object.fromEntries([...kept, [workingDir, attemptModel]]) };
}

/** Marks half-open and transient blocks as recovered after an accepted request; attempts then start staggered. */
function markRecovered(gate: GateView, report: AttemptReport, now: EpochMs, rules: GateRules): GateView {
  const { overloaded, ...others } = gate;
  const isRecoveredBy = (block: GateBlock): boolean =>
    block.proven === undefined && isConcerned(gate, block, report) && mayRecover(block, now, rules);
  if (overloaded === undefined && !gate.closures.some(isRecoveredBy)) return gate;
  const closures = gate.closures.map((block) => (isRecoveredBy(block) ? toRecovered(block, now) : block));
  return forgetResets({ ...others, closures }, gate.closures.filter(isRecoveredBy));
}

function isConcerned(gate: GateView, block: GateBlock, report: AttemptReport): boolean {
  if (report.attemptModel === undefined || block.model === undefined) return covers(gate, block, report);
  return isOfFamily(report.attemptModel, block.model);
}

function mayRecover(block: GateBlock, now: EpochMs, rules: GateRules): boolean {
  return passesByItself(block.kind) || phaseOf(block, now, rules).kind === 'half-open';
}

function toRecovered({ trial, again: _no, probed: _more, ...block }: GateBlock, now: EpochMs): GateBlock {
  return { ...block, proven: { at: now, begunAt: trial?.at ?? now } };
}

type BlockedReport = AttemptReport & { readonly signal: LimitSignal };

/**
 * Returns the gate after a limit was met. While a block is closed, a signal of its kind and model replaces it only with
 * a later or more reliable end. So twelve attempts that meet one limit make one block.
 */
function close(gate: GateView, report: BlockedReport, now: EpochMs, rules: GateRules): GateView {
  const { signal, task } = report;
  const existing = findGateBlock(gate, signal);
  const isSameAgain = existing !== undefined && isMetAgain(existing, now, rules);
  if (signal.kind === 'overload' && !isSameAgain) {
    if (task === undefined) return gate;
    if (!isSecond(gate, now)) return { ...gate, overloaded: { at: now } };
  }
  const block =
    existing !== undefined && isSameAgain
      ? extendBlock(existing, report, now, rules)
      : newBlock(report, now, rules);
  if (block === existing) return gate;
  const others = gate.closures.filter((c) => c !== existing && endedAt(c, now) > now - REMEMBERED_MS);
  const closed = { ...gate, closures: [...others, block] };
  return existing !== undefined && isSooner(block, existing) ? forgetResets(closed, [existing]) : closed;
}

/** Returns when a block ended. One without an end time ends only when recovery is seen. */
function endedAt({ proven, until }: GateBlock, now: EpochMs): EpochMs {
  return proven?.at ?? until ?? now;
}

function isSooner({ until }: GateBlock, than: GateBlock): boolean {
  return until !== null && than.until !== null && until < than.until;
}

/**
 * Whether the signal is of this block, not of a new one: no request was accepted since, and the block ended recently
 * or not at all.
 */
function isMetAgain(block: GateBlock, now: EpochMs, rules: GateRules): boolean {
  const { kind } = phaseOf(block, now, rules);
  if (kind !== 'half-open') return kind === 'closed';
  const opened = opensAt(block, rules.openAfterReset) ?? now;
  return block.probed === true || now < opened + SAME_LIMIT_MS;
}

/** Whether any task met an overload recently. The first one may be chance; the second one closes the gate. */
function isSecond({ overloaded }: GateView, now: EpochMs): boolean {
  return overloaded !== undefined && Math.abs(now - overloaded.at) < OVERLOAD_MS;
}

function newBlock(report: BlockedReport, now: EpochMs, rules: GateRules, again = 0): GateBlock {
  const { signal, task, model, attemptModel } = report;
  const isUnknown = task !== undefined && isDefault(model) && attemptModel === undefined;
  const isOfDefault = signal.model !== undefined && isUnknown;
  return {
    kind: signal.kind,
    ...(signal.model === undefined ? {} : { model: signal.model }),
    since: now,
    ...endOf(signal, again, now, rules),
    message: signal.message,
    ...(signal.resettable === undefined ? {} : { resettable: true }),
    ...(isOfDefault ? { ofDefault: true } : {}),
    ...(again === 0 ? {} : { again }),
  };
}

/**
 * Returns the block after its limit was met again; it keeps its start. If the limit is met after the reset, the reset
 * was wrong, and the retry interval grows.
 */
function extendBlock(block: GateBlock, report: BlockedReport, now: EpochMs, rules: GateRules): GateBlock {
  if (phaseOf(block, now, rules).kind === 'closed') {
    const fresh = newBlock(report, now, rules, passesByItself(block.kind) ? 0 : (block.again ?? 0));
    return lastsAsLong(block, fresh) ? inheritOfDefault(block, fresh) : inheritOfDefault(fresh, block);
  }
  const fresh = newBlock(report, now, rules, (block.again ?? 0) + 1);
  const since = Math.min(block.since, now);
  const { guessed, ...rest } = fresh;
  const end = guessed === true && isStillStated(block, now, rules) ? { ...rest, until: block.until } : fresh;
  return inheritOfDefault({ ...end, since }, block);
}

/** Whether the block has a stated reset that is still ahead and can be true. A probe before it that reports no new reset keeps it. */
function isStillStated(block: GateBlock, now: EpochMs, rules: GateRules): boolean {
  const { guessed, since, until } = block;
  if (guessed === true || until === null || isImplausibleReset(block, now, rules)) return false;
  return since <= now && until > now;
}

function inheritOfDefault(block: GateBlock, { ofDefault }: GateBlock): GateBlock {
  return ofDefault === undefined || block.ofDefault === true ? block : { ...block, ofDefault };
}

function endOf(
  signal: LimitSignal,
  again: number,
  now: EpochMs,
  rules: GateRules,
): Pick<GateBlock, 'until' | 'guessed'> {
  if (needsUser(signal.kind)) return { until: statedEnd(signal, now) };
  if (passesByItself(signal.kind)) return { until: afterBreak(again, now) };
  const reset = saneReset(signal.kind, signal.resetAt, now);
  if (reset === null || !isWithinWindow(signal.kind, reset, now))
    return { until: now + rules.limitFallback, guessed: true };
  // Trust a future reset for the first two meetings. After them, or if it is past, wait at least the back-off.
  const earliest = reset <= now ? afterBreak(again, now) : again < 2 ? now : afterBreak(again - 2, now);
  return reset < earliest ? { until: earliest, guessed: true } : { until: reset };
}

function afterBreak(again: number, now: EpochMs): EpochMs {
  return now + (BREAKS_MS[again] ?? LONGEST_RETRY_INTERVAL_MS);
}

/** Returns when a spending cap is reset, if the account reports it. Null: the user has to act. */
function statedEnd({ resetAt }: LimitSignal, now: EpochMs): EpochMs | null {
  return resetAt !== null && resetAt > now && resetAt <= now + FARTHEST_CAP_MS ? resetAt : null;
}

function lastsAsLong(block: GateBlock, { until, guessed }: GateBlock): boolean {
  // An attempt that started before the block is no evidence of how long the cause lasts.
  if (passesByItself(block.kind) || block.until === null || guessed === true) return true;
  if (block.guessed === true) return false;
  return until !== null && block.until >= until;
}
