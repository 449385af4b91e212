import { isSameList } from '../../domain/lists';
import type { TaskId } from '../../domain/task/task';
import type { CsvFile, CsvRecord } from './csvFile';
import { findDamage } from './damagedRow';
import { textStart } from './dialect';
import { idOf } from './row';
import { t } from '../../platform/text/translate';

/** Rows of a file by id. */
export interface KeyedRows {
  readonly file: CsvFile;
  /** Rows in file order. */
  readonly rows: ReadonlyMap<TaskId, CsvRecord>;
  /** Ids that are on several rows, or on a row that is damaged. */
  readonly unclear: ReadonlySet<TaskId>;
  /** Texts of the rows that are not in `rows`. */
  readonly others: readonly string[];
}

/** Three versions of a file for a merge. */
export interface Three<T> {
  /** Common ancestor of the other two. */
  readonly base: T;
  /** Unsaved document. */
  readonly mine: T;
  /** Version on disk. */
  readonly theirs: T;
}

/** Matches the rows of three versions of a file. Returns a sentence with the reason if that is impossible. */
export function matchRows({ base, mine, theirs }: Three<CsvFile>): Three<KeyedRows> | string {
  if (!mine.whole) return t('The unsaved text cannot be read row by row.');
  if (!base.whole || !theirs.whole) return t('The file on disk cannot be read row by row.');
  if (headOf(mine) !== headOf(base) || headOf(theirs) !== headOf(base))
    return t('The first line was changed.');
  const matched = { base: keyRows(base), mine: keyRows(mine), theirs: keyRows(theirs) };
  if (!isSameList(matched.base.others, matched.theirs.others))
    return t('Rows without a unique id changed on disk.');
  if (!isSameList(sharedIds(matched.base, matched.theirs), sharedIds(matched.theirs, matched.base)))
    return t('Rows were moved on disk.');
  return matched;
}

/** Returns the text with all line ends as LF: editors make them all of one kind. */
export function plain(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Returns the text of a file without its byte order mark, which editors do not show. */
export function plainText({ bytes }: CsvFile): string {
  return plain(bytes.toString('utf8', textStart(bytes)));
}

/** Returns a record as it is written, with line ends as LF. */
export function writtenText({ bytes }: CsvFile, { start, end }: CsvRecord): string {
  return plain(bytes.toString('utf8', start, end));
}

/** Returns everything above the first row. */
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

/** Returns the ids that both have, in the order of the first. */
function sharedIds(one: KeyedRows, other: KeyedRows): TaskId[] {
  return [...one.rows.keys()].filter((id) => other.rows.has(id));
}
