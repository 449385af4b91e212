import type { ProcessIdentity } from '../task/processIdentity';
import type { EpochMs } from '../time/epoch';
import { LONGEST_BREAK_MS, opensAt, phaseOf, withoutProbe, type GateRules } from './gateOpening';
import {
  covers,
  findGateBlock,
  isDefault,
  isOfFamily,
  isWithinWindow,
  needsPerson,
  openBefore,
  passesByItself,
  recordUsage,
  saneReset,
  type GateBlock,
  type GateView,
  type LimitSignal,
  type ModelChoice,
  type TaskRef,
  type Probe,
  type WindowUsage,
} from './limits';

/** Report of a run, or of a session in the user's terminal. */
export interface Met extends ModelChoice {
  /** Limit that blocks its requests; null: none. */
  readonly signal: LimitSignal | null;
  /** Limits that blocked helpers of the run. */
  readonly helperLimits?: readonly LimitSignal[];
  readonly usage: readonly WindowUsage[];
  /** Task of the run; absent: it is not a worker's run. */
  readonly task?: TaskRef;
  /** Name of the run's worker. The task may have gone to another worker meanwhile. */
  readonly worker?: string;
  /** Model that the run itself reported. */
  readonly runModel?: string;
  /** True: the account lets its requests through now. False: the run is over. Absent: neither is known. */
  readonly passed?: boolean;
  /** Process of a run that has just started and has met nothing yet. */
  readonly begun?: ProcessIdentity;
}

/** Retry intervals for causes without a known reset; the next one applies each time the cause is met again. */
const BREAKS_MS = [1, 2, 5, 15].map((minutes) => minutes * 60_000);
/** Time after its end in which a block that is met again counts as the same one, if no run was let through since. */
const SAME_LIMIT_MS = 30 * 60_000;
/** Time after which an overload counts as a new one. */
const OVERLOAD_MS = 30 * 60_000;
/** Longest time until a monthly spending cap starts over. */
const FARTHEST_CAP_MS = 32 * 24 * 3_600_000;
/** Time for which an ended block is kept. */
const REMEMBERED_MS = 24 * 3_600_000;

/**
 * Returns the gate after a run's report; the same object where the report changes nothing. Pure: the caller passes the
 * time.
 */
export function takeReport(gate: GateView, met: Met, now: EpochMs, rules: GateRules): GateView {
  if (met.begun !== undefined) return noteRun(gate, met, met.begun);
  const reported = learnDefault(recordUsage(gate, met.usage, now), met);
  const proven = met.passed === true ? prove(reported, met, now, rules) : reported;
  const signals = [met.signal ?? [], met.helperLimits ?? []].flat();
  const closed = signals.reduce((before, signal) => close(before, { ...met, signal }, now, rules), proven);
  return endProbe(closed, met);
}

/** Number of directories whose default model is kept. The one learned longest ago is dropped first. */
const DIRECTORIES_KNOWN = 200;

function learnDefault(gate: GateView, { task, model, workingDir, runModel }: Met): GateView {
  // The word `default` is the account's own default, not that of a directory's settings.
  if (task === undefined || model !== undefined || runModel === undefined) return gate;
  if (workingDir === undefined)
    return gate.defaultModel === runModel ? gate : { ...gate, defaultModel: runModel };
  const { [workingDir]: before, ...others } = gate.defaultModels ?? {};
  if (before === runModel) return gate;
  const kept = Object.entries(others).slice(1 - DIRECTORIES_KNOWN);
  return { ...gate, defaultModels: Object.fromEntries([...kept, [workingDir, runModel]]) };
}

/** Adds the run's process to its probe. From then on the probe lives as long as its worker or its run. */
function noteRun(gate: GateView, met: Met, run: ProcessIdentity): GateView {
  if (!gate.closures.some(({ trial }) => trial !== undefined && isProbeOf(trial, met))) return gate;
  return {
    ...gate,
    closures: gate.closures.map((block) => {
      const { trial } = block;
      return trial !== undefined && isProbeOf(trial, met) ? { ...block, trial: { ...trial, run } } : block;
    }),
  };
}

