import { findMisspelled, type MisspelledColumn } from '../../../queue/row/misspelledColumns';
import type { QueueDocument } from '../document/queueDocument';
import type { TextRange } from '../document/textRange';

/** Cell of a header whose column may be misspelled. */
interface MisspelledCell extends MisspelledColumn {
  readonly range: TextRange;
}

/** Returns the cells of a header whose columns may be misspelled. */
export function findMisspelledCells({ header, columns, file }: QueueDocument): readonly MisspelledCell[] {
  if (header === null || !file.whole) return [];
  return findMisspelled(columns).flatMap((found) => {
    const range = header.cells[found.index]?.range;
    return range === undefined ? [] : [{ ...found, range }];
  });
}
