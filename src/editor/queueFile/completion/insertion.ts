import { encodeCell } from '../../../queue/csv/csvFile';
import type { DocumentCell } from '../document/documentCell';
import { rangeInCell } from '../document/documentCell';
import type { QueueDocument } from '../document/queueDocument';
import type { TextPosition, TextRange } from '../document/textRange';
import type { Candidate } from './candidate';

/** Change of the text by which a candidate is written. */
export interface Insertion {
  readonly range: TextRange;
  readonly text: string;
  /** Text that the editor compares with the written one from the start of the range. */
  readonly filter: string;
  /** Further insertions of text, elsewhere. */
  readonly more: readonly { readonly at: TextPosition; readonly text: string }[];
}

/** Returns how a candidate replaces a part of a cell, so that the cell has that text whatever is quoted. */
export function insertInto(
  document: QueueDocument,
  cell: DocumentCell,
  { from, to }: { readonly from: number; readonly to: number },
  candidate: Candidate,
): Insertion {
  const { dialect } = document.file;
  const { text, range, isQuoted } = cell;
  const words = candidate.words ?? candidate.label ?? candidate.text;
  const more = cellsToAdd(document, cell, candidate);
  const whole = `${text.slice(0, from)}${candidate.text}${text.slice(to)}`;
  const encoded = encodeCell(whole, dialect, isQuoted);
  if (isQuoted) {
    const part = encodeCell(candidate.text, dialect, true).slice(1, -1);
    return { range: rangeInCell(cell, from, to), text: part, filter: words, more };
  }
  // The whole cell gets quotes, so all of it is replaced.
  if (encoded !== whole) return { range, text: encoded, filter: `${text.slice(0, from)}${words}`, more };
  return { range: rangeInCell(cell, from, to), text: candidate.text, filter: words, more };
}

/** Returns an empty cell for each row that ends before a new last column. */
function cellsToAdd(document: QueueDocument, cell: DocumentCell, { kind }: Candidate): Insertion['more'] {
  const count = document.columns.length;
  if (kind !== 'column' || cell.index !== count - 1) return [];
  return document.rows
    .filter((row) => row.cells.length === count - 1)
    .map((row) => ({ at: row.range.end, text: document.file.dialect.delimiter }));
}
