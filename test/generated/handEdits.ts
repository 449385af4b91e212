import * as fc from 'fast-check';
import { SHARED_COLUMNS } from '../../src/queue/row/columns';
import { columnOf, isRow, printSheet, quote, unquote, type Sheet, type SheetLine } from './sheet';

/** One thing that the owner of a queue file does to it in an editor, a spreadsheet, or with git. */
export type HandEdit =
  | { readonly kind: 'change'; readonly row: number; readonly column: string; readonly text: string }
  | { readonly kind: 'insert'; readonly row: number; readonly id: number; readonly cells: Cells }
  | { readonly kind: 'delete' | 'cut short'; readonly row: number }
  | { readonly kind: 'move'; readonly row: number; readonly to: number }
  | { readonly kind: 'blank line'; readonly row: number }
  | { readonly kind: 'rewrite'; readonly bom: boolean; readonly end: string; readonly quotes: boolean }
  | { readonly kind: 'turn columns' | 'break off' }
  | { readonly kind: 'add column' | 'drop column'; readonly column: string }
  | { readonly kind: 'restore'; readonly back: number };

/** Whether the file is written in place, or another one is put in its place. */
export type SaveHow = 'in place' | 'by rename';

type Cells = Readonly<Record<string, string>>;

const ids = fc.integer({ min: 1, max: 6 });

/** Texts that users write into a cell: most are valid, some are not. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  id: ['1', '2', '3', '7', 'x', ''],
  priority: ['critical', 'high', 'medium', 'low', 'HIGH', '5', '1', '', 'urgent'],
  working_dir: ['/place/a', '/place/b', 'c', ''],
  prompt: ['Do this', 'Do that', 'Two\nlines, "quoted"', '表 😀', '=1+1', ''],
  dependencies: ['', '', '1', '2', '3', '1|2', '2|4', '9', 'one'],
  repeat: ['yes', 'no', ''],
  repeat_interval: ['30m', 'daily', '0 9 * * *', ''],
  max_retries: ['1', '3', '', '-1'],
  user: ['', 'ann', 'bob'],
  tags: ['', 'night', 'night|shop', 'spare', 'spare'],
  deadline: ['', '2026-03-02 12:00', 'soon'],
  model: ['', 'opus', 'haiku'],
  status: ['pending', 'Pending', 'completed', 'failed', 'cancelled', 'review', 'running', '', 'done'],
  scheduled_time: ['', '2026-03-02 09:00', '2026-03-02 11:00', '2026-03-03 08:30', 'later'],
  retry_count: ['0', '1', '3', ''],
  ticket: ['', 'A-1'],
};

const change = fc.constantFrom(...Object.keys(TEXTS)).chain((column) =>
  fc.record({
    kind: fc.constant('change' as const),
    row: fc.nat(7),
    column: fc.constant(column),
    text: fc.constantFrom(...(TEXTS[column] ?? [''])),
  }),
);

function textIn(column: string): fc.Arbitrary<string> {
  return fc.constantFrom(...(TEXTS[column] ?? ['']));
}

const insert = fc.record({
  kind: fc.constant('insert' as const),
  row: fc.nat(7),
  id: ids,
  cells: fc.record({
    priority: textIn('priority'),
    working_dir: fc.constantFrom('/place/a', '/place/b', '/place/c', 'd'),
    prompt: fc.constantFrom('Do this', 'Do that', 'Two\nlines'),
    dependencies: textIn('dependencies'),
    repeat: fc.constantFrom('no', 'no', 'yes'),
    repeat_interval: fc.constantFrom('30m', 'daily'),
    user: textIn('user'),
    model: textIn('model'),
  }),
});

/** Any edit; those that leave a queue to work on more often than those that break it. */
export const anyHandEdit: fc.Arbitrary<HandEdit> = fc.oneof(
  { weight: 10, arbitrary: insert },
  { weight: 10, arbitrary: change },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), row: fc.nat(7) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), row: fc.nat(7), to: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('blank line' as const), row: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut short' as const), row: fc.nat(7) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rewrite' as const),
      bom: fc.boolean(),
      end: fc.constantFrom('\n', '\r\n', '\r'),
      quotes: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('turn columns' as const, 'break off' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('add column' as const, 'drop column' as const),
      column: fc.constantFrom('user', 'tags', 'deadline', 'model', 'ticket', 'retry_count', 'dependencies'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), back: fc.nat(6) }) },
);

/** Whether the edit says anything in a cell that the program writes too. */
export function touchesSharedCells(edit: HandEdit): boolean {
  if (edit.kind === 'restore' || edit.kind === 'insert') return true;
  return 'column' in edit && (SHARED_COLUMNS as readonly string[]).includes(edit.column);
}

