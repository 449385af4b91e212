import { groupBy } from '../../domain/lists';
import { Problem, type RowProblem } from '../../domain/problem';
import { permissionFingerprint } from '../../domain/task/permissionFingerprint';
import type { SharedCells, TaskId } from '../../domain/task/task';
import { checkRows, type Row, type RowSet, type UnreadRow } from '../model/rows';
import { BASIC_COLUMNS } from '../row/columns';
import { missingColumns, requireOne } from '../row/fieldRules';
import { readId } from '../row/meaning';
import { readTexts, type Row as ReadRow } from '../row/readTexts';
import type { RowContext } from '../row/rowContext';
import { t } from '../../platform/text/translate';

/** Texts of one row, in the order of the sheet's columns. A row that is too short or too long has a problem. */
export type RowTexts = readonly string[];

/** Rows of a queue as their owners wrote them. Never changed: a change makes another sheet. */
export interface Sheet {
  readonly columns: readonly string[];
  /** In the queue's order. */
  readonly rows: readonly SheetLine[];
}

/** A row with its key: a number that it keeps as long as it exists. */
export type SheetLine = readonly [key: number, texts: RowTexts];

/** Change of a sheet. */
export type SheetChange =
  | { readonly kind: 'columns'; readonly columns: readonly string[] }
  /** Adds the row at the end, or replaces its texts. */
  | { readonly kind: 'put'; readonly key: number; readonly texts: RowTexts }
  | { readonly kind: 'drop'; readonly keys: readonly number[] }
  /** Moves the row before another; null: to the end. */
  | { readonly kind: 'move'; readonly key: number; readonly before: number | null };

/** Returns a sheet with these columns and no row. */
export function emptySheet(columns: readonly string[] = BASIC_COLUMNS): Sheet {
  return { columns, rows: [] };
}

/** Returns the sheet after the changes. */
export function changeSheet(sheet: Sheet, changes: readonly SheetChange[]): Sheet {
  const changed = new ChangedSheet(sheet);
  for (const change of changes) changed.apply(change);
  return { columns: changed.columns, rows: changed.rows };
}

class ChangedSheet {
  columns: readonly string[];
  rows: SheetLine[];
  /** Places of the rows by key, once several were looked up. */
  private places: Map<number, number> | null = null;
  private lookups = 0;

  constructor({ columns, rows }: Sheet) {
    this.columns = columns;
    this.rows = [...rows];
  }

  apply(change: SheetChange): void {
    switch (change.kind) {
      case 'columns':
        this.widen(change.columns.length - this.columns.length);
        this.columns = change.columns;
        return;
      case 'put':
        this.put([change.key, change.texts]);
        return;
      case 'drop': {
        const keys = new Set(change.keys);
        this.order(this.rows.filter(([key]) => !keys.has(key)));
        return;
      }
      case 'move':
        this.move(change.key, change.before);
        return;
    }
  }

  /** Gives all rows empty texts for new columns. A row with too few or too many texts keeps that fault. */
  private widen(count: number): void {
    if (count <= 0) return;
    const more = Array.from({ length: count }, () => '');
    this.rows = this.rows.map(([key, texts]) => [key, [...texts, ...more]]);
  }

  private put(line: SheetLine): void {
    const place = this.placeOf(line[0]);
    if (place >= 0) {
      this.rows[place] = line;
      return;
    }
    this.places?.set(line[0], this.rows.length);
    this.rows.push(line);
  }

  private move(key: number, before: number | null): void {
    const line = this.rows[this.placeOf(key)];
    if (line === undefined || key === before) return;
    const others = this.rows.filter(([one]) => one !== key);
    const target = before === null ? -1 : others.findIndex(([one]) => one === before);
    this.order(others.toSpliced(target < 0 ? others.length : target, 0, line));
  }

  private order(rows: SheetLine[]): void {
    this.rows = rows;
    this.places = null;
    this.lookups = 0;
  }

