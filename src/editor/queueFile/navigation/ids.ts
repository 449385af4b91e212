import type { TaskId } from '../../../domain/task/task';
import { findDamage } from '../../../queue/csv/damagedRow';
import { readId } from '../../../queue/row/meaning';
import { rangeInCell, type DocumentCell } from '../document/documentCell';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import { touches, type TextPosition, type TextRange } from '../document/textRange';

/** Id in a document, without white space around it. */
export interface PlacedId {
  readonly id: TaskId;
  readonly range: TextRange;
}

/** Returns the id at a position: a row's own, or one that it depends on. */
export function findIdAt(document: QueueDocument, position: TextPosition): PlacedId | undefined {
  const { cell, row } = document.cellAt(position) ?? { row: null };
  if (cell === undefined || row === null) return undefined;
  if (cell.column !== 'id' && cell.column !== 'dependencies') return undefined;
  return idsIn(cell).find(({ range }) => touches(range, position));
}

/** Returns the ids that a row depends on, as they are written. */
export function listDependencies(row: DocumentRow): readonly PlacedId[] {
  const cell = row.cell('dependencies');
  return cell === undefined ? [] : idsIn(cell);
}

/** Returns the places of an id in the rows that have it. */
export function findOwn(document: QueueDocument, id: TaskId): readonly TextRange[] {
  return document.rowsOf(id).flatMap((row) => {
    const cell = row.cell('id');
    return cell === undefined ? [] : idsIn(cell).map(({ range }) => range);
  });
}

/** Returns the places of an id in the rows that depend on it. */
export function findDependents({ rows, file }: QueueDocument, id: TaskId): readonly TextRange[] {
  const digits = String(id);
  return (
    rows
      .filter((row) => row.text('dependencies')?.includes(digits) === true)
      // The cells of a damaged row may be other ones than they seem.
      .filter((row) => findDamage(file, row.record) === null)
      .flatMap((row) => listDependencies(row).filter((one) => one.id === id))
      .map(({ range }) => range)
  );
}

function idsIn(cell: DocumentCell): PlacedId[] {
  return [...cell.text.matchAll(/[^|\s]+/g)].flatMap(({ 0: part, index }) => {
    const found = readId(part);
    return 'value' in found
      ? [{ id: found.value, range: rangeInCell(cell, index, index + part.length) }]
      : [];
  });
}
