import { isUtf8 } from 'node:buffer';
import type { FileWhere, ReadProblem } from '../../domain/problem';
import type { CsvFile, CsvRecord } from './csvFile';
import { problemAt, scanCells } from './records';
import { t } from '../../platform/text/translate';

/** Returns why the cells of a record cannot be separated or read as text; null if they can. */
export function findDamage(file: CsvFile, record: CsvRecord): ReadProblem<FileWhere> | null {
  const { bytes, dialect, columnCount } = file;
  const content = bytes.subarray(record.start, record.end);
  if (!isUtf8(content)) {
    const cell = scanCells(bytes, record, dialect.delimiter).find(
      ({ start, end }) => !isUtf8(bytes.subarray(start, end)),
    );
    const message = t('This cell contains bytes that are not UTF-8. Save the file as UTF-8.');
    return problemAt(bytes, record, cell?.start ?? record.start, message);
  }
  const nulAt = content.indexOf(0);
  if (nulAt >= 0) {
    const message = t('There is a NUL character here. Remove it.');
    return problemAt(bytes, record, record.start + nulAt, message);
  }
  if (record.strayQuoteAt >= 0) {
    const message = t(
      'This quote is misplaced. Put quotes around the whole cell, without a space before or after them, and write a quote inside it twice.',
    );
    return problemAt(bytes, record, record.strayQuoteAt, message);
  }
  if (record.cells.length === columnCount) return null;
  return problemAt(bytes, record, record.start, describeMisfit(file, record));
}

/** Describes a row with too few or too many cells. */
function describeMisfit({ dialect, columnCount }: CsvFile, { cells }: CsvRecord): string {
  const misfit = t('This row has {0} cells, but the header names {1} columns.', cells.length, columnCount);
  if (cells.length < columnCount) return misfit;
  const delimiter = dialect.delimiter === '\t' ? t('a tab') : dialect.delimiter;
  const advice = t('A cell with "{0}" in it needs quotes around it.', delimiter);
  return `${misfit} ${advice}`;
}
