import * as path from 'node:path';
import { titleOf } from '../../../app/present/text';
import { encodeCell } from '../../../queue/csv/csvFile';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import type { FixEdit } from './fix';

/** Prompt that moves from its cell into a file. */
export interface MovedPrompt {
  /** Path of the new file, relative to the workspace. */
  readonly file: string;
  readonly content: string;
  /** Edits of the queue file. */
  readonly edits: readonly FixEdit[];
}

/** Characters from which on a prompt is long for a cell. One with several lines always is. */
const LONG = 200;

/** Returns whether a row has a prompt that is long for a cell, and no file for it. */
export function hasLongPrompt(row: DocumentRow): boolean {
  const prompt = row.text('prompt')?.trim() ?? '';
  const isLong = prompt.length >= LONG || prompt.includes('\n');
  return isLong && row.id !== null && (row.text('prompt_file') ?? '').trim() === '';
}

/**
 * Returns the move of a row's prompt into a new file in `folder`, which is relative to the workspace. Adds the column
 * if it is missing. `isFree` says whether a path is not taken. Null: the row does not fit the header.
 */
export function planMove(
  document: QueueDocument,
  row: DocumentRow,
  folder: string,
  isFree: (file: string) => boolean,
): MovedPrompt | null {
  const prompt = row.cell('prompt');
  if (prompt === undefined || row.id === null || row.cells.length !== document.columns.length) return null;
  const title = titleOf(prompt.text);
  const file = findFree(path.posix.join(folder, `${String(row.id)}-${slugOf(title)}`), isFree);
  const { dialect } = document.file;
  const shortened = { range: prompt.range, text: encodeCell(title, dialect, prompt.isQuoted) };
  const cell = row.cell('prompt_file');
  const edits =
    cell === undefined
      ? [shortened, ...addColumn(document, row, file)]
      : [shortened, { range: cell.range, text: encodeCell(file, dialect, cell.isQuoted) }];
  return { file, content: prompt.text.endsWith('\n') ? prompt.text : `${prompt.text}\n`, edits };
}

/** Returns the edits that add the column at the end of every row, with a text in one of them. */
function addColumn(document: QueueDocument, own: DocumentRow, text: string): FixEdit[] {
  const { columns, header, rows, file } = document;
  const { dialect } = file;
  const insert = ({ range }: Pick<DocumentRow, 'range'>, cell: string): FixEdit => ({
    range: { start: range.end, end: range.end },
    text: `${dialect.delimiter}${cell}`,
  });
  return [
    ...(header === null ? [] : [insert(header, 'prompt_file')]),
    ...rows
      // A row with one cell too many would fit the new header, and that cell would name its prompt file.
      .filter(({ cells }) => cells.length >= columns.length)
      .map((row) => insert(row, row === own ? encodeCell(text, dialect, false) : '')),
  ];
}

const SLUG_LENGTH = 40;

/** Returns a title as a part of a file name. */
function slugOf(title: string): string {
  const words = title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  const short = Array.from(words)
    .slice(0, SLUG_LENGTH)
    .join('')
    .replaceAll(/^-+|-+$/g, '');
  return short === '' ? 'prompt' : short;
}

function findFree(stem: string, isFree: (file: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const file = number === 1 ? `${stem}.md` : `${stem}-${String(number)}.md`;
    if (isFree(file)) return file;
  }
}
