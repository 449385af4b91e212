import { countStarts } from '../../domain/queue/budget';
import type { World } from '../../domain/reasons/world';
import { gateFactsOf } from '../../domain/reasons/explainGate';
import {
  findBlockForAll,
  evaluateBlock,
  phaseOf,
  type BlockedBy,
  type Phase,
} from '../../domain/gate/gateOpening';
import {
  DEFAULT_MODEL,
  isForAll,
  needsUser,
  passesByItself,
  type GateBlock,
  type GateKind,
  type Probe,
  type TaskRef,
} from '../../domain/gate/gate';
import { findSpending } from '../../domain/queue/nightBudget';
import { formatUsd } from '../../domain/usd';
import { formatDuration } from '../../domain/time/duration';
import type { EpochMs } from '../../domain/time/epoch';
import { formatSecondTime, formatTime, type Moment } from '../../domain/time/moment';
import type { GateFacts } from '../../domain/reasons/reason';
import { t } from '../../platform/text/translate';
import { formatShortTime } from './reasons/amounts';
import { isoOrNull } from './text';

/** Describes the gate in one sentence. */
export function describeGate(world: World): string {
  const { hour, day } = countStarts(world.queue.starts, world.now);
  const { maxPerHour, maxPerDay } = world.settings;
  const attempts = t(
    '{0} of {1} attempts in the last hour, {2} of {3} in the last 24 hours',
    hour,
    maxPerHour,
    day,
    maxPerDay,
  );
  const gate = t('The gate is {0}; {1}.', describeState(world), withNight(attempts, world));
  const shown = findShown(world);
  const isResettable = shown?.phase.kind === 'closed' && shown.block.resettable === true;
  return isResettable ? `${gate} ${describeAfterOwnReset()}` : gate;
}

/** Advice for a terminal after the user reset the limit, which Claude Code does not report. */
export function describeAfterOwnReset(): string {
  return t('After you use /limit-reset, run "claude-queue usage --probe".');
}

/** Adds the night's cost, if it has a limit. It leaves out attempts that reported none. */
function withNight(attempts: string, { queue, now, settings, timeZone }: World): string {
  if (settings.nightBudget === 0) return attempts;
  const { usd } = findSpending(queue.costs, now, timeZone);
  return t('{0}, {1} reported of {2} this night', attempts, formatUsd(usd), formatUsd(settings.nightBudget));
}

/** Summary of a gate that is not fully open. */
export interface GateSummary {
  readonly kind: GateBlock['kind'];
  readonly phase: BlockedBy['phase']['kind'];
  readonly text: string;
}

/** Summarizes the most important block of the gate; null if it is fully open. */
export function summarizeGate(world: World): GateSummary | null {
  const shown = findShown(world);
  if (shown === null) return null;
  return {
    kind: shown.block.kind,
    phase: shown.phase.kind,
    text: describeGateFacts(gateFactsOf(shown, world), world),
  };
}

/** Describes the state of the gate. If each block is for some models only, lists all of them. */
function describeState(world: World): string {
  const all = listShown(world);
  const [first] = all;
  if (first === undefined) return t('open');
  const shown = isForAll(first.block) ? [first] : all;
  return shown.map((blockedBy) => describeBlock(blockedBy, world)).join('; ');
}

/** Describes a block, and the tasks that it is for, unless it is for all. */
function describeBlock(blockedBy: BlockedBy, world: World): string {
  const { kind, model } = blockedBy.block;
  const phase = PHASES[blockedBy.phase.kind];
  const facts = describeGateFacts(gateFactsOf(blockedBy, world), world);
  if (kind === DEFAULT_MODEL) return t('{0} for tasks without a model of their own: {1}', phase, facts);
  return model === undefined ? `${phase}: ${facts}` : t('{0} for {1}: {2}', phase, model, facts);
}

const PHASES: Readonly<Record<BlockedBy['phase']['kind'], string>> = {
  closed: t('closed'),
  'half-open': t('half-open'),
  staggered: t('staggered'),
};

function findShown(world: World): BlockedBy | null {
  return listShown(world)[0] ?? null;
}

/** Lists the blocks to show: those for all models first, then the longest. */
function listShown({ gate, now, settings }: World): BlockedBy[] {
  const blocks = gate.closures.flatMap((block) => {
    const phase = phaseOf(block, now, settings);
    if (phase.kind === 'open') return [];
    const until = evaluateBlock(block, now, settings)?.until;
    return [{ block, phase, until: until === undefined ? now : until }];
  });
  return blocks.toSorted((one, other) => weightOf(other) - weightOf(one));
}

function weightOf({ block, until }: BlockedBy): number {
  return (until ?? FOR_A_PERSON) + (isForAll(block) ? FOR_A_PERSON : 0);
}

/** Sort key later than every time, for blocks without an end. */
const FOR_A_PERSON = 2 ** 48;

/** JSON of a block; `reason` is the message of Claude Code. */
export interface GateJson {
  readonly kind: GateBlock['kind'];
  readonly model: string | null;
  /** Whether a task that it is for may start now. */
  readonly state: 'open' | 'closed';
  readonly phase: Phase['kind'];
  /** Reported reset. */
  readonly until: string | null;
  /** Time when a task may start next, if known. */
  readonly next: string | null;
  /** Task that goes first after the reset. */
  readonly first: TaskRef | null;
  readonly reason: string;
}

/** JSON of the gate for all models. */
interface AccountGateJson {
  readonly state: 'open' | 'closed';
  readonly until: string | null;
  readonly reason: GateKind | 'none';
}

