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
import { DEFAULT_MODEL, isForAll, type GateBlock, type TaskRef } from '../../domain/gate/limits';
import { findSpending } from '../../domain/queue/nightBudget';
import type { EpochMs } from '../../domain/time/epoch';
import { formatUsd } from '../../domain/usd';
import { describeGateFacts } from './reasons/gate';

/** ISO 8601, or null. */
export function isoOrNull(at: EpochMs | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** One sentence about the gate. */
export function describeGate(world: World): string {
  const { hour, day } = countStarts(world.queue.starts, world.now);
  const budget = `${String(hour)} of ${String(world.settings.maxPerHour)} attempts in the last hour, ${String(day)} of ${String(world.settings.maxPerDay)} in the last 24 hours${describeNight(world)}.`;
  const hint = findShown(world)?.block.resettable === true ? ` ${AFTER_OWN_RESET}` : '';
  return `The gate is ${describeState(world)}; ${budget}${hint}`;
}

/** What to do in a terminal where the user may have reset the limit: Claude Code reports that to nobody. */
export const AFTER_OWN_RESET = 'After you use /limit-reset, run "claude-queue usage --probe".';

function describeNight({ queue, now, settings, timeZone }: World): string {
  if (settings.nightBudget === 0) return '';
  const { usd } = findSpending(queue.costs, now, timeZone);
  return `, ${formatUsd(usd)} of ${formatUsd(settings.nightBudget)} this night`;
}

/** What there is to tell of a gate that is not plainly open. */
export interface GateSummary {
  readonly kind: GateBlock['kind'];
  readonly phase: BlockedBy['phase']['kind'];
  readonly text: string;
}

/** What is told of the gate before all else; null: it is plainly open. */
export function summarizeGate(world: World): GateSummary | null {
  const reported = findShown(world);
  if (reported === null) return null;
  return {
    kind: reported.block.kind,
    phase: reported.phase.kind,
    text: describeGateFacts(gateFactsOf(reported, world), world),
  };
}

/** Of blocks that are each about some tasks alone, all are told. */
function describeState(world: World): string {
  const reporting = listShown(world);
  const [first] = reporting;
  if (first === undefined) return 'open';
  const reported = isForAll(first.block) ? [first] : reporting;
  return reported
    .map((blockedBy) => {
      const scope = describeScope(blockedBy.block);
      return `${blockedBy.phase.kind}${scope}: ${describeGateFacts(gateFactsOf(blockedBy, world), world)}`;
    })
    .join('; ');
}

/** Which tasks the block is about, where it is not about all. */
function describeScope({ kind, model }: GateBlock): string {
  if (kind === DEFAULT_MODEL) return ' for tasks without a model of their own';
  return model === undefined ? '' : ` for ${model}`;
}

function findShown(world: World): BlockedBy | null {
  return listShown(world)[0] ?? null;
}

/** What is told of the gate: what concerns all models first, and of that what lasts longest. */
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

/** Beyond every time. */
const FOR_A_PERSON = 2 ** 48;

/** A block for programs; `reason` is what Claude Code said. */
export interface GateJson {
  readonly kind: GateBlock['kind'];
  readonly model: string | null;
  /** Whether a task that it is about may start now. */
  readonly state: 'open' | 'closed';
  readonly phase: Phase['kind'];
  /** The reported reset. */
  readonly until: string | null;
  /** When a task may start next, where that is known. */
  readonly next: string | null;
  /** The task that goes first after the reset. */
  readonly first: TaskRef | null;
  readonly reason: string;
}

/** The account's own gate, all models: of several blocks the one that lasts longest. */
export function accountGateAsJson({ gate, now, settings }: World): object {
  const own = findBlockForAll(gate, now, settings);
  return own === null
    ? { state: 'open', until: null, reason: 'none' }
    : { state: 'closed', until: isoOrNull(own.block.until), reason: own.block.kind };
}

/** Every block that is remembered. */
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
      first: phase.kind === 'half-open' ? (phase.trial?.task ?? null) : null,
      reason: block.message,
    };
  });
}
