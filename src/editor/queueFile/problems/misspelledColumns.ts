import { nearestWord } from '../../../domain/nearestWord';
import { COLUMNS } from '../../../queue/row/columns';
import type { QueueDocument } from '../document/queueDocument';
import type { TextRange } from '../document/textRange';

/** Unknown column of a header, and the known one that may be meant. */
export interface MisspelledColumn {
  readonly name: string;
  readonly meant: string;
  readonly range: TextRange;
}

/** Returns the unknown columns with a name near that of a column which the file lacks. A file may have columns of its own. */
export function findMisspelled({ header, columns, file }: QueueDocument): readonly MisspelledColumn[] {
  if (header === null || !file.whole) return [];
  const known: readonly string[] = COLUMNS;
  const missing = COLUMNS.filter((column) => !columns.includes(column));
  return columns.flatMap((name, index) => {
    const range = header.cells[index]?.range;
    const meant = known.includes(name) ? null : nearestWord(name, missing);
    return range === undefined || meant === null ? [] : [{ name, meant, range }];
  });
}
