import { Problem } from '../../domain/problem';
import type { SharedCells, TaskId } from '../../domain/task/task';
import type { SeenRow } from '../model/events';
import { taskKey } from '../model/state/queueState';
import type { Step } from '../model/step';
import { SHARED_COLUMNS } from '../row/columns';
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

/** Adds a row, or replaces these texts of one. `place` starts the message of a problem. @throws Problem `usage` if the row is not valid */
export function putRow(draft: Draft, line: SheetLine | null, fields: TaskFields, place = ''): ReadRow {
  const needed = neededFields(fields, (name) => draft.columns.includes(name));
  const widened = widenSheet(draft, needed);
  const { columns } = changeSheet({ columns: draft.columns, rows: NO_ROWS }, widened);
  const [key, before] = line ?? [draft.freeKey, []];
  const texts = columns.map((column, index) => fields[column] ?? before[index] ?? '');
  const reading = draft.reader.understand({ columns }, texts);
  if ('problems' in reading)
    throw new Problem('usage', place + reading.problems.map(({ message }) => message).join('\n'));
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
  const { powers, tasks } = step.state;
  const isGrown = grown?.from === sheet;
  const ids = isGrown ? null : new Set([...rows.map(({ definition }) => definition.id), ...set.invalidIds]);
  const gone = ids === null ? [] : [...powers.keys()].filter((id) => !ids.has(id));
  if (gone.length > 0) step.record({ kind: 'gone', ids: gone });
  const seen = (isGrown ? grown.added : rows).flatMap((row): SeenRow[] => {
    const { definition, power } = row;
    const set = touched.get(definition.id);
    const known = powers.get(definition.id);
    if (known === power && set === undefined) return [];
    // A row that comes back as it was has not been changed.
    const isNew = known === undefined && !tasks.has(taskKey(definition.id, power));
    return [{ id: definition.id, power, ...(isNew ? row.shared : {}), ...set }];
  });
  // Also where no task changes: the call is known by it.
  if (seen.length > 0 || gone.length === 0) step.record({ kind: 'seen', rows: seen });
  return changed;
}

/** Returns the shared values that these fields set. */
export function pickShared(
  { status, scheduledAt, retryCount }: SharedCells,
  fields: TaskFields,
): Partial<SharedCells> {
  const [hasStatus, hasTime, hasCount] = SHARED_COLUMNS.map((column) => fields[column] !== undefined);
  return {
    ...(hasStatus === true ? { status } : {}),
    ...(hasTime === true ? { scheduledAt } : {}),
    ...(hasCount === true ? { retryCount } : {}),
  };
}
