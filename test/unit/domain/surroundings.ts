import { createWorld, type World } from '../../../src/domain/reasons/world';
import { OPEN_GATE } from '../../../src/domain/gate/gate';
import { defaults, type Settings } from '../../../src/domain/settings/settings';
import type { Definition, TaskId } from '../../../src/domain/task/task';
import { isUnreviewed, type QueueView, type TaskState, type TaskView } from '../../../src/domain/queue/view';
import { define, NO_HOLDS, UNKNOWN } from '../../conformance/harness';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A Monday, 10:00. */
export const NOW = Date.parse('2026-03-02T10:00:00Z');

/** A pending task that was first seen now. */
export function taskOf(
  id: TaskId,
  state: Partial<TaskState> = {},
  fields: Partial<Definition> = {},
): TaskView {
  return {
    definition: define(id, fields),
    state: { ...UNKNOWN, id, power: 'p', firstSeenAt: NOW, ...state },
    order: id,
  };
}

/** Differences from a world in which nothing keeps a task from starting. */
export interface Differences {
  readonly queue?: Partial<QueueView>;
  readonly settings?: Partial<Settings>;
  readonly now?: number;
  readonly timeZone?: string;
}

/** A queue of these tasks, in which nothing but what is named is in their way. */
export function worldOf(
  tasks: readonly TaskView[],
  { queue, settings, now = NOW, timeZone = 'UTC' }: Differences = {},
): World {
  const claims = tasks.flatMap(({ claim }) => (claim === undefined ? [] : [claim]));
  const unreviewed = tasks.filter(isUnreviewed).length;
  return createWorld({
    queue: { tasks, invalidIds: new Set(), claims, ...NO_HOLDS, starts: [], costs: [], unreviewed, ...queue },
    gate: OPEN_GATE,
    approvedRows: { trusted: true, approvals: new Set() },
    settings: { ...defaults, ...settings },
    now,
    timeZone,
  });
}
