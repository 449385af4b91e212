import type { Reason, World } from '../domain/explain';
import { lookAhead } from '../domain/order';
import { findSilence, type SilenceCheck } from '../domain/silence';
import type { TaskView } from '../domain/view';
import type { Snapshot } from '../queue/taskQueue';
import { describeSilence } from './silenceWords';

/** The same, as people see it. */
export interface ShownSilence extends SilenceCheck {
  /** What is found, a line each. */
  readonly lines: readonly string[];
}

/** Finds work on a queue that should go on and does not. */
export function checkSilence(
  { claims, workers, timer }: Snapshot,
  world: World,
  tasks: readonly { readonly task: TaskView; readonly reason: Reason }[],
): ShownSilence {
  const dueIds = tasks.filter(({ reason }) => reason.shown === 'ready').map(({ task }) => task.definition.id);
  const nextDueAt = lookAhead(world).askAgainAt;
  const { now } = world;
  const check = findSilence({
    claims,
    workers: workers.length,
    timer,
    dueIds,
    nextDueAt,
    now,
    timeZone: MACHINE_ZONE,
  });
  return { ...check, lines: check.found.map((silence) => describeSilence(silence, world)) };
}

/** Timers go by the machine's clock, whatever zone a queue names. */
export const MACHINE_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
