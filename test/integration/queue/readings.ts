import assert from 'node:assert/strict';
import type { CsvFile } from '../../../src/queue/csv/csvFile';
import { readRow } from '../../../src/queue/csv/row';
import type { Row } from '../../../src/queue/row/readTexts';
import type { RowContext } from '../../../src/queue/row/rowContext';

export const CONTEXT: RowContext = {
  timeZone: 'Asia/Tokyo',
  folder: '/home/ken/space',
  home: '/home/me',
  allowBypass: false,
};

/** Reads the row of a file. */
export function readAt(file: CsvFile, index: number, context = CONTEXT): ReturnType<typeof readRow> {
  const record = file.records[index];
  assert.ok(record);
  return readRow(file, record, context);
}

/** A row that must be understood. */
export function understood(file: CsvFile, index = 0, context = CONTEXT): Row {
  const reading = readAt(file, index, context);
  assert.ok('row' in reading, JSON.stringify(reading));
  return reading.row;
}

/** Returns line, column and message of each problem of a row. */
export function wrongWith(file: CsvFile, index = 0, context = CONTEXT): string[] {
  const reading = readAt(file, index, context);
  assert.ok('problems' in reading, 'the row was understood');
  return reading.problems.map(({ where: { line, column }, message }) => `${line}:${column} ${message}`);
}