  /** Returns the index of a row; -1: there is none. */
  private placeOf(key: number): number {
    this.lookups += 1;
    if (this.lookups === 1) return this.rows.findIndex(([one]) => one === key);
    this.places ??= new Map(this.rows.map(([one], index) => [one, index]));
    return this.places.get(key) ?? -1;
  }
}

/** Returns the changes that add the missing ones of these columns. @throws Problem `usage` for an unknown column */
export function widenSheet({ columns }: Pick<Sheet, 'columns'>, names: readonly string[]): SheetChange[] {
  const missing = missingColumns(names, (name) => columns.includes(name));
  return missing.length === 0 ? [] : [{ kind: 'columns', columns: [...columns, ...missing] }];
}

/** Returns the text of a column; empty where the row is shorter or the sheet has no such column. */
export function textOf({ columns }: Pick<Sheet, 'columns'>, texts: RowTexts, column: string): string {
  return texts[columns.indexOf(column)] ?? '';
}

/** Returns the id in a row; null if it is not readable. */
export function idOf(sheet: Pick<Sheet, 'columns'>, texts: RowTexts): TaskId | null {
  const found = readId(textOf(sheet, texts, 'id').trim());
  return 'value' in found ? found.value : null;
}

/** Returns a task's only row. @throws Problem `no-such-task`; `usage` if several rows have its id */
export function findLine(sheet: Sheet, id: TaskId): SheetLine {
  const found = sheet.rows.filter(([, texts]) => idOf(sheet, texts) === id);
  return requireOnly(found, id);
}

function requireOnly(found: readonly SheetLine[], id: TaskId): SheetLine {
  return requireOne(found, id, t('Remove the others first, with "claude-queue rm --row N".'));
}

/**
 * Returns a row that no id names: its id is not readable, or other rows have it too. `row` counts from 1.
 * @throws Problem `conflict` if there is no such row
 */
export function findUnnamed(sheet: Sheet, row: number): SheetLine {
  const line = sheet.rows[row - 1];
  if (line === undefined) throw new Problem('conflict', t('There is no row {0}.', row));
  const id = idOf(sheet, line[1]);
  const isUnnamed = id === null || sheet.rows.some((other) => other !== line && idOf(sheet, other[1]) === id);
  if (isUnnamed) return line;
  throw new Problem('conflict', t('Row {0} is the only one of task {1}. Name the task instead.', row, id));
}

/** Returns the key of a task's only row. @throws Problem `no-such-task`; `usage` if several rows have its id */
export function findKey(sheet: Sheet, id: TaskId): number {
  return findLine(sheet, id)[0];
}

/** As `findKey`, of several tasks. */
export function findKeys(sheet: Sheet, ids: readonly TaskId[]): readonly number[] {
  const byId = groupBy(sheet.rows, ([, texts]) => idOf(sheet, texts));
  return ids.map((id) => requireOnly(byId.get(id) ?? [], id)[0]);
}

/** A valid row of a sheet, with the values that its owner wrote into its shared columns. */
export interface SheetRow extends Row {
  readonly key: number;
  readonly shared: SharedCells;
}

/** The rows of a sheet, read. */
export interface SheetRows {
  readonly rows: readonly SheetRow[];
  readonly set: RowSet;
  /** The sheet that this one only adds valid rows to, and these rows; null: none is known. */
  readonly grown: { readonly from: Sheet; readonly added: readonly SheetRow[] } | null;
}

/** Meaning of a row's texts: a row by itself, or its problems. */
type Understood =
  | { readonly row: ReadRow; readonly power: string }
  | { readonly problems: readonly { readonly column: string | null; readonly message: string }[] };

/** Reads sheets. A row whose texts did not change is not read again. */
export class SheetReader {
  private understood = new WeakMap<RowTexts, Understood>();
  private known = new WeakMap<Sheet, SheetRows>();
  private columns: readonly string[] = [];
  private context: RowContext;

  constructor(private readonly contextNow: () => RowContext) {
    this.context = contextNow();
  }

