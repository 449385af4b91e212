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

/** What a run, or a session in the user's terminal, has met. */
export interface Met extends ModelChoice {
  /** What is in the way of its requests; null: nothing was. */
  readonly signal: LimitSignal | null;
  /** What was in the way of helpers of the run. */
  readonly helperLimits?: readonly LimitSignal[];
  readonly usage: readonly WindowUsage[];
  /** Whose run it is; absent: nothing that a worker runs. */
  readonly task?: TaskRef;
  /** Which worker's, by its name: a task may have gone to another one meanwhile. */
  readonly worker?: string;
  /** The model that it ran on, as it said itself. */
  readonly runModel?: string;
  /** True: the account lets its requests through, now. False: the run is over. Absent: it was none. */
  readonly passed?: boolean;
  /** The process of the run, which has just started: it has met nothing yet. */
  readonly begun?: ProcessIdentity;
}

/** How long what nobody tells the end of is left alone: longer each time that it is met again. */
const BREAKS_MS = [1, 2, 5, 15].map((minutes) => minutes * 60_000);
/** Who meets a limit so soon after its reset, and was never let through, has met the same one. */
const SAME_LIMIT_MS = 30 * 60_000;
/** After that an overload is another one. */
const OVERLOAD_MS = 30 * 60_000;
/** The longest that a month's cap may last. */
const FARTHEST_CAP_MS = 32 * 24 * 3_600_000;
/** How long a block that has ended is kept. */
const REMEMBERED_MS = 24 * 3_600_000;

/** The gate after what a run has met; the very same where that changes nothing. Pure: anyone who keeps it is told the time. */
export function takeReport(gate: GateView, met: Met, now: EpochMs, rules: GateRules): GateView {
  if (met.begun !== undefined) return noteRun(gate, met, met.begun);
  const reported = learnDefault(recordUsage(gate, met.usage, now), met);
  const proven = met.passed === true ? prove(reported, met, now, rules) : reported;
  const signals = [met.signal ?? [], met.helperLimits ?? []].flat();
  const closed = signals.reduce((before, signal) => close(before, { ...met, signal }, now, rules), proven);
  return endProbe(closed, met);
}

/** Of N directories the default is known; of those that were learnt first it is forgotten. */
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

/** The probe, with its run: whether that lives is what counts from now on. */
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

/** Somebody was let through: what was half-open is open for one after another, and what passes by itself has passed. */
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
 * The probe and is heard of is not waited for any more. The user let one run try before the reset: it is over,
 * and was not let through.
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

/** Whether that very worker goes first with it: anyone who lost the task to another one says nothing about its turn. */
function isProbeOf(trial: Probe, { task, worker }: Met): boolean {
  return task?.queue === trial.task.queue && task.id === trial.task.id && worker === trial.worker;
}

type Stopped = Met & { readonly signal: LimitSignal };

/**
 * The gate after a run met a signal. A block of the same kind and model is replaced only by one that lasts longer, so
 * that twelve runs that meet one limit make one block.
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

/** What the user had to fix has no other end than that it is known to be fixed. */
function endedAt({ proven, until }: GateBlock, now: EpochMs): EpochMs {
  return proven?.at ?? until ?? now;
}

function isSooner({ until }: GateBlock, than: GateBlock): boolean {
  return until !== null && than.until !== null && until < than.until;
}

/** Whether nobody was let through between: it is what it was. */
function isMetAgain(block: GateBlock, now: EpochMs, rules: GateRules): boolean {
  const { kind } = phaseOf(block, now, rules);
  if (kind !== 'half-open') return kind === 'closed';
  const opened = opensAt(block, rules.openAfterReset) ?? now;
  return block.probed === true || now < opened + SAME_LIMIT_MS;
}

/** One run that meets an overload may be unlucky: the second one is not, be it of the same task. */
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

/** It has been closed since then: the probe and meets it again has found out that the reset was not true. */
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

/** The user let one try before the reset that was told: where it heard of no other, that one still counts. */
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
  // Once a new reset is believed as it is, be it near; that it has come is not, where requests do not pass.
  const earliest = reported <= now ? afterBreak(again, now) : again < 2 ? now : afterBreak(again - 2, now);
  return reported < earliest ? { until: earliest, guessed: true } : { until: reported };
}

function afterBreak(again: number, now: EpochMs): EpochMs {
  return now + (BREAKS_MS[again] ?? LONGEST_BREAK_MS);
}

/** The day on which a cap on spending starts over, where the account names it; else the user has to act. */
function statedEnd({ resetAt }: LimitSignal, now: EpochMs): EpochMs | null {
  return resetAt !== null && resetAt > now && resetAt <= now + FARTHEST_CAP_MS ? resetAt : null;
}

function lastsAsLong(block: GateBlock, { until, guessed }: GateBlock): boolean {
  // Anyone who started before it closed says nothing about how long it takes to pass.
  if (passesByItself(block.kind) || block.until === null || guessed === true) return true;
  if (block.guessed === true) return false;
  return until !== null && block.until >= until;
}
