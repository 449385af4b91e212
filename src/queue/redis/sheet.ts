import type { RowProblem } from '../../domain/problem';
import { permissionFingerprint } from '../../domain/task/permissionFingerprint';
import type { SharedCells, TaskId } from '../../domain/task/task';
import { checkRows, type Row, type RowSet } from '../model/rows';
import { BASIC_COLUMNS } from '../row/columns';
import { missingColumns, requireOne } from '../row/fieldRules';
import { readId } from '../row/meaning';
import { readTexts, type Row as ReadRow } from '../row/readTexts';
import type { RowContext } from '../row/rowContext';

/** Texts of one row, in the order of the sheet's columns. A row that is too short or too long has a problem. */
export type RowTexts = readonly string[];

/** Rows of a queue as their owners wrote them. Never changed: a change makes another sheet. */
export interface Sheet {
  readonly columns: readonly string[];
  /** By a number that a row keeps as long as it exists; in the queue's order. */
  readonly rows: ReadonlyMap<number, RowTexts>;
}

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
  return { columns, rows: new Map() };
}

/** Returns the sheet after the changes. */
export function changeSheet(sheet: Sheet, changes: readonly SheetChange[]): Sheet {
  let { columns } = sheet;
  let rows = new Map(sheet.rows);
  for (const change of changes) {
    if (change.kind === 'columns') {
      rows = widenRows(rows, change.columns.length - columns.length);
      columns = change.columns;
    } else if (change.kind === 'put') rows.set(change.key, change.texts);
    else if (change.kind === 'drop') for (const key of change.keys) rows.delete(key);
    else rows = moveRow(rows, change.key, change.before);
  }
  return { columns, rows };
}

/** Returns the rows with empty texts for new columns. A row with too few or too many texts keeps that fault. */
function widenRows(rows: Map<number, RowTexts>, count: number): Map<number, RowTexts> {
  if (count <= 0) return rows;
  const more = Array.from({ length: count }, () => '');
  return new Map([...rows].map(([key, texts]) => [key, [...texts, ...more]]));
}

function moveRow(
  rows: ReadonlyMap<number, RowTexts>,
  key: number,
  before: number | null,
): Map<number, RowTexts> {
  const moved = rows.get(key);
  if (moved === undefined || key === before) return new Map(rows);
  const target = before !== null && rows.has(before) ? before : null;
  const order = [...rows].filter(([one]) => one !== key);
  const index = target === null ? order.length : order.findIndex(([one]) => one === target);
  return new Map([...order.slice(0, index), [key, moved], ...order.slice(index)]);
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

/** Returns the key of a task's only row. @throws Problem `no-such-task`; `usage` if several rows have its id */
export function findKey(sheet: Sheet, id: TaskId): number {
  const found = [...sheet.rows].flatMap(([key, texts]) => (idOf(sheet, texts) === id ? [key] : []));
  return requireOne(found, id, 'Remove the others first.');
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
}

/** Meaning of a row's texts: a row by itself, or its problems. */
type Understood =
  | { readonly row: ReadRow; readonly power: string }
  | { readonly problems: readonly { readonly column: string | null; readonly message: string }[] };

/** Reads sheets. A row whose texts did not change is not read again. */
export class SheetReader {
  private understood = new WeakMap<RowTexts, Understood>();
  private columns = '';
  private context: RowContext;
  private last: { readonly sheet: Sheet; readonly rows: SheetRows } | null = null;

  constructor(private readonly contextNow: () => RowContext) {
    this.context = contextNow();
  }

  /** Returns the sheet's rows: the same object for the same sheet in the same context. */
  read(sheet: Sheet): SheetRows {
    const context = this.contextNow();
    const columns = JSON.stringify(sheet.columns);
    if (context !== this.context || columns !== this.columns) {
      this.understood = new WeakMap();
      this.last = null;
    }
    this.context = context;
    this.columns = columns;
    if (this.last?.sheet !== sheet) this.last = { sheet, rows: this.gather(sheet) };
    return this.last.rows;
  }

  private gather(sheet: Sheet): SheetRows {
    const found: SheetRow[] = [];
    const problems: RowProblem[] = [];
    let position = 0;
    for (const [key, texts] of sheet.rows) {
      position += 1;
      const one = this.understand(sheet, texts);
      if ('row' in one) {
        const { definition, shared } = one.row;
        const where = { kind: 'row', row: position, field: null } as const;
        found.push({ key, definition, shared, power: one.power, where });
        continue;
      }
      const id = idOf(sheet, texts);
      for (const { column, message } of one.problems) {
        const where = { kind: 'row', row: position, field: column } as const;
        problems.push({ where, message, ...(id === null ? {} : { id }) });
      }
    }
    const set = checkRows(found, problems, true);
    const rows =
      set.invalidIds.size === 0 ? found : found.filter((row) => !set.invalidIds.has(row.definition.id));
    return { rows, set };
  }

  private understand(sheet: Sheet, texts: RowTexts): Understood {
    const known = this.understood.get(texts);
    if (known !== undefined) return known;
    const understood = readSheetRow(sheet, texts, this.context);
    this.understood.set(texts, understood);
    return understood;
  }
}

/** Reads the texts of one row. */
export function readSheetRow(
  sheet: Pick<Sheet, 'columns'>,
  texts: RowTexts,
  context: RowContext,
): Understood {
  if (texts.length !== sheet.columns.length) {
    const count = `${String(texts.length)} cells, but there are ${String(sheet.columns.length)} columns`;
    return { problems: [{ column: null, message: `The row has ${count}. Remove it and add it again.` }] };
  }
  const reading = readTexts((column) => textOf(sheet, texts, column), context);
  if ('problems' in reading) return reading;
  return { row: reading.row, power: permissionFingerprint(reading.row.definition) };
}
