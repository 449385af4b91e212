import assert from 'node:assert/strict';
import fc from 'fast-check';
import { appendRecords, readCsv, spanOf, spliceCells } from '../../../../src/queue/csv/csvFile';
import type { CellChange, CsvFile } from '../../../../src/queue/csv/csvFile';
import { comparable, parseAlone } from '../../../support/csv/referenceCsv';

const HEADER = ['id', 'working_dir', 'prompt', 'status'];

const text = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', ',', ';', '\t', '"', '\n', '\r', '表', '😀', '='),
});

/** A cell with what is in it, and whether it gets quotes that it does not need. */
const cell = fc.record({ text, quoted: fc.boolean() });

const fileParts = fc.record({
  bom: fc.boolean(),
  delimiter: fc.constantFrom(',', ';', '\t'),
  rows: fc.array(fc.tuple(cell, cell, cell, cell), { maxLength: 8 }),
  lineEnds: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 9, maxLength: 9 }),
  blankBefore: fc.array(fc.constantFrom('', '', '\n', '  \r\n', '\r\r'), { minLength: 9, maxLength: 9 }),
  lastLineEnds: fc.boolean(),
});
type FileParts = typeof fileParts extends fc.Arbitrary<infer T> ? T : never;

function write({ bom, delimiter, rows, lineEnds, blankBefore, lastLineEnds }: FileParts): Buffer {
  const encode = ({ text: value, quoted }: { text: string; quoted: boolean }): string =>
    quoted || /[,;\t"\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  const lines = [HEADER.join(delimiter), ...rows.map((cells) => cells.map(encode).join(delimiter))];
  const parts = lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    return `${blankBefore[index] ?? ''}${line}${isLast && !lastLineEnds ? '' : (lineEnds[index] ?? '')}`;
  });
  return Buffer.from((bom ? '\ufeff' : '') + parts.join(''));
}

describe('Any queue file', () => {
  it('is read with the written cells, and as csv-parse reads it', () => {
    fc.assert(
      fc.property(fileParts, (parts) => {
        const bytes = write(parts);
        const file = readCsv(bytes);
        assert.equal(file.problem, null);
        assert.equal(file.dialect.delimiter, parts.delimiter);
        assert.equal(file.dialect.bom, parts.bom);
        const cells = file.records.map((record) => record.cells);
        assert.deepEqual(
          cells,
          parts.rows.map((row) => row.map((one) => one.text)),
        );
        assert.deepEqual(cells, parseAlone(bytes, parts.delimiter).slice(1));
        assert.ok(file.records.every((record) => record.strayQuoteAt < 0));
      }),
      { numRuns: 500 },
    );
  });

  it('has exactly one change after a change, and every other byte as before', () => {
    const changes = fc.array(fc.record({ row: fc.nat(), column: fc.constantFrom(...HEADER), text }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(fileParts, changes, (parts, wanted) => {
        fc.pre(parts.rows.length > 0);
        const file = readCsv(write(parts));
        const edits = wanted.map(({ row, column, text: value }) => ({
          record: row % parts.rows.length,
          column,
          text: value,
        }));
        const expected = file.records.map((record) => [...record.cells]);
        for (const { record, column, text: value } of edits) {
          const cells = expected[record];
          if (cells) cells[HEADER.indexOf(column)] = value;
        }
        const after = readCsv(spliceCells(file, edits), file);
        assert.deepEqual(
          after.records.map((record) => record.cells),
          expected,
        );
        assert.deepEqual(around(after, edits), around(file, edits));
      }),
      { numRuns: 500 },
    );
  });

  it('has the same bytes and the new row after an addition', () => {
    fc.assert(
      fc.property(fileParts, fc.tuple(text, text, text, text), (parts, texts) => {
        const file = readCsv(write(parts));
        const cells = Object.fromEntries(HEADER.map((name, index) => [name, texts[index] ?? '']));
        const added = appendRecords(file, [cells]);
        assert.ok(added.subarray(0, file.bytes.length).equals(file.bytes));
        const after = readCsv(added, file);
        assert.equal(after.problem, null);
        assert.deepEqual(after.records.at(-1)?.cells, texts);
        assert.equal(after.records.length, file.records.length + 1);
        assert.deepEqual(readCsv(added), after);
      }),
      { numRuns: 300 },
    );
  });

  it('is read the same with and without an earlier reading', () => {
    fc.assert(
      fc.property(fileParts, fileParts, (before, after) => {
        const bytes = write({ ...after, rows: [...before.rows.slice(1), ...after.rows].slice(0, 8) });
        assert.deepEqual(readCsv(bytes, readCsv(write(before))), readCsv(bytes));
      }),
      { numRuns: 300 },
    );
  });
});

describe('Any bytes at all', () => {
  const noise = fc.string({
    unit: fc.constantFrom('a', ',', '"', '""', '\n', '\r', ' ', '\t', '\0', '\u00e9'),
    maxLength: 60,
  });

  it('are read without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), noise, (bytes, more) => {
        const file = readCsv(Buffer.concat([bytes, Buffer.from(more)]));
        assert.equal(file.whole, file.problem === null);
      }),
      { numRuns: 1000 },
    );
  });

  it('are cut into the records that csv-parse cuts them into', () => {
    fc.assert(
      fc.property(noise, (more) => {
        const bytes = Buffer.from(`id,working_dir,prompt\n${more}`);
        const file = readCsv(bytes);
        if (!file.whole) {
          assert.throws(() => parseAlone(bytes, ','), /Quote Not Closed/);
          return;
        }
        assert.deepEqual(
          comparable(file.records.map((record) => record.cells)),
          comparable(parseAlone(bytes, ',').slice(1)),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('stay unchanged around a changed cell', () => {
    const bytes = fc
      .uint8Array({ maxLength: 40 })
      .map((raw) => raw.filter((byte) => ![0x22, 0x2c, 0x0a, 0x0d].includes(byte)));
    fc.assert(
      fc.property(bytes, text, (raw, status) => {
        const head = Buffer.from('id,working_dir,prompt,status,note\n1,/srv,');
        const file = readCsv(Buffer.concat([head, raw, Buffer.from(',pending,'), raw, Buffer.from('\n')]));
        const after = spliceCells(file, [{ record: 0, column: 'status', text: status }]);
        const start = head.length + raw.length + 1;
        assert.ok(after.subarray(0, start).equals(file.bytes.subarray(0, start)));
        const rest = file.bytes.subarray(start + 'pending'.length);
        assert.ok(after.subarray(after.length - rest.length).equals(rest));
        assert.equal(readCsv(after).records[0]?.cells[3], status);
      }),
    );
  });
});

/** The file's bytes without the cells that were changed: what remains must not differ. */
function around(file: CsvFile, edits: readonly CellChange[]): Buffer {
  const cut = edits.flatMap(({ record, column }) => {
    const row = file.records[record];
    const span = row && spanOf(file, row, column);
    return span === undefined ? [] : [span];
  });
  return Buffer.from(file.bytes.filter((_, at) => !cut.some(({ start, end }) => at >= start && at < end)));
}
