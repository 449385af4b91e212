import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCsv } from '../../../src/queue/csv/csvFile';
import type { CsvFile } from '../../../src/queue/csv/csvFile';

const FOLDER = join(__dirname, '../../fixtures/csv');

/** A file of the corpus in test/fixtures/csv, by its name without `.csv`. */
export function readFixture(name: string): CsvFile {
  return readCsv(readFileSync(join(FOLDER, `${name}.csv`)));
}

/** A queue file of these lines. */
export function csvOf(...lines: string[]): CsvFile {
  return readCsv(Buffer.from(lines.map((line) => `${line}\n`).join('')));
}

/** The texts of one column, from top to bottom. */
export function columnOf(file: CsvFile, column: string): (string | undefined)[] {
  const index = file.columns.get(column) ?? -1;
  return file.records.map(({ cells }) => cells[index]);
}
