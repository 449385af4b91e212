import { nearestWord } from '../../domain/nearestWord';
import { t } from '../../platform/text/translate';
import { COLUMNS } from './columns';

/** Unknown column of a header, and the known one that may be meant. */
export interface MisspelledColumn {
  /** Its index in the header. */
  readonly index: number;
  readonly meant: string;
  /** Message for the user. */
  readonly message: string;
}

/**
 * Returns the unknown columns with a name near that of a column which the header lacks. A queue may have columns of its
 * own.
 * @param columns names in the header, trimmed and in lower case
 */
export function findMisspelled(columns: readonly string[]): readonly MisspelledColumn[] {
  const known: readonly string[] = COLUMNS;
  const missing = COLUMNS.filter((column) => !columns.includes(column));
  return columns.flatMap((name, index) => {
    const meant = known.includes(name) ? null : nearestWord(name, missing);
    if (meant === null) return [];
    const message = t('The column "{0}" is not known and has no effect. Did you mean {1}?', name, meant);
    return [{ index, meant, message }];
  });
}
