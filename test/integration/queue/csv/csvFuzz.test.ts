import assert from 'node:assert/strict';
import fc from 'fast-check';
import { appendRecords, readCsv, spanOf, spliceCells } from '../../../../src/queue/csv/csvFile';
import type { CsvFile } from '../../../../src/queue/csv/csvFile';
import { readRow } from '../../../../src/queue/csv/row';
import type {} from '../../../../src/queue/csv/row';
import type { RowContext } from '../../../../src/queue/row/rowContext';
import { fuzzed, report } from '../../../support/fuzz';
import { anyFile, mutate, mutations } from '../mutations';
import { comparable, oracle, referenceCells, withoutCells } from '../../../support/csv/referenceCsv';

const CONTEXT: RowContext = {
  timeZone: 'Europe/Berlin',
  folder: '/place',
  home: '/home/me',
  allowBypass: false,
};

/** All that a reading says; how it is kept is its own affair. */
function saidBy({ bytes, dialect, columns, columnCount, records, whole, problem }: CsvFile): string {
  return JSON.stringify({
    bytes: bytes.toString('latin1'),
    dialect: { ...dialect },
    columns: [...columns],
    columnCount,
    records: records.map(({ line, start, end, next, strayQuoteAt, cells }) => {
      return { line, start, end, next, strayQuoteAt, cells: [...cells] };
    }),
    whole,
    problem,
  });
}

/** The records are those that a plain reader finds, and that csv-parse finds where it can. */
function checkAgainstOthers(file: CsvFile): void {
  const { bytes, dialect, records } = file;
  const cells = referenceCells(bytes, dialect.delimiter).slice(1);
  const isCutOff = cells.length > records.length;
  assert.ok(!isCutOff || !file.whole, 'a record is missing');
  assert.deepEqual(
    records.map(({ start, end }) => [start, end]),
    cells.slice(0, records.length).map((each) => [each[0]?.start, each.at(-1)?.end]),
  );
  // A header that holds nothing csv-parse passes over, as it does with any such record.
  const hasNames = [...file.columns.keys()].some((name) => name !== '');
  const isComparable = hasNames && records.length > 0 && !isCutOff;
  const expected = isComparable ? oracle(bytes, dialect.delimiter) : null;
  if (expected === null) return;
  assert.deepEqual(comparable(records.map((record) => record.cells)), comparable(expected.slice(1)));
}

describe('A randomly damaged queue file', () => {
  it('is read without an error, as plain readers read it, and each row is valid or reported', () => {
    const options = fuzzed(700, 60_000);
    fc.assert(
      fc.property(anyFile, mutations, (original, changes) => {
        const file = readCsv(mutate(original, changes));
        assert.equal(file.whole, file.problem === null);
        checkAgainstOthers(file);
        for (const record of file.records.slice(0, 40)) {
          const reading = readRow(file, record, CONTEXT);
          const problems = 'problems' in reading ? reading.problems : [];
          assert.ok('row' in reading || problems.length > 0);
          for (const { where } of problems) assert.ok(where.line >= record.line && where.column >= 1);
        }
      }),
      options,
    );
    report(`${options.numRuns} damaged files read`);
  }).timeout(600_000);

  it('is read the same with and without any earlier readings', () => {
    const options = fuzzed(400, 60_000);
    fc.assert(
      fc.property(anyFile, fc.array(mutations, { minLength: 1, maxLength: 4 }), (original, steps) => {
        let bytes = original;
        let file = readCsv(bytes);
        for (const changes of steps) {
          bytes = mutate(bytes, changes);
          const before = file;
          const saidBefore = bytes.length < 20_000 ? saidBy(before) : null;
          file = readCsv(bytes, before);
          assert.equal(saidBy(file), saidBy(readCsv(bytes)));
          if (saidBefore !== null)
            assert.equal(saidBy(before), saidBefore, 'the earlier reading was changed');
        }
        assert.equal(readCsv(Buffer.from(bytes), file), file);
      }),
      options,
    );
    report(`${options.numRuns} chains of readings compared with fresh ones`);
  }).timeout(600_000);

  it('keeps every byte around cells that are changed and rows that are added', () => {
    const options = fuzzed(300, 20_000);
    const texts = fc.constantFrom('completed', '', '1', 'a,b', 'say "x"', 'two\nlines', '2026-01-01 10:00');
    const wanted = fc.array(fc.record({ row: fc.nat(), cell: fc.nat(), text: texts }), { maxLength: 6 });
    fc.assert(
      fc.property(anyFile, mutations, wanted, (original, changes, cells) => {
        const file = readCsv(mutate(original, changes));
        const names = [...file.columns.keys()];
        const edits = cells.flatMap(({ row, cell, text }) => {
          const record = row % Math.max(1, file.records.length);
          const column = names[cell % Math.max(1, names.length)] ?? '';
          const found = file.records[record];
          // One cell alone makes a blank line when it is emptied: rows of a queue have more.
          return found !== undefined && found.cells.length > 1 && spanOf(file, found, column) !== undefined
            ? [{ record, column, text }]
            : [];
        });
        const after = spliceCells(file, edits);
        const isEdited = (record: number, column: number): boolean =>
          edits.some((edit) => edit.record === record - 1 && file.columns.get(edit.column) === column);
        const { delimiter } = file.dialect;
        assert.ok(
          withoutCells(after, delimiter, isEdited).equals(withoutCells(file.bytes, delimiter, isEdited)),
        );
        const longer = appendRecords(file, [{}]);
        assert.ok(longer.subarray(0, file.bytes.length).equals(file.bytes));
      }),
      options,
    );
    report(`${options.numRuns} damaged files written to`);
  }).timeout(600_000);
});
