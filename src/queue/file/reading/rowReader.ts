import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { permissionFingerprint } from '../../../domain/task/permissionFingerprint';
import type { FileWhere } from '../../../domain/problem';
import type { SharedCells, TaskId } from '../../../domain/task/task';
import { checkRows, type Row, type RowSet, type UnreadRow } from '../../model/rows';
import { SHARED_COLUMNS } from '../../row/columns';
import type { Cells } from '../../csv/cells';
import { cellOf, type CsvFile, type CsvRecord } from '../../csv/csvFile';
import type { SharedTexts } from '../../row/sharedCells';
import { readRow, whereOf } from '../../csv/row';
import type { RowContext } from '../../row/rowContext';

/** Row of the file with its shared cells, as text and as meaning. */
export interface FileRow extends Row {
  readonly where: FileWhere;
  /** Index in the file's records. */
  readonly record: number;
  readonly shared: SharedCells;
  readonly texts: SharedTexts;
}

/** Row that is not valid, with the texts of its shared cells. */
export interface InvalidRow {
  readonly id: TaskId;
  readonly texts: SharedTexts;
}

/** The rows of a queue file. */
export interface FileRows {
  readonly rows: readonly FileRow[];
  /** Rows that are not valid and whose ids no other row has. */
  readonly invalid: readonly InvalidRow[];
  /**
   * Rows as the queue's rules see them, without shared cells. The same object as long as only shared cells change.
   */
  readonly set: RowSet;
  /** Whether a missing row is known to be gone: the file is whole, and the id of each row is readable. */
  readonly complete: boolean;
  /** Index of each id in `rows`. */
  readonly places: ReadonlyMap<TaskId, number>;
}

/** Returns whether an id is in the file, in a row that is valid or not. */
export function isInFile({ places, set }: FileRows, id: TaskId): boolean {
  return places.has(id) || set.invalidIds.has(id);
}

/** Parsed record, reused while its cells and its place do not change. */
type Understood =
  { readonly cells: Cells; readonly row: FileRow } | (UnreadFileRow & { readonly cells: Cells });

interface UnreadFileRow extends UnreadRow {
  readonly where: FileWhere;
  readonly texts: SharedTexts;
}

/** Parsing time before yielding to the event loop, in ms. */
const YIELD_AFTER_MS = 4;

/** Reads files into rows. A row that did not change since the last reading is the same object. */
export class RowReader {
  private header = '';
  private understood: readonly Understood[] = [];
  private last: { readonly file: CsvFile; readonly rows: FileRows } | null = null;
  private context: RowContext;

  constructor(private readonly contextNow: () => RowContext) {
    this.context = contextNow();
  }

  /** Returns the file's rows: the same object for the same file in the same context. Calls must not overlap. */
  async read(file: CsvFile): Promise<FileRows> {
    this.forgetInOtherContext();
    if (this.last?.file === file) return this.last.rows;
    this.forgetUnderOtherHeader(file);
    return this.keep(file, await this.understand(file));
  }

  private keep(file: CsvFile, understood: readonly Understood[]): FileRows {
    const rows = gather(file, understood, this.last?.rows);
    this.understood = understood;
    this.last = { file, rows };
    return rows;
  }

  private async understand(file: CsvFile): Promise<Understood[]> {
    const before = this.understood;
    const moved = file.records.length - before.length;
    const understood: Understood[] = [];
    let sliceStart = performance.now();
    for (let index = 0; index < file.records.length; index += 1) {
      const record = file.records[index];
      if (record === undefined) break;
      let earlier = before[index];
      if (earlier?.cells !== record.cells && before[index - moved]?.cells === record.cells) {
        earlier = before[index - moved];
      }
      understood.push(this.understandRecord(file, record, index, earlier));
      if (index % 64 !== 0 || performance.now() - sliceStart < YIELD_AFTER_MS) continue;
      await yieldToEventLoop();
      sliceStart = performance.now();
    }
    return understood;
  }

  private forgetInOtherContext(): void {
    const context = this.contextNow();
    if (context === this.context) return;
    const column = this.last?.file.columns.get('prompt_file') ?? -1;
    this.understood =
      this.last !== null && differOnlyInPrompts(this.context, context)
        ? this.understood.map((one) =>
            hasSamePrompt(one, column, context) ? one : { ...one, cells: FORGOTTEN },
          )
        : [];
    this.context = context;
    this.last = null;
  }

  /** Discards parsed records if the header changed: the same cells then belong to other columns. */
  private forgetUnderOtherHeader({ columns }: CsvFile): void {
    const header = JSON.stringify([...columns]);
    if (header === this.header) return;
    this.header = header;
    this.understood = [];
  }

