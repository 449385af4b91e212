import type { EpochMs } from '../time/epoch';
import { evaluateBlock, phaseOf, type BlockedBy, type GateRules } from './gateOpening';
import { LIMIT_KINDS, needsPerson, type GateKind, type GateView } from './limits';

/** A closed gate that views show by itself: a usage limit, or what the user has to fix before tasks can start. */
export interface AccountNotice {
  readonly kind: GateKind;
  /** The model, or model family, that it is about; absent: every task. */
  readonly model?: string;
  readonly since: EpochMs;
  /** The reported reset; null: when the user has acted. */
  readonly until: EpochMs | null;
  /** Nothing starts that it is about before the user has acted: an expired sign-in, an empty balance, … */
  readonly needsUser: boolean;
  /** As Claude Code said it. */
  readonly message: string;
  readonly blockedBy: BlockedBy;
}

/** Every closed gate of this kind, what needs the user first, then the longest. */
export function findAccountNotices(gate: GateView, now: EpochMs, rules: GateRules): AccountNotice[] {
  const closed = gate.closures.filter((block) => phaseOf(block, now, rules).kind === 'closed');
  return closed
    .flatMap((block) => {
      const blockedBy = evaluateBlock(block, now, rules);
      const { kind, since, until, message, model } = block;
      const isShown = needsPerson(kind) || (LIMIT_KINDS as readonly string[]).includes(kind);
      if (blockedBy === null || !isShown) return [];
      const scope = model === undefined ? {} : { model };
      return [{ kind, ...scope, since, until, needsUser: until === null, message, blockedBy }];
    })
    .sort((a, b) => (b.until ?? Infinity) - (a.until ?? Infinity) || a.since - b.since);
}
