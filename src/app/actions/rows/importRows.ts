import { isUtf8 } from 'node:buffer';
import * as path from 'node:path';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { isRepository } from '../../../domain/task/repository';
import { readIfThere, statIfThere } from '../../../platform/files/files';
import { homeFolder, resolveLinks } from '../../../platform/files/paths';
import { nameFolder } from '../../../platform/files/repositories';
import { t } from '../../../platform/text/translate';
import { readCells } from '../../../queue/csv/cells';
import { readCsv, type CsvFile } from '../../../queue/csv/csvFile';
import { findDamage } from '../../../queue/csv/damagedRow';
import { TooManyRecords } from '../../../queue/csv/records';
import { QueuePaths } from '../../../queue/queuePaths';
import { resolveFolder } from '../../../queue/row/workingDir';
import { MOST_ROWS, type ImportHow, type RowTable } from '../../../queue/rowTable';
import type { SharedQueue } from '../../../queue/sharedQueue';
import type { QueueContext } from '../../context/queueContext';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import { findColumn, refuseUnclearIds, textsIn, type FileTable } from './rowIds';

/** Rows that were imported. */
export interface ImportedRows {
  readonly count: number;
  /** Ids in the rows, in their order; an unreadable one is left out. */
  readonly ids: readonly TaskId[];
  /** Whether some of their times name no time zone: the queue's may be another one than that of the file. */
  readonly hasLocalTimes: boolean;
  /** Number of rows whose working directory was relative, or below the user's home. */
  readonly placed: number;
}

/**
 * Adds the rows of a CSV file to a queue, all or none.
 * @throws Problem `inside-run`; `usage`, `not-a-file` or `queue-incomplete` if the file cannot be read; `usage` if a row has
 * no id that is its own; `conflict` if ids are taken
 */
export async function importRows(
  queueContext: QueueContext,
  queue: SharedQueue,
  file: string,
  how: ImportHow,
): Promise<ImportedRows> {
  await refuseInsideAttempt(queueContext, queue, 'import tasks');
  const { host, repositories } = queueContext;
  const table = parseTable(file, await readFile(queueContext, file));
  refuseUnclearIds(file, table, how);
  const { workspace } = new QueuePaths(resolveLinks(path.resolve(host.cwd, file)));
  const from = { folder: workspace, home: homeFolder(host.env) };
  const { rows, placed } = placeFolders(table, (text) => nameFolder(resolveFolder(text, from), repositories));
  const ids = await queue.importRows({ ...table, rows }, how, host.createId());
  return { count: rows.length, ids, hasLocalTimes: hasLocalTimes(table), placed };
}

/** Returns the rows with each working directory as all machines know it that only the file's place gives a meaning. */
function placeFolders(
  table: RowTable,
  place: (text: string) => string,
): Pick<RowTable, 'rows'> & Pick<ImportedRows, 'placed'> {
  const at = findColumn(table, 'working_dir');
  const isRelative = (text: string): boolean => text !== '' && !isRepository(text) && !path.isAbsolute(text);
  const folders = textsIn(table, 'working_dir').map((text) => text.trim());
  const rows = table.rows.map((texts, index) => {
    const folder = folders[index] ?? '';
    return isRelative(folder) ? texts.with(at, place(folder)) : texts;
  });
  return { rows, placed: folders.filter(isRelative).length };
}

const TIME_COLUMNS: readonly string[] = ['scheduled_time', 'deadline', 'created_at'];

function hasLocalTimes({ columns, rows }: RowTable): boolean {
  const isTime = columns.map((name) => TIME_COLUMNS.includes(name.trim().toLowerCase()));
  const isLocal = (text: string): boolean => text.trim() !== '' && !/(z|[+-]\d\d:?\d\d)\s*$/i.test(text);
  return rows.some((texts) => texts.some((text, index) => isTime[index] === true && isLocal(text)));
}

/** Returns the bytes of a file to import. @throws Problem `usage` if there is none */
export async function readFile({ host }: QueueContext, file: string): Promise<Buffer> {
  const target = path.resolve(host.cwd, file);
  const found = await statIfThere(target);
  // Nothing is in the way here, which the message of `readIfThere` would say.
  if (found !== null && !found.isFile())
    throw new Problem('usage', t('{0} is not a regular file. Name the file to import.', file));
  const bytes = await readIfThere(target);
  if (bytes !== null) return bytes;
  throw new Problem('usage', `There is no file ${file}. Name the file to import.`);
}

/** Purpose for which a table is read. Messages say that it failed. */
type TableUse = 'import' | 'export';

/**
 * Returns the rows of a CSV file as texts.
 * @throws Problem `usage` if it has too many rows; `queue-incomplete` if it has no valid header, ends inside a cell, or
 * is not UTF-8
 */
export function parseTable(name: string, bytes: Buffer, use: TableUse = 'import'): FileTable {
  const file = readBounded(name, bytes, use);
  if (file.problem !== null) throw incomplete(name, file.problem, use);
  const { header, dialect } = file;
  const [columns = []] = header === null ? [] : readCells(bytes, [header], dialect.delimiter);
  const damages = file.records.map((record) => findDamage(file, record));
  const rows = file.records.map((record, index) => textsOf(name, file, record, damages[index] ?? null, use));
  const places = file.records.map(({ line }, index) => {
    const damage = damages[index] ?? null;
    return { line: damage?.where.line ?? line, damage: damage?.message ?? null };
  });
  return { columns, rows, places };
}

function readBounded(name: string, bytes: Buffer, use: TableUse): CsvFile {
  try {
    return readCsv(bytes, undefined, MOST_ROWS);
  } catch (error) {
    if (!(error instanceof TooManyRecords)) throw error;
    const message =
      use === 'import'
        ? t('{0} has more than {1} rows, which is the limit. Import fewer.', name, MOST_ROWS)
        : t(
            '{0} has more than {1} rows, which is the limit. Move finished rows into another file.',
            name,
            MOST_ROWS,
          );
    throw new Problem('usage', message, { cause: error });
  }
}

/**
 * Returns a record's texts. A damaged record gets one more, so that it stays invalid: as text alone it may look valid.
 * @throws Problem `queue-incomplete` if it is not UTF-8, because it could not be kept as it is
 */
function textsOf(
  name: string,
  file: CsvFile,
  record: CsvFile['records'][number],
  damage: CsvFile['problem'],
  use: TableUse,
): readonly string[] {
  if (damage === null) return record.cells;
  if (!isUtf8(file.bytes.subarray(record.start, record.end))) throw incomplete(name, damage, use);
  return record.cells.length === file.columnCount ? [...record.cells, ''] : record.cells;
}

function incomplete(
  name: string,
  { where, message }: NonNullable<CsvFile['problem']>,
  use: TableUse,
): Problem {
  const place = `${name}:${String(where.line)}:${String(where.column)}`;
  const text =
    use === 'import'
      ? t('{0} {1} Nothing was imported.', place, message)
      : t('{0} {1} Nothing was exported.', place, message);
  return new Problem('queue-incomplete', text);
}
