import { formatCellTime } from '../../domain/time/localTime';
import type { EpochMs } from '../../domain/time/epoch';
import type { TaskState } from '../../domain/queue/view';
import type { SharedCells } from '../../domain/task/task';

/** Texts of a row's shared cells, in the order of `SHARED_COLUMNS`. Null: there is no such column. */
export type SharedTexts = readonly [
  status: string | null,
  scheduledTime: string | null,
  retryCount: string | null,
];

/** Returns what a row's shared cells show of a task. */
export function showShared(task: TaskState, isRunning: boolean): SharedCells {
  return {
    status: isRunning ? 'running' : task.status,
    scheduledAt: isRunning ? task.ownerScheduledAt : shownSchedule(task),
    retryCount: task.retryCount,
  };
}

/** Returns the written values that a task does not show already: the others change nothing. */
export function changedShared(
  { status, scheduledAt, retryCount }: Partial<SharedCells>,
  shown: SharedCells | null,
): Partial<SharedCells> {
  return {
    ...(status === undefined || status === shown?.status ? {} : { status }),
    ...(scheduledAt === undefined || scheduledAt === shown?.scheduledAt ? {} : { scheduledAt }),
    ...(retryCount === undefined || retryCount === shown?.retryCount ? {} : { retryCount }),
  };
}

/**
 * Returns the texts for shared cells. A cell keeps its text while that means the same (`Pending`, an empty count), so
 * that only changes are written.
 */
export function formatShared(
  { status, scheduledAt, retryCount }: SharedCells,
  { texts, shared }: { readonly texts: SharedTexts; readonly shared: SharedCells },
  timeZone: string,
): SharedTexts {
  const [statusText, scheduledText, retryText] = texts;
  return [
    statusText === null || shared.status === status ? statusText : status,
    scheduledText === null || shared.scheduledAt === scheduledAt
      ? scheduledText
      : scheduledAt === null
        ? ''
        : formatCellTime(scheduledAt, timeZone),
    retryText === null || shared.retryCount === retryCount ? retryText : String(retryCount),
  ];
}

const MINUTE_MS = 60_000;

/**
 * Returns the time to show as `scheduled_time`: the owner's, or at a usage limit the reset. Rounded up to a minute,
 * since the cell has no seconds.
 */
function shownSchedule(task: TaskState): EpochMs | null {
  if (task.dueCause !== 'limit' || task.dueAt === null) return task.ownerScheduledAt;
  return Math.ceil(task.dueAt / MINUTE_MS) * MINUTE_MS;
}
