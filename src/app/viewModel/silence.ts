import { isReady } from '../../domain/reasons/explain';
import type { World } from '../../domain/reasons/world';
import type { FoundByKind } from '../../domain/reasons/explainWait';
import { lookAhead } from '../../domain/order/order';
import { findSilence, type SilenceCheck } from '../../domain/queue/silence';
import type { Snapshot } from '../../queue/taskQueue';
import { describeSilence } from '../present/silence';

/** Result of the check with its texts. */
export interface ShownSilence extends SilenceCheck {
  /** Findings, one line each. */
  readonly lines: readonly string[];
}

/** Finds work on a queue that should continue and does not. */
export function checkSilence({ tasks, claims, workers, timer }: Snapshot, world: World): ShownSilence {
  const found: FoundByKind = new Map();
  // By the rules, not by `shown`: a repeating task in review is still due.
  const due = tasks.filter((task) => isReady(task, world, {}, found));
  const nextDueAt = lookAhead(world).askAgainAt;
  const { now } = world;
  const check = findSilence({
    claims,
    workers: workers.length,
    timer,
    dueIds: due.map(({ definition }) => definition.id),
    nextDueAt,
    now,
    timeZone: MACHINE_ZONE,
  });
  return { ...check, lines: check.found.map((silence) => describeSilence(silence, world)) };
}

/** Time zone of the machine's clock, which timers use whatever zone a queue names. */
export const MACHINE_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
