import { isUtf8 } from 'node:buffer';
import type { FileWhere, ReadProblem } from '../../domain/problem';
import type { CsvFile, CsvRecord } from './csvFile';
import { placeOf, scanCells } from './records';

/** Returns why the cells of a record cannot be separated or read as text; null if they can. */
export function findDamage(file: CsvFile, record: CsvRecord): ReadProblem<FileWhere> | null {
  const { bytes, dialect, columnCount } = file;
  const content = bytes.subarray(record.start, record.end);
  if (!isUtf8(content)) {
    const cell = scanCells(bytes, record, dialect.delimiter).find(
      ({ start, end }) => !isUtf8(bytes.subarray(start, end)),
    );
    const message = 'This cell contains bytes that are not UTF-8. Save the file as UTF-8.';
    return { where: placeOf(bytes, record, cell?.start ?? record.start), message };
  }
  const nulAt = content.indexOf(0);
  if (nulAt >= 0) {
    const message = 'There is a NUL character here. Remove it.';
    return { where: placeOf(bytes, record, record.start + nulAt), message };
  }
  if (record.strayQuoteAt >= 0) {
    const message =
      'This quote is misplaced. Put quotes around the whole cell, without a space before or after them, and write a quote inside it twice.';
    return { where: placeOf(bytes, record, record.strayQuoteAt), message };
  }
  const count = record.cells.length;
  if (count === columnCount) return null;
  const advice =
    count > columnCount ? ` A cell with "${shown(dialect.delimiter)}" in it needs quotes around it.` : '';
  const message = `This row has ${count} cells, but the header names ${columnCount} columns.${advice}`;
  return { where: placeOf(bytes, record, record.start), message };
}

function shown(delimiter: string): string {
  return delimiter === '\t' ? 'a tab' : delimiter;
}
