import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCsv, type CsvFile } from '../../../../src/queue/csv/csvFile';

const piece = fc.constantFrom(
  'a',
  '1',
  ',',
  ',',
  ';',
  '"',
  '""',
  '\n',
  '\r\n',
  '\r',
  ' ',
  'x,y\n',
  '"q,\n""r""",z\n',
  'é',
);
const edit = fc.record({
  at: fc.nat(200),
  gone: fc.nat(4),
  typed: fc.array(piece, { maxLength: 3 }).map((parts) => parts.join('')),
});

describe('An edited queue file', () => {
  it('is read the same with and without an earlier reading, whatever was typed', () => {
    const headerEnd = fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\r\n', '');
    const body = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(headerEnd, body, fc.array(edit, { maxLength: 4 }), (end, rows, edits) => {
        const before = `id,working_dir,prompt${end}${rows}`;
        const after = edits.reduce((text, { at, gone, typed }) => {
          const place = at % (text.length + 1);
          return text.slice(0, place) + typed + text.slice(place + gone);
        }, before);
        const bytes = Buffer.from(after);
        assert.deepEqual(readCsv(bytes, readCsv(Buffer.from(before))), readCsv(bytes));
      }),
      { numRuns: 3_000 },
    );
  });

  it('keeps the same cell objects for unchanged records, also for those that moved', () => {
    const rows = Array.from({ length: 500 }, (_, index) => `${index},/w,prompt ${index},pending`);
    const before = csvOf(rows);
    const changed = rows.map((row, index) => (index % 100 === 50 ? row.replace('pending', 'running') : row));
    const after = readCsv(csvOf(changed).bytes, before);
    after.records.forEach((record, index) => {
      assert.equal(record.cells === before.records[index]?.cells, index % 100 !== 50, `record ${index}`);
    });
    const longer = readCsv(csvOf(['new,/w,x,', ...rows.slice(0, 300), ...rows.slice(301)]).bytes, before);
    longer.records.slice(301).forEach((record, index) => {
      assert.equal(record.cells, before.records[index + 301]?.cells);
    });
  });
});

function csvOf(rows: readonly string[]): CsvFile {
  return readCsv(Buffer.from(['id,working_dir,prompt,status', ...rows, ''].join('\n')));
}
