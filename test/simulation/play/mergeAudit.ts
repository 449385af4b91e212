import { isRow, parseSheet, textOf, unquote, withoutSharedCells } from '../../generated/sheet';
import { SHARED_COLUMNS } from '../../../src/queue/row/columns';
import { Violation } from './violation';

/** A save in an editor: the text that was opened, the one that was typed, the one on the disk, and what was saved. */
export interface Save {
  readonly opened: string;
  readonly typed: string;
  readonly before: string;
  readonly saved: string;
}

type Rows = ReadonlyMap<string, string>;

/** Checks that a merge kept what the user typed, and rows that others wrote meanwhile. @throws Violation */
export function checkMerge(save: Save): void {
  const { opened, typed, before, saved } = save;
  checkShared(save);
  const old = rowsWithoutShared(opened);
  const mine = rowsWithoutShared(typed);
  const disk = rowsWithoutShared(before);
  const merged = rowsWithoutShared(saved);
  checkTyped(old, mine, disk, merged);
  for (const [id, row] of disk)
    if (!old.has(id) && !mine.has(id) && merged.get(id) !== row)
      throw new Violation('edits kept', `row ${id} was new on the disk and is not in what was saved`);
}

/** Checks that shared cells that the user did not type are as on the disk. */
function checkShared({ opened, typed, before, saved }: Save): void {
  const [old, mine, disk, merged] = [opened, typed, before, saved].map(sharedCells);
  for (const [key, text] of merged ?? []) {
    const theirs = disk?.get(key);
    const isMine = mine?.get(key) !== old?.get(key);
    if (isMine || theirs === undefined || theirs === text || !old?.has(key)) continue;
    throw new Violation('edits kept', `${key} was ${theirs} on the disk and is ${text} in what was saved`);
  }
}

/** Returns the texts of the shared cells by id and column. Ids that occur twice are left out. */
function sharedCells(text: string): ReadonlyMap<string, string> {
  const sheet = parseSheet(text);
  const rows = sheet.lines.filter(isRow);
  const ids = rows.map((line) => textOf(sheet, line, 'id') ?? '');
  const cells = new Map<string, string>();
  for (const [index, line] of rows.entries()) {
    const id = ids[index] ?? '';
    if (ids.indexOf(id) !== ids.lastIndexOf(id)) continue;
    for (const column of SHARED_COLUMNS) {
      const cell = textOf(sheet, line, column);
      if (cell !== undefined) cells.set(`${column} of row ${id}`, cell);
    }
  }
  return cells;
}

function checkTyped(old: Rows, mine: Rows, disk: Rows, merged: Rows): void {
  for (const [id, row] of mine) {
    const isMineAlone = row !== old.get(id) && disk.get(id) === old.get(id);
    if (isMineAlone && merged.get(id) !== row)
      throw new Violation(
        'edits kept',
        `row ${id} was typed as ${row} and saved as ${String(merged.get(id))}`,
      );
  }
}

/**
 * Returns the rows of a text by id, as far as they belong to the user alone. An editor ends all lines of a text in one way, also
 * those in a cell.
 */
function rowsWithoutShared(text: string): Map<string, string> {
  const sheet = parseSheet(withoutSharedCells(text).replaceAll('\r\n', '\n'));
  const rows = sheet.lines.filter(isRow);
  return new Map(
    rows.map((line) => [textOf(sheet, line, 'id') ?? '', line.cells.map(unquote).join('\u0000')]),
  );
}