/** Records that a run was let through: half-open blocks and those that pass by themselves become staggered. */
function prove(gate: GateView, met: Met, now: EpochMs, rules: GateRules): GateView {
  const { overloaded, ...others } = gate;
  const isApprovalList = (block: GateBlock): boolean =>
    block.proven === undefined && isConcerned(gate, block, met) && hasComeBack(block, now, rules);
  if (overloaded === undefined && !gate.closures.some(isApprovalList)) return gate;
  const closures = gate.closures.map((block) => (isApprovalList(block) ? provenAt(block, now) : block));
  return openBefore({ ...others, closures }, gate.closures.filter(isApprovalList));
}

function isConcerned(gate: GateView, block: GateBlock, met: Met): boolean {
  if (met.runModel === undefined || block.model === undefined) return covers(gate, block, met);
  return isOfFamily(met.runModel, block.model);
}

function hasComeBack(block: GateBlock, now: EpochMs, rules: GateRules): boolean {
  return passesByItself(block.kind) || phaseOf(block, now, rules).kind === 'half-open';
}

function provenAt({ trial, again: _no, probed: _more, ...block }: GateBlock, now: EpochMs): GateBlock {
  return { ...block, proven: { at: now, begunAt: trial?.at ?? now } };
}

/**
 * Ends the probe that the report is about. If the user opened the block early and the run was not let through, the
 * block is closed again.
 */
function endProbe(gate: GateView, met: Met): GateView {
  const isOver = ({ trial }: GateBlock): boolean => trial !== undefined && isProbeOf(trial, met);
  if (!gate.closures.some(isOver)) return gate;
  const end = (block: GateBlock): GateBlock => {
    const { probed, ...rest } = withoutProbe(block);
    return probed === undefined || met.passed === false ? rest : { ...rest, probed };
  };
  return { ...gate, closures: gate.closures.map((block) => (isOver(block) ? end(block) : block)) };
}

/**
 * Whether the report is about this probe: same task, same worker. A worker that lost the task to another one does not
 * report on its probe.
 */
function isProbeOf(trial: Probe, { task, worker }: Met): boolean {
  return task?.queue === trial.task.queue && task.id === trial.task.id && worker === trial.worker;
}

type Stopped = Met & { readonly signal: LimitSignal };

/**
 * Returns the gate after a run met a signal. While a block is closed, a signal of its kind and model replaces it only
 * with a later or more reliable end. So twelve runs that meet one limit make one block.
 */
function close(gate: GateView, met: Stopped, now: EpochMs, rules: GateRules): GateView {
  const { signal, task } = met;
  const existing = findGateBlock(gate, signal);
  const isSameAgain = existing !== undefined && isMetAgain(existing, now, rules);
  if (signal.kind === 'overload' && !isSameAgain) {
    if (task === undefined) return gate;
    if (!isSecond(gate, now)) return { ...gate, overloaded: { at: now } };
  }
  const block =
    existing !== undefined && isSameAgain
      ? closeAgain(existing, met, now, rules)
      : closeAnew(met, now, rules);
  if (block === existing) return gate;
  const others = gate.closures.filter((c) => c !== existing && endedAt(c, now) > now - REMEMBERED_MS);
  const closed = { ...gate, closures: [...others, block] };
  return existing !== undefined && isSooner(block, existing) ? openBefore(closed, [existing]) : closed;
}

/** Returns when a block ended. One without a reset ends only when a run is let through. */
function endedAt({ proven, until }: GateBlock, now: EpochMs): EpochMs {
  return proven?.at ?? until ?? now;
}

function isSooner({ until }: GateBlock, than: GateBlock): boolean {
  return until !== null && than.until !== null && until < than.until;
}