/** JSON of the account's gate for all models: the block that lasts longest. */
export function accountGateAsJson({ gate, now, settings }: World): AccountGateJson {
  const own = findBlockForAll(gate, now, settings);
  return own === null
    ? { state: 'open', until: null, reason: 'none' }
    : { state: 'closed', until: isoOrNull(own.block.until), reason: own.block.kind };
}

/** JSON of every recorded block. */
export function gatesAsJson({ gate, now, settings }: World): GateJson[] {
  return gate.closures.map((block) => {
    const phase = phaseOf(block, now, settings);
    const blockedBy = evaluateBlock(block, now, settings);
    return {
      kind: block.kind,
      model: block.model ?? null,
      state: blockedBy === null ? 'open' : 'closed',
      phase: phase.kind,
      until: isoOrNull(block.until),
      next: phase.kind === 'half-open' ? null : isoOrNull(blockedBy?.until ?? null),
      first: phase.kind === 'half-open' ? (phase.probe?.task ?? null) : null,
      reason: block.message,
    };
  });
}

/** Texts of each kind: while it lasts, and after its reset. */
const WORDS: Record<GateKind, readonly [closed: string, over: string]> = {
  five_hour: [t('5-hour usage window used up'), t('5-hour usage window has reset')],
  seven_day: [t('weekly usage window used up'), t('weekly usage window has reset')],
  seven_day_opus: [t('weekly Opus usage window used up'), t('weekly Opus usage window has reset')],
  seven_day_sonnet: [t('weekly Sonnet usage window used up'), t('weekly Sonnet usage window has reset')],
  seven_day_overage_included: [
    t('weekly model usage window used up'),
    t('weekly model usage window has reset'),
  ],
  overage: [t('usage credits used up'), t('usage credits have reset')],
  unknown: [t('usage limit reached'), t('usage limit has reset')],
  'sign-in': [t('Claude Code is not signed in'), t('the sign-in is tried again')],
  billing: [t('the account has a billing problem'), t('billing is tried again')],
  'spend-limit': [t('the account has reached its spend limit'), t('the spend limit is tried again')],
  'default-model': [t('the default model cannot be used'), t('the default model is tried again')],
  offline: [t('the API cannot be reached'), t('the API could not be reached')],
  throttle: [t('the API throttles this account'), t('the API throttled this account')],
  overload: [t('the API is overloaded'), t('the API was overloaded')],
};

/** Describes why the account's gate keeps a task from starting, as of `moment`. */
export function describeGateFacts(facts: GateFacts, moment: Moment): string {
  const { block, phase, stagger } = facts;
  switch (phase.kind) {
    case 'closed':
      return describeClosed(block, phase.opensAt, moment);
    case 'half-open':
      return `${describeOver(facts, moment)}: ${describeProbe(phase.probe, facts)}`;
    case 'staggered': {
      const since = passesByItself(block.kind) ? t('requests succeed again') : t('limit reset');
      const apart = formatDuration(stagger);
      if (phase.nextAt <= moment.now) return t('{0}; starting attempts {1} apart, next now', since, apart);
      const next = formatSecondTime(phase.nextAt, moment);
      return t('{0}; starting attempts {1} apart, next at {2}', since, apart, next);
    }
  }
}

/** Describes a block that is in force. After its reset it still is for a while, the safety margin. */
function describeClosed(
  { kind, until, guessed, model }: GateBlock,
  opensAt: EpochMs | null,
  moment: Moment,
): string {
  const [words, over] = WORDS[kind];
  if (kind === DEFAULT_MODEL) {
    return t(
      '{0}: choose another one with /model in Claude Code, or name a model in the rows, then resume the queue',
      model === undefined ? words : `${words} (${model})`,
    );
  }
  if (until === null) return t('{0}: fix it, then resume the queue', words);
  const time = formatTime(until, moment);
  if (guessed === true) return t('{0}; reset time unknown, next try about {1}', words, time);
  if (opensAt !== null && until <= moment.now)
    return t('{0}, next try {1}', over, formatTime(opensAt, moment));
  return passesByItself(kind) ? t('{0}, next try {1}', words, time) : t('{0}, resets {1}', words, time);
}

/** Describes a closed usage limit in a few words with its reset first: a narrow row cuts off the end. */
export function describeLimitShortly({ kind, until, guessed }: GateBlock, moment: Moment): string | null {
  if (until === null || needsUser(kind)) return null;
  const [words, over] = WORDS[kind];
  if (until <= moment.now) return over;
  const time = formatShortTime(until, moment);
  return t('{0}, {1}', guessed === true ? t('next try {0}', time) : t('resets {0}', time), words);
}

function describeOver({ block, isImplausibleReset }: GateFacts, moment: Moment): string {
  const { kind, probed, until } = block;
  const [closed, over] = WORDS[kind];
  if (until !== null && probed !== true && isImplausibleReset)
    return t(
      '{0} until {1}, which is later than the limit can last; trying now',
      closed,
      formatTime(until, moment),
    );
  return probed === true && !needsUser(kind) ? t('{0}, trying now', closed) : over;
}

/** Describes a half-open gate, and which task is the probe. */
function describeProbe(probe: Probe | null, { isProbeHere }: GateFacts): string {
  if (probe === null) return t('probing with one task');
  const { task, worker } = probe;
  return isProbeHere
    ? t('probing with one task (worker {0} is running task {1})', worker, task.id)
    : t('probing with one task (worker {0} is running task {1} of {2})', worker, task.id, task.queue);
}
