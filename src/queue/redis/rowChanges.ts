import type { EpochMs } from '../../domain/time/epoch';
import { Problem } from '../../domain/problem';
import type { SharedCells, TaskId } from '../../domain/task/task';
import type { SeenRow } from '../model/events';
import { currentTask, taskKey, type QueueState } from '../model/state/queueState';
import { draftOf } from '../model/state/draftState';
import { Step } from '../model/step';
import { SHARED_COLUMNS } from '../row/columns';
import { changedShared, showShared } from '../row/sharedCells';
import { neededFields } from '../row/fieldRules';
import type { Row as ReadRow } from '../row/readTexts';
import type { TaskFields } from '../taskQueue';
import type { Entry } from './redisState';
import {
  changeSheet,
  widenSheet,
  type Sheet,
  type SheetChange,
  type SheetLine,
  type SheetReader,
  type SheetRow,
  type SheetRows,
} from './sheet';

/** A sheet, and the number for its next new row. */
export interface NumberedSheet extends Sheet {
  readonly freeKey: number;
}

/** Changes of rows, and the shared values that the user set, by task. */
export interface RowsChange {
  readonly changes: readonly SheetChange[];
  readonly touched?: Iterable<readonly [TaskId, Partial<SharedCells>]>;
}

const NO_ROWS: Sheet['rows'] = [];

/** One try of a call: what it records is kept if nobody was faster. */
export interface Draft {
  readonly step: Step;
  readonly sheet: Sheet;
  readonly reader: SheetReader;
  readonly changes: SheetChange[];
  /** Columns of the sheet after the changes. */
  columns: readonly string[];
  /** Key of the next row that is added. */
  freeKey: number;
  /** Shared values that the user set, by task. */
  readonly touched: Map<TaskId, Partial<SharedCells>>;
  rest: Omit<Entry, 'events' | 'rows'>;
  archive: readonly string[];
}

/** Adds a row, or replaces these texts of one. @throws Problem `usage` if the row is not valid */
export function putRow(draft: Draft, line: SheetLine | null, fields: TaskFields): ReadRow {
  const needed = neededFields(fields, (name) => draft.columns.includes(name));
  const widened = widenSheet(draft, needed);
  const { columns } = changeSheet({ columns: draft.columns, rows: NO_ROWS }, widened);
  const [key, before] = line ?? [draft.freeKey, []];
  const texts = columns.map((column, index) => fields[column] ?? before[index] ?? '');
  const reading = draft.reader.understand({ columns }, texts);
  if ('problems' in reading)
    throw new Problem('usage', reading.problems.map(({ message }) => message).join('\n'));
  draft.columns = columns;
  draft.changes.push(...widened, { kind: 'put', key, texts });
  if (line === null) draft.freeKey += 1;
  return reading.row;
}

/**
 * Records the rows that are valid now and were not, or are another task now, with what the user set in them, and the
 * tasks whose row is gone. Returns the sheet after the changes.
 */
export function seeRows({ step, sheet, reader, changes, touched }: Draft): Sheet {
  if (changes.length === 0) return sheet;
  const changed = changeSheet(sheet, changes);
  const { rows, set, grown } = reader.read(changed, sheet);
  const { powers } = step.state;
  const isGrown = grown?.from === sheet;
  const ids = isGrown ? null : new Set([...rows.map(({ definition }) => definition.id), ...set.invalidIds]);
  const gone = ids === null ? [] : [...powers.keys()].filter((id) => !ids.has(id));
  if (gone.length > 0) step.record({ kind: 'gone', ids: gone });
  const seen = (isGrown ? grown.added : rows).flatMap((row): SeenRow[] => {
    const set = touched.get(row.definition.id);
    if (powers.get(row.definition.id) === row.power && set === undefined) return [];
    return [{ ...seeRow(row, step.state), ...set }];
  });
  // Also where no task changes: the call is known by it.
  if (seen.length > 0 || gone.length === 0) step.record({ kind: 'seen', rows: seen });
  return changed;
}

/**
 * Returns the valid rows that no call has recorded yet: where they were written they were not valid, by the settings of that
 * machine then.
 */
export function findUnseen({ rows }: SheetRows, state: QueueState): readonly SeenRow[] {
  const unseen = rows.filter(({ definition }) => !state.powers.has(definition.id));
  return unseen.map((row) => seeRow(row, state));
}

function seeRow({ definition: { id }, power, shared }: SheetRow, { powers, tasks }: QueueState): SeenRow {
  // A row that comes back as it was has not been changed.
  const isNew = !powers.has(id) && !tasks.has(taskKey(id, power));
  return { id, power, ...(isNew ? shared : {}) };
}

/** Returns the shared values that these fields set and that the task does not show already. */
export function pickShared(
  { definition: { id }, power, shared }: Pick<SheetRow, 'definition' | 'power' | 'shared'>,
  fields: TaskFields,
  state: QueueState,
): Partial<SharedCells> {
  const { status, scheduledAt, retryCount } = shared;
  const [setsStatus, setsTime, setsCount] = SHARED_COLUMNS.map((column) => fields[column] !== undefined);
  const set = {
    ...(setsStatus === true ? { status } : {}),
    ...(setsTime === true ? { scheduledAt } : {}),
    ...(setsCount === true ? { retryCount } : {}),
  };
  const task = currentTask(state, id);
  return changedShared(set, task?.power === power ? showShared(task, state.claims.has(id)) : null);
}

/** Returns a step whose state also has the rows that the next call will record. */
export function stepToLook(state: QueueState, rows: SheetRows, now: EpochMs): Step {
  const unseen = findUnseen(rows, state);
  if (unseen.length === 0) return new Step(state, rows.set, now);
  const step = new Step(draftOf(state), rows.set, now);
  step.record({ kind: 'seen', rows: unseen });
  return step;
}

/** Lets new rows of these ids say what their tasks are, also where the queue knows the tasks from earlier rows. */
export function touchKnown({ sheet, reader, changes, step, touched }: Draft, ids: readonly TaskId[]): void {
  const known = new Set([...step.state.tasks.values()].map(({ id }) => id));
  if (!ids.some((id) => known.has(id))) return;
  const { rows } = reader.read(changeSheet(sheet, changes));
  const fresh = new Set(ids);
  for (const { definition, shared } of rows) if (fresh.has(definition.id)) touched.set(definition.id, shared);
}