  private understandRecord(
    file: CsvFile,
    record: CsvRecord,
    index: number,
    earlier: Understood | undefined,
  ): Understood {
    const { cells, line } = record;
    if (earlier?.cells !== cells) return this.readRecord(file, record, index, earlier);
    if ('row' in earlier) {
      const { row } = earlier;
      return row.where.line === line && row.record === index
        ? earlier
        : { cells, row: { ...row, record: index, where: startOf(line) } };
    }
    return earlier.where.line === line ? earlier : this.readRecord(file, record, index, earlier);
  }

  private readRecord(
    file: CsvFile,
    record: CsvRecord,
    index: number,
    earlier: Understood | undefined,
  ): Understood {
    const { cells, line } = record;
    const reading = readRow(file, record, this.context);
    const texts = sharedTexts(file, record);
    if ('problems' in reading) return { cells, where: startOf(line), texts, ...reading };
    const { shared } = reading.row;
    const isSame = earlier !== undefined && 'row' in earlier && differOnlyShared(file, earlier.cells, cells);
    const { definition, power } = isSame
      ? earlier.row
      : { definition: reading.row.definition, power: permissionFingerprint(reading.row.definition) };
    return { cells, row: { definition, shared, power, record: index, where: startOf(line), texts } };
  }
}

/** Cells that no record has, so that a record is parsed again. */
const FORGOTTEN: Cells = [];

/** Whether a row has no prompt file, or one with the same text as before. `column` is the index of its cell. */
function hasSamePrompt(one: Understood, column: number, { promptFiles }: RowContext): boolean {
  const name = one.cells[column]?.trim() ?? '';
  if (name === '') return true;
  const known = 'row' in one ? one.row.definition.promptFile : undefined;
  const reading = promptFiles?.read(name);
  return reading !== undefined && 'value' in reading && reading.value === known?.text;
}

/** Whether both give the same meaning to rows without a prompt file. */
function differOnlyInPrompts(before: RowContext, now: RowContext): boolean {
  const { promptFiles: _before, ...others } = before;
  const { promptFiles: _now, ...same } = now;
  return isDeepStrictEqual(others, same);
}

const startOf = (line: number): FileWhere => ({ kind: 'file', line, column: 1 });

function differOnlyShared({ columns }: CsvFile, a: Cells, b: Cells): boolean {
  if (a.length !== b.length) return false;
  const shared = SHARED_COLUMNS.map((column) => columns.get(column));
  return a.every((text, column) => text === b[column] || shared.includes(column));
}

function gather(file: CsvFile, understood: readonly Understood[], before: FileRows | undefined): FileRows {
  const found: FileRow[] = [];
  const unread: UnreadFileRow[] = [];
  for (const one of understood) {
    if ('row' in one) found.push(one.row);
    else unread.push(one);
  }
  const complete = file.whole && unread.every(({ id }) => id !== null);
  const isValid = file.problem === null && unread.length === 0;
  if (before !== undefined && isValid && complete && isSameSet(found, before)) {
    return { rows: found, invalid: [], set: before.set, places: before.places, complete };
  }
  const { whole, problem } = file;
  const set = checkRows(found, unread, {
    ...{ whole, problem, columns: whole ? [...file.columns.keys()] : [] },
    whereOf: ({ record: index, where }, column) => {
      const record = file.records[index];
      return record === undefined ? where : whereOf(file, record, column);
    },
  });
  const { invalidIds } = set;
  const rows = found.filter(({ definition }) => !invalidIds.has(definition.id));
  const places = new Map(rows.map(({ definition }, index) => [definition.id, index]));
  return { rows, invalid: invalidOf(found, unread, invalidIds), set, places, complete };
}

/** Returns the invalid rows: those that cannot be read, and those of `found` that are refused beside others. */
function invalidOf(
  found: readonly FileRow[],
  unread: readonly UnreadFileRow[],
  invalidIds: ReadonlySet<TaskId>,
): InvalidRow[] {
  const refused = found
    .map(({ definition: { id }, texts }) => ({ id, texts }))
    .filter(({ id }) => invalidIds.has(id));
  const readable = unread.flatMap(({ id, texts }) => (id === null ? [] : [{ id, texts }]));
  const all = [...readable, ...refused];
  const counts = new Map<TaskId, number>();
  for (const { id } of all) counts.set(id, (counts.get(id) ?? 0) + 1);
  return all.filter(({ id }) => counts.get(id) === 1);
}

/** Whether the rules see the same rows as before, all of them without problems. */
function isSameSet(found: readonly FileRow[], { rows, set, complete }: FileRows): boolean {
  if (!complete || set.problems.length > 0 || rows.length !== found.length) return false;
  return found.every((row, index) => {
    const before = rows[index];
    return row === before || (row.definition === before?.definition && row.where.line === before.where.line);
  });
}

/** Returns the texts of a record's shared cells. */
export function sharedTexts(file: CsvFile, record: CsvRecord): SharedTexts {
  const [status = null, scheduledTime = null, retryCount = null] = SHARED_COLUMNS.map((column) =>
    cellOf(file, record, column),
  );
  return [status, scheduledTime, retryCount];
}
