import { formatMinute } from '../../../domain/time/localTime';
import type { EpochMs } from '../../../domain/time/epoch';
import type { TaskState } from '../../../domain/queue/view';
import { currentTask } from '../../model/queueState';
import { SHARED_COLUMNS } from '../../row/columns';
import { spliceCells, type CellChange, type CsvFile } from '../../csv/csvFile';
import type { FileState, RowTexts, SharedTexts } from '../fileState';
import type { FileRow } from '../import/queueRows';

/** New version of the file: its bytes, and the shared cells of the rows that change. */
export interface Projection {
  readonly bytes: Buffer;
  readonly cells: RowTexts;
}

/** Row whose shared cells differ from the journal, and their new texts. */
export interface Behind {
  readonly row: FileRow;
  readonly wanted: SharedTexts;
  readonly changes: readonly CellChange[];
}

/** Returns the file with these rows updated; null if there are none. */
export function project(file: CsvFile, behind: readonly Behind[]): Projection | null {
  if (behind.length === 0) return null;
  const cells = behind.map(({ row, wanted }) => [row.definition.id, wanted] as const);
  const bytes = spliceCells(
    file,
    behind.flatMap(({ changes }) => changes),
  );
  return { bytes, cells };
}

/** Returns the shared cells of a row that differ from the journal; null if none do. */
export function findBehind(row: FileRow, state: FileState, timeZone: string): Behind | null {
  const wanted = wantedTexts(row, state, timeZone);
  const changes = changedCells(row, wanted);
  return changes.length === 0 ? null : { row, wanted, changes };
}

function changedCells(row: FileRow, wanted: SharedTexts): CellChange[] {
  return SHARED_COLUMNS.flatMap((column, index) => {
    const text = wanted[index] ?? null;
    return text === null || text === row.texts[index] ? [] : [{ record: row.record, column, text }];
  });
}

/**
 * Returns the texts for a row's shared cells. A cell keeps its text while that means the same (`Pending`, an empty
 * count), so that only changes are written.
 */
function wantedTexts(row: FileRow, state: FileState, timeZone: string): SharedTexts {
  const { id } = row.definition;
  const task = currentTask(state.queue, id);
  if (task === undefined) return row.texts;
  const isRunning = state.queue.claims.has(id);
  const status = isRunning ? 'running' : task.status;
  const scheduledAt = isRunning ? task.ownerScheduledAt : shownSchedule(task);
  const [statusText, scheduledText, retryText] = row.texts;
  return [
    statusText === null || row.shared.status === status ? statusText : status,
    scheduledText === null || row.shared.scheduledAt === scheduledAt
      ? scheduledText
      : scheduledAt === null
        ? ''
        : formatMinute(scheduledAt, timeZone),
    retryText === null || row.shared.retryCount === task.retryCount ? retryText : String(task.retryCount),
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
