import type { TaskId } from '../../domain/task/task';
import type { CsvFile, CsvRecord } from './csvFile';
import { findDamage } from './damage';
import { textStart } from './dialect';
import { idOf } from './row';

/** The rows of a file by their ids. */
export interface KeyedRows {
  readonly file: CsvFile;
  /** In the order of the file. */
  readonly rows: ReadonlyMap<TaskId, CsvRecord>;
  /** Ids that several rows have, or a row whose cells cannot be distinguished. */
  readonly unclear: ReadonlySet<TaskId>;
  /** The rows that are not in `rows`, as they are written. */
  readonly others: readonly string[];
}

/** The three states of a file that a merge is made of. */
export interface Three<T> {
  /** What the other two came from. */
  readonly base: T;
  /** The unsaved document. */
  readonly mine: T;
  /** What is on the disk. */
  readonly theirs: T;
}

/** Matches the rows of three states of a file; a sentence that says why where that cannot be done. */
export function matchRows({ base, mine, theirs }: Three<CsvFile>): Three<KeyedRows> | string {
  if (!mine.whole) return 'The unsaved text cannot be read row by row.';
  if (!base.whole || !theirs.whole) return 'The file on disk cannot be read row by row.';
  if (headOf(mine) !== headOf(base) || headOf(theirs) !== headOf(base)) return 'The first line was changed.';
  const matched = { base: keyRows(base), mine: keyRows(mine), theirs: keyRows(theirs) };
  if (!isSameList(matched.base.others, matched.theirs.others))
    return 'Rows without a unique id changed on disk.';
  if (!isSameList(sharedIds(matched.base, matched.theirs), sharedIds(matched.theirs, matched.base)))
    return 'Rows were moved on disk.';
  return matched;
}

/** A text whose line ends do not matter: an editor makes them all of one kind. */
export function plain(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** The whole text of a file, without what an editor does not show. */
export function plainText({ bytes }: CsvFile): string {
  return plain(bytes.toString('utf8', textStart(bytes)));
}

/** A record as it is written, line ends apart. */
export function writtenText({ bytes }: CsvFile, { start, end }: CsvRecord): string {
  return plain(bytes.toString('utf8', start, end));
}

/** Everything above the first row. */
function headOf({ bytes, records: [first] }: CsvFile): string {
  return plain(bytes.toString('utf8', textStart(bytes), first?.start ?? bytes.length)).trim();
}

function keyRows(file: CsvFile): KeyedRows {
  const rows = new Map<TaskId, CsvRecord>();
  const unclear = new Set<TaskId>();
  for (const record of file.records) {
    const id = idOf(file, record);
    if (id === null) continue;
    if (rows.has(id) || findDamage(file, record) !== null) unclear.add(id);
    else rows.set(id, record);
  }
  for (const id of unclear) rows.delete(id);
  const keyed = new Set(rows.values());
  const others = file.records.filter((record) => !keyed.has(record));
  return { file, rows, unclear, others: others.map((record) => writtenText(file, record)) };
}

/** The ids that both have, in the order of the first. */
function sharedIds(one: KeyedRows, other: KeyedRows): TaskId[] {
  return [...one.rows.keys()].filter((id) => other.rows.has(id));
}

function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
