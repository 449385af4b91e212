import type { EpochMs } from '../time/epoch';
import { evaluateBlock, phaseOf, type BlockedBy, type GateRules } from './gateOpening';
import { LIMIT_KINDS, needsUser, type GateKind, type GateView } from './gate';

/**
 * A closed gate that views show on its own: a usage limit, or something that the user must fix before tasks can start.
 */
export interface AccountNotice {
  readonly kind: GateKind;
  /** Model or model family that it covers; absent: every task. */
  readonly model?: string;
  readonly since: EpochMs;
  /** Reported or guessed reset; null: until the user has acted. */
  readonly until: EpochMs | null;
  /** Whether the user can fix it: an expired sign-in, a spend limit, … Some of these also end at a reset. */
  readonly needsUser: boolean;
  /** Message of Claude Code. */
  readonly message: string;
  readonly blockedBy: BlockedBy;
}

/** Returns every closed gate of these kinds: those that need the user first, then by the latest reset. */
export function findAccountNotices(gate: GateView, now: EpochMs, rules: GateRules): AccountNotice[] {
  const closed = gate.closures.filter((block) => phaseOf(block, now, rules).kind === 'closed');
  return closed
    .flatMap((block) => {
      const blockedBy = evaluateBlock(block, now, rules);
      const { kind, since, until, message, model } = block;
      const isForUser = needsUser(kind);
      const isShown = isForUser || (LIMIT_KINDS as readonly string[]).includes(kind);
      if (blockedBy === null || !isShown) return [];
      const scope = model === undefined ? {} : { model };
      return [{ kind, ...scope, since, until, needsUser: isForUser, message, blockedBy }];
    })
    .sort(compareNotices);
}

function compareNotices(a: AccountNotice, b: AccountNotice): number {
  if (a.needsUser !== b.needsUser) return a.needsUser ? -1 : 1;
  const [untilA, untilB] = [a.until ?? Infinity, b.until ?? Infinity];
  return untilA === untilB ? a.since - b.since : untilB - untilA;
}