/** The text that the owner saves; null where the edit does not fit the file. `earlier`: what was saved before, newest first. */
export function editByHand(sheet: Sheet, edit: HandEdit, earlier: readonly string[]): string | null {
  if (edit.kind === 'restore') return earlier[edit.back % Math.max(earlier.length, 1)] ?? null;
  const edited = editSheet(sheet, edit);
  if (edited === null) return null;
  const text = printSheet(edited);
  return edit.kind === 'break off' ? `${text}8${sheet.delimiter}"this is being typed` : text;
}

type SheetEdit = Exclude<HandEdit, { readonly kind: 'restore' }>;

function editSheet(sheet: Sheet, edit: SheetEdit): Sheet | null {
  switch (edit.kind) {
    case 'rewrite':
      return rewrite(sheet, edit);
    case 'turn columns':
      return mapCells(sheet, (cells) => [...cells].reverse());
    case 'add column':
      if (columnOf(sheet, edit.column) >= 0) return null;
      return mapCells(sheet, (cells, isHeader) => [...cells, isHeader ? edit.column : '']);
    case 'drop column': {
      const index = columnOf(sheet, edit.column);
      return index < 0 ? null : mapCells(sheet, (cells) => cells.filter((_, at) => at !== index));
    }
    case 'break off':
      return { ...sheet, lines: endLast(sheet) };
    default:
      return editLine(sheet, edit);
  }
}

type LineEdit = Extract<SheetEdit, { readonly row: number }>;

function editLine(sheet: Sheet, edit: LineEdit): Sheet | null {
  const lines = [...endLast(sheet)];
  if (edit.kind === 'insert') {
    lines.splice(edit.row % (lines.length + 1), 0, composeLine(sheet, edit.id, edit.cells));
    return { ...sheet, header: { ...sheet.header, end: lineEndOf(sheet) }, lines };
  }
  const at = edit.row % Math.max(lines.length, 1);
  const line = lines[at];
  if (line === undefined) return null;
  switch (edit.kind) {
    case 'change':
      return changeCell(sheet, lines, at, edit);
    case 'delete':
      lines.splice(at, 1);
      break;
    case 'cut short':
      lines[at] = { ...line, cells: line.cells.slice(0, Math.max(2, line.cells.length - 1)) };
      break;
    case 'move':
      lines.splice(at, 1);
      lines.splice(edit.to % (lines.length + 1), 0, line);
      break;
    case 'blank line':
      lines.splice(at, 0, { cells: [''], end: lineEndOf(sheet) });
      break;
  }
  return { ...sheet, lines };
}

function changeCell(
  sheet: Sheet,
  lines: SheetLine[],
  at: number,
  { column, text }: { readonly column: string; readonly text: string },
): Sheet | null {
  const index = columnOf(sheet, column);
  const line = lines[at];
  if (index < 0 || line?.cells[index] === undefined || !isRow(line)) return null;
  lines[at] = { ...line, cells: line.cells.map((cell, place) => (place === index ? quote(text) : cell)) };
  return { ...sheet, lines };
}

/** The row of a new task; a column that the file lacks is left out. */
function composeLine(sheet: Sheet, id: number, cells: Cells): SheetLine {
  const texts: Cells = { id: String(id), status: 'pending', retry_count: '0', max_retries: '3', ...cells };
  const raw = sheet.header.cells.map((name) => quote(texts[unquote(name).trim().toLowerCase()] ?? ''));
  return { cells: raw, end: lineEndOf(sheet) };
}

function rewrite(
  sheet: Sheet,
  { bom, end, quotes }: { readonly bom: boolean; readonly end: string; readonly quotes: boolean },
): Sheet {
  const requote = (line: SheetLine): SheetLine => ({
    cells: isRow(line) ? line.cells.map((cell) => quote(unquote(cell), quotes)) : line.cells,
    end,
  });
  return { ...sheet, bom, header: requote(sheet.header), lines: sheet.lines.map(requote) };
}

function mapCells(
  sheet: Sheet,
  change: (cells: readonly string[], isHeader: boolean) => readonly string[],
): Sheet {
  return {
    ...sheet,
    header: { ...sheet.header, cells: change(sheet.header.cells, true) },
    lines: sheet.lines.map((line) => (isRow(line) ? { ...line, cells: change(line.cells, false) } : line)),
  };
}

function lineEndOf({ header }: Sheet): string {
  return header.end === '' ? '\n' : header.end;
}

/** With a line end behind the last line, as something is about to follow it. */
function endLast(sheet: Sheet): readonly SheetLine[] {
  return sheet.lines.map((line) => (line.end === '' ? { ...line, end: lineEndOf(sheet) } : line));
}
