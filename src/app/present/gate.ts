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
} from '../../domain/gate/limits';
import { findSpending } from '../../domain/queue/nightBudget';
import { formatUsd } from '../../domain/usd';
import { formatDuration } from '../../domain/time/duration';
import { formatSecondTime, formatTime, type Moment } from '../../domain/time/moment';
import type { GateFacts } from '../../domain/reasons/reason';
import { isoOrNull } from './text';

/** Describes the gate in one sentence. */
export function describeGate(world: World): string {
  const { hour, day } = countStarts(world.queue.starts, world.now);
  const budget = `${String(hour)} of ${String(world.settings.maxPerHour)} attempts in the last hour, ${String(day)} of ${String(world.settings.maxPerDay)} in the last 24 hours${describeNight(world)}.`;
  const hint = findShown(world)?.block.resettable === true ? ` ${AFTER_OWN_RESET}` : '';
  return `The gate is ${describeState(world)}; ${budget}${hint}`;
}

/** Advice for a terminal after the user reset the limit, which Claude Code does not report. */
export const AFTER_OWN_RESET = 'After you use /limit-reset, run "claude-queue usage --probe".';

function describeNight({ queue, now, settings, timeZone }: World): string {
  if (settings.nightBudget === 0) return '';
  const { usd } = findSpending(queue.costs, now, timeZone);
  return `, ${formatUsd(usd)} of ${formatUsd(settings.nightBudget)} this night`;
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
  if (first === undefined) return 'open';
  const shown = isForAll(first.block) ? [first] : all;
  return shown
    .map((blockedBy) => {
      const scope = describeScope(blockedBy.block);
      return `${blockedBy.phase.kind}${scope}: ${describeGateFacts(gateFactsOf(blockedBy, world), world)}`;
    })
    .join('; ');
}

/** Names the tasks that a block is for, unless it is for all. */
function describeScope({ kind, model }: GateBlock): string {
  if (kind === DEFAULT_MODEL) return ' for tasks without a model of their own';
  return model === undefined ? '' : ` for ${model}`;
}

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

/** JSON of the account's gate for all models: the block that lasts longest. */
export function accountGateAsJson({ gate, now, settings }: World): object {
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
  five_hour: ['5-hour usage window used up', '5-hour usage window has reset'],
  seven_day: ['weekly usage window used up', 'weekly usage window has reset'],
  seven_day_opus: ['weekly Opus usage window used up', 'weekly Opus usage window has reset'],
  seven_day_sonnet: ['weekly Sonnet usage window used up', 'weekly Sonnet usage window has reset'],
  seven_day_overage_included: ['weekly model usage window used up', 'weekly model usage window has reset'],
  overage: ['usage credits used up', 'usage credits have reset'],
  unknown: ['usage limit reached', 'usage limit has reset'],
  'sign-in': ['Claude Code is not signed in', 'the sign-in is tried again'],
  billing: ['the account has a billing problem', 'billing is tried again'],
  'spend-limit': ['the account has reached its spend limit', 'the spend limit is tried again'],
  'default-model': ['the default model cannot be used', 'the default model is tried again'],
  offline: ['the API cannot be reached', 'the API could not be reached'],
  throttle: ['the API throttles this account', 'the API throttled this account'],
  overload: ['the API is overloaded', 'the API was overloaded'],
};

/** Describes why the account's gate keeps a task from starting, as of `moment`. */
export function describeGateFacts(facts: GateFacts, moment: Moment): string {
  const { block, phase, stagger } = facts;
  switch (phase.kind) {
    case 'closed':
      return describeClosed(block, moment);
    case 'half-open':
      return `${describeOver(facts, moment)}: ${describeProbe(phase.probe, facts)}`;
    case 'staggered': {
      const since = passesByItself(block.kind) ? 'requests succeed again' : 'limit reset';
      const apart = formatDuration(stagger);
      const next = phase.nextAt <= moment.now ? 'now' : `at ${formatSecondTime(phase.nextAt, moment)}`;
      return `${since}; starting attempts ${apart} apart, next ${next}`;
    }
  }
}

/** Describes a block that is in force. */
function describeClosed({ kind, until, guessed, model }: GateBlock, moment: Moment): string {
  const [words] = WORDS[kind];
  if (kind === DEFAULT_MODEL) {
    const name = model === undefined ? '' : ` (${model})`;
    return `${words}${name}: choose another one with /model in Claude Code, or name a model in the rows, then resume the queue`;
  }
  if (until === null) return `${words}: fix it, then resume the queue`;
  if (guessed === true) {
    return `${words}; reset time unknown, next try about ${formatTime(until, moment)}`;
  }
  return `${words}, ${passesByItself(kind) ? 'next try' : 'resets'} ${formatTime(until, moment)}`;
}

function describeOver({ block, isImplausibleReset }: GateFacts, moment: Moment): string {
  const { kind, probed, until } = block;
  const [closed, over] = WORDS[kind];
  if (until !== null && probed !== true && isImplausibleReset)
    return `${closed} until ${formatTime(until, moment)}, which is later than the limit can last; trying now`;
  return probed === true && !needsUser(kind) ? `${closed}, trying now` : over;
}

/** Describes a half-open gate, and which task is the probe. */
function describeProbe(probe: Probe | null, { isProbeHere }: GateFacts): string {
  if (probe === null) return 'probing with one task';
  const { task, worker } = probe;
  const which = isProbeHere ? String(task.id) : `${String(task.id)} of ${task.queue}`;
  return `probing with one task (worker ${worker} is running ${which})`;
}
