import { SHARED_COLUMNS } from '../../src/queue/row/columns';

/** A line as it is in the file: its cells with their quotes, and its line end. A blank line has one empty cell. */
export interface SheetLine {
  readonly cells: readonly string[];
  readonly end: string;
}

/** A queue file as its owner's editor has it: what they do not touch is written as it was. */
export interface Sheet {
  readonly bom: boolean;
  readonly delimiter: string;
  readonly header: SheetLine;
  readonly lines: readonly SheetLine[];
}

const BOM = '\uFEFF';
const SHARED: readonly string[] = SHARED_COLUMNS;

/** Cuts a text into lines and cells. Written for these tests alone, so that it shares no mistake with the product. */
export function parseSheet(text: string): Sheet {
  const bom = text.startsWith(BOM);
  const body = bom ? text.slice(BOM.length) : text;
  const delimiter = /^[^\r\n,;\t]*([,;\t])/.exec(body)?.[1] ?? ',';
  const lines: SheetLine[] = [];
  for (let at = 0; at < body.length;) {
    const { line, next } = cutLine(body, at, delimiter);
    lines.push(line);
    at = next;
  }
  const [header = { cells: [''], end: '' }, ...rest] = lines;
  return { bom, delimiter, header, lines: rest };
}

function cutLine(text: string, from: number, delimiter: string): { line: SheetLine; next: number } {
  const cells: string[] = [];
  for (let at = from; ; at += delimiter.length) {
    const end = endOfCell(text, at, delimiter);
    cells.push(text.slice(at, end));
    at = end;
    if (text[at] === delimiter) continue;
    const lineEnd = /^(\r\n|\n|\r)?/.exec(text.slice(at, at + 2))?.[0] ?? '';
    return { line: { cells, end: lineEnd }, next: at + lineEnd.length };
  }
}

function endOfCell(text: string, from: number, delimiter: string): number {
  let at = from;
  if (text[at] === '"') {
    for (at += 1; at < text.length; at += 1) {
      if (text[at] !== '"') continue;
      if (text[at + 1] !== '"') break;
      at += 1;
    }
    at += 1;
  }
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return Math.min(at, text.length);
}

/** The text of a sheet. */
export function printSheet({ bom, delimiter, header, lines }: Sheet): string {
  return (bom ? BOM : '') + [header, ...lines].map((line) => printLine(line, delimiter)).join('');
}

function printLine({ cells, end }: SheetLine, delimiter: string): string {
  return cells.join(delimiter) + end;
}

/** Whether a line holds a row, and not nothing. */
export function isRow({ cells: [first = '', ...more] }: SheetLine): boolean {
  return more.length > 0 || first.trim() !== '';
}

/** Returns the text of a raw cell. */
export function unquote(raw: string): string {
  return raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw;
}

/** A text as a cell: with quotes where it needs them, or everywhere. */
export function quote(text: string, always = false): string {
  return always || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Where the header names a column; -1 where it does not. */
export function columnOf({ header }: Sheet, name: string): number {
  return header.cells.findIndex((cell) => unquote(cell).trim().toLowerCase() === name);
}

/** Returns a row's text in a column; undefined if it has no such cell. */
export function textOf(sheet: Sheet, line: SheetLine, column: string): string | undefined {
  const raw = line.cells[columnOf(sheet, column)];
  return raw === undefined ? undefined : unquote(raw);
}

/** The text with the cells that the program may write left out: all of the rest belongs to the file's owner. */
export function withoutSharedCells(text: string): string {
  const sheet = parseSheet(text);
  const shared = new Set(SHARED.map((name) => columnOf(sheet, name)));
  const lines = sheet.lines.map((line) => ({
    ...line,
    cells: line.cells.map((cell, index) => (shared.has(index) && isRow(line) ? '#' : cell)),
  }));
  return printSheet({ ...sheet, lines });
}

/** Whether the last cell ends: the user may be in the middle of typing it. */
export function isWhole({ header, lines }: Sheet): boolean {
  const last = (lines.at(-1) ?? header).cells.at(-1) ?? '';
  return !last.startsWith('"') || /^"([^"]|"")*"/.test(last);
}