  /**
   * Returns the sheet's rows: the same object for the same sheet in the same context.
   * @param from a sheet that this one may add rows to: then only these are read
   */
  read(sheet: Sheet, from: Sheet | null = null): SheetRows {
    this.forgetIfOther(sheet);
    const known = this.known.get(sheet);
    if (known !== undefined) return known;
    const rows = this.grow(sheet, from) ?? this.gather(sheet);
    this.known.set(sheet, rows);
    return rows;
  }

  /** Returns the meaning of a row's texts. */
  understand(sheet: Pick<Sheet, 'columns'>, texts: RowTexts): Understood {
    this.forgetIfOther(sheet);
    const known = this.understood.get(texts);
    if (known !== undefined) return known;
    const understood = readSheetRow(sheet, texts, this.context);
    this.understood.set(texts, understood);
    return understood;
  }

  /** Forgets what was read in another context or with other columns. */
  private forgetIfOther({ columns }: Pick<Sheet, 'columns'>): void {
    const context = this.contextNow();
    const isSame = columns === this.columns || columns.join('\n') === this.columns.join('\n');
    if (context !== this.context || !isSame) {
      this.understood = new WeakMap();
      this.known = new WeakMap();
    }
    this.context = context;
    this.columns = columns;
  }

  /** Returns the rows of a sheet that only adds valid rows, with higher ids, to one without problems; else null. */
  private grow(sheet: Sheet, from: Sheet | null): SheetRows | null {
    const before = from === null ? undefined : this.known.get(from);
    if (from === null || before === undefined || before.set.problems.length > 0) return null;
    if (from.rows.some((line, index) => line !== sheet.rows[index])) return null;
    const added: SheetRow[] = [];
    let highest = before.set.highestId;
    for (const [index, line] of sheet.rows.slice(from.rows.length).entries()) {
      const row = this.readLine(sheet, line, before.rows.length + index);
      // Nothing depends on a row that did not exist, so it is on no cycle.
      if ('problems' in row || row.definition.id <= highest || row.definition.dependencies.length > 0)
        return null;
      highest = row.definition.id;
      added.push(row);
    }
    const rows = [...before.rows, ...added];
    return { rows, set: { ...before.set, rows, highestId: highest }, grown: { from, added } };
  }

  private gather(sheet: Sheet): SheetRows {
    const found: SheetRow[] = [];
    const unread: UnreadRow[] = [];
    for (const [index, line] of sheet.rows.entries()) {
      const row = this.readLine(sheet, line, index);
      if ('problems' in row) unread.push(row);
      else found.push(row);
    }
    const set = checkRows(found, unread, {
      ...{ whole: true, problem: null, columns: sheet.columns },
      whereOf: ({ where }, column) => ({ ...where, field: column }),
    });
    const rows =
      set.invalidIds.size === 0 ? found : found.filter((row) => !set.invalidIds.has(row.definition.id));
    return { rows, set, grown: null };
  }

  private readLine(sheet: Sheet, [key, texts]: SheetLine, index: number): SheetRow | UnreadRow {
    const one = this.understand(sheet, texts);
    const where = { kind: 'row', row: index + 1, field: null } as const;
    if ('row' in one) {
      const { definition, shared } = one.row;
      return { key, definition, shared, power: one.power, where };
    }
    const id = idOf(sheet, texts);
    const problems = one.problems.map(({ column, message }): RowProblem => ({
      where: { ...where, field: column },
      row: where.row,
      message,
      ...(id === null ? {} : { id }),
    }));
    return { id, where, problems };
  }
}

/** Reads the texts of one row. */
function readSheetRow(sheet: Pick<Sheet, 'columns'>, texts: RowTexts, context: RowContext): Understood {
  if (texts.length !== sheet.columns.length) {
    const message = t(
      'The row has {0} cells, but there are {1} columns. Remove it and add it again.',
      texts.length,
      sheet.columns.length,
    );
    return { problems: [{ column: null, message }] };
  }
  const reading = readTexts((column) => textOf(sheet, texts, column), context);
  if ('problems' in reading) return reading;
  return { row: reading.row, power: permissionFingerprint(reading.row.definition) };
}
