import type { World } from '../../domain/explain';
import type { ProofCheck } from '../../domain/proof';
import type { EpochMs } from '../../domain/epoch';
import { lookAhead, type Choice, type Outlook } from '../../domain/order';

/** How long an outlook is told again at most: its texts tell times by today's date. */
const REMEMBERED_MS = 15 * 60_000;

interface Remembered {
  readonly key: string;
  readonly proofs: ProofCheck;
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly outlook: Outlook;
}

/** Remembers why nothing can be chosen: a worker that waits asks again and again, and each answer looks at every task. */
export class OutlookMemory {
  private last: Remembered | null = null;

  /** What `lookAhead` says; `revision` tells one state of the queue from another. */
  recall(world: World, choice: Choice, revision: number): Outlook {
    const { gate, settings, timeZone, proofs, now } = world;
    const { id, override, priorities, users } = choice;
    const key = JSON.stringify([revision, gate, settings, timeZone, id, override, priorities, users]);
    const { last } = this;
    if (last?.key === key && last.from <= now && now < last.until && areSame(last.proofs, proofs)) {
      return last.outlook;
    }
    const outlook = lookAhead(world, choice);
    const until = Math.min(outlook.askAgainAt ?? Infinity, now + REMEMBERED_MS);
    this.last = { key, proofs, from: now, until, outlook };
    return outlook;
  }

  forget(): void {
    this.last = null;
  }
}

function areSame(a: ProofCheck, b: ProofCheck): boolean {
  if (a.approvals === b.approvals || a.trusted) return a.trusted === b.trusted;
  if (b.trusted || a.approvals.size !== b.approvals.size) return false;
  for (const approval of a.approvals) if (!b.approvals.has(approval)) return false;
  return true;
}
