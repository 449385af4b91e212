import { formatMinute } from '../../domain/localTime';
import type { EpochMs } from '../../domain/epoch';
import type { TaskId } from '../../domain/task';
import type { TaskState } from '../../domain/view';
import { currentTask } from '../model/state';
import { SHARED_COLUMNS } from '../csv/columns';
import { spliceCells, type CellChange, type CsvFile } from '../csv/csvFile';
import type { FileState, RowTexts, SharedTexts } from './fileState';
import type { FileRow } from './queueRows';

/** What the file is to become: its bytes, and the shared cells of the rows that change. */
export interface Projection {
  readonly bytes: Buffer;
  readonly cells: RowTexts;
}

/** The file with the shared cells of these rows as the journal has them; null when they are that already. */
export function project(
  file: CsvFile,
  rows: readonly FileRow[],
  state: FileState,
  timeZone: string,
): Projection | null {
  const changes: CellChange[] = [];
  const cells: [TaskId, SharedTexts][] = [];
  for (const row of rows) {
    const wanted = wantedTexts(row, state, timeZone);
    const changed = changedCells(row, wanted);
    if (changed.length === 0) continue;
    changes.push(...changed);
    cells.push([row.definition.id, wanted]);
  }
  return changes.length === 0 ? null : { bytes: spliceCells(file, changes), cells };
}

/** Whether any of a row's shared cells is not as the journal has it. */
export function isBehind(row: FileRow, state: FileState, timeZone: string): boolean {
  return changedCells(row, wantedTexts(row, state, timeZone)).length > 0;
}

function changedCells(row: FileRow, wanted: SharedTexts): CellChange[] {
  return SHARED_COLUMNS.flatMap((column, index) => {
    const text = wanted[index] ?? null;
    return text === null || text === row.texts[index] ? [] : [{ record: row.record, column, text }];
  });
}

/** A cell keeps its text while that means what is wanted (`Pending`, an empty count), so that only news is written. */
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

/** `scheduled_time`: its owner's, but at a limit the reset, rounded up to the minute that the cell can hold. */
function shownSchedule(task: TaskState): EpochMs | null {
  if (task.dueCause !== 'limit' || task.dueAt === null) return task.ownerScheduledAt;
  return Math.ceil(task.dueAt / MINUTE_MS) * MINUTE_MS;
}