/**
 * Whether a signal belongs to this block and not to a new one: no run was let through since, and its end was not long
 * ago.
 */
function isMetAgain(block: GateBlock, now: EpochMs, rules: GateRules): boolean {
  const { kind } = phaseOf(block, now, rules);
  if (kind !== 'half-open') return kind === 'closed';
  const opened = opensAt(block, rules.openAfterReset) ?? now;
  return block.probed === true || now < opened + SAME_LIMIT_MS;
}

/** Whether an overload was met before, by any task. The first one may be chance; the second one closes the gate. */
function isSecond({ overloaded }: GateView, now: EpochMs): boolean {
  return overloaded !== undefined && Math.abs(now - overloaded.at) < OVERLOAD_MS;
}

function closeAnew(met: Stopped, now: EpochMs, rules: GateRules, again = 0): GateBlock {
  const { signal, task, model, runModel } = met;
  const isUnknown = task !== undefined && isDefault(model) && runModel === undefined;
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
 * Returns the block after it was met again. It keeps its start. Met after its reset, it showed that the reset was not
 * true, so the retry interval grows.
 */
function closeAgain(block: GateBlock, met: Stopped, now: EpochMs, rules: GateRules): GateBlock {
  if (phaseOf(block, now, rules).kind === 'closed') {
    const anew = closeAnew(met, now, rules, passesByItself(block.kind) ? 0 : (block.again ?? 0));
    return lastsAsLong(block, anew) ? keepDefault(block, anew) : keepDefault(anew, block);
  }
  const anew = closeAnew(met, now, rules, (block.again ?? 0) + 1);
  const since = Math.min(block.since, now);
  const { guessed, ...rest } = anew;
  const end = guessed === true && isStillStated(block, now) ? { ...rest, until: block.until } : anew;
  return keepDefault({ ...end, since }, block);
}

/** Whether the block's reported reset is still valid, after a run that the user let try early reported no other one. */
function isStillStated({ guessed, since, until }: GateBlock, now: EpochMs): boolean {
  return guessed === undefined && since <= now && until !== null && until > now;
}

function keepDefault(block: GateBlock, { ofDefault }: GateBlock): GateBlock {
  return ofDefault === undefined || block.ofDefault === true ? block : { ...block, ofDefault };
}

function endOf(
  signal: LimitSignal,
  again: number,
  now: EpochMs,
  rules: GateRules,
): Pick<GateBlock, 'until' | 'guessed'> {
  if (needsPerson(signal.kind)) return { until: statedEnd(signal, now) };
  if (passesByItself(signal.kind)) return { until: afterBreak(again, now) };
  const reported = saneReset(signal.resetAt, now);
  if (reported === null || !isWithinWindow(signal.kind, reported, now))
    return { until: now + rules.limitFallback, guessed: true };
  // A future reset is believed until the probe has met the limit twice. After that, and for a past reset, the retry
  // interval is the earliest end.
  const earliest = reported <= now ? afterBreak(again, now) : again < 2 ? now : afterBreak(again - 2, now);
  return reported < earliest ? { until: earliest, guessed: true } : { until: reported };
}

function afterBreak(again: number, now: EpochMs): EpochMs {
  return now + (BREAKS_MS[again] ?? LONGEST_BREAK_MS);
}

/** Returns the day on which a spending cap starts over, where the account reports it. Null: the user has to act. */
function statedEnd({ resetAt }: LimitSignal, now: EpochMs): EpochMs | null {
  return resetAt !== null && resetAt > now && resetAt <= now + FARTHEST_CAP_MS ? resetAt : null;
}

function lastsAsLong(block: GateBlock, { until, guessed }: GateBlock): boolean {
  // A run that started before the block says nothing about how long the cause lasts.
  if (passesByItself(block.kind) || block.until === null || guessed === true) return true;
  if (block.guessed === true) return false;
  return until !== null && block.until >= until;
}
