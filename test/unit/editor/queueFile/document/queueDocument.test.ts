import assert from 'node:assert/strict';
import {
  rangeInCell,
  textBefore,
  type DocumentCell,
} from '../../../../../src/editor/queueFile/document/documentCell';
import { parseOpen } from '../../../../../src/editor/queueFile/document/openDocuments';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import type { TextRange } from '../../../../../src/editor/queueFile/document/textRange';

const HEADER = 'id,priority,working_dir,prompt,dependencies';

/** Returns the part of a text that a range names, by its lines as an editor counts them. */
function cut(text: string, { start, end }: TextRange): string {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/);
  const offsetOf = (line: number): number => lines.slice(0, line).join('').length;
  return text.slice(offsetOf(start.line) + start.character, offsetOf(end.line) + end.character);
}

function cellOf(document: QueueDocument, row: number, column: string): DocumentCell {
  const cell = document.rows[row]?.cell(column);
  assert.ok(cell, `row ${row} has a cell ${column}`);
  return cell;
}

/** The text that each cell's place names, for all records. */
function cutAll(text: string): string[][] {
  const { header, rows } = QueueDocument.parse(text);
  return [header, ...rows].map((record) => (record?.cells ?? []).map(({ range }) => cut(text, range)));
}

describe('A queue file as a document', () => {
  it('has the place of each cell, with its quotes', () => {
    const text = `${HEADER}\n1,high,.,"Say ""hi"", twice",\n\n2,low,src,Test,1|1\n`;
    assert.deepEqual(cutAll(text), [
      HEADER.split(','),
      ['1', 'high', '.', '"Say ""hi"", twice"', ''],
      ['2', 'low', 'src', 'Test', '1|1'],
    ]);
    const document = QueueDocument.parse(text);
    assert.deepEqual(
      document.rows.map(({ index, id, line }) => [index, id, line]),
      [
        [0, 1, 1],
        [1, 2, 3],
      ],
    );
    assert.equal(cellOf(document, 0, 'prompt').text, 'Say "hi", twice');
    assert.equal(cellOf(document, 0, 'prompt').isQuoted, true);
  });

  it('counts characters outside the basic plane as editors do', () => {
    const text = `${HEADER}\n1,high,.,Fix 🐛🐛 in 請求書,2\n2,low,é,"🎉\n🎉🎉 done",1\n`;
    assert.deepEqual(cutAll(text).slice(1), [
      ['1', 'high', '.', 'Fix 🐛🐛 in 請求書', '2'],
      ['2', 'low', 'é', '"🎉\n🎉🎉 done"', '1'],
    ]);
    const { range } = cellOf(QueueDocument.parse(text), 1, 'prompt');
    assert.deepEqual(range, { start: { line: 2, character: 8 }, end: { line: 3, character: 10 } });
  });

  for (const [name, end] of [
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR', '\r'],
  ] as const) {
    it(`has the places of cells over several lines that end in ${name}`, () => {
      const text = [HEADER, '1,high,.,"One', '', 'Two",', '2,low,.,Test,1'].join(end);
      assert.deepEqual(cutAll(text).slice(1), [
        ['1', 'high', '.', `"One${end}${end}Two"`, ''],
        ['2', 'low', '.', 'Test', '1'],
      ]);
      const document = QueueDocument.parse(text);
      assert.deepEqual(document.rows[0]?.range, {
        start: { line: 1, character: 0 },
        end: { line: 3, character: 5 },
      });
    });
  }

  it('knows semicolons and tabs as delimiters', () => {
    for (const delimiter of [';', '\t']) {
      const lines = [HEADER, '1,high,.,"a ; b\tc",', '2,low,.,Test,1'];
      const text = lines.map((line) => line.replaceAll(',', delimiter)).join('\n');
      assert.deepEqual(cutAll(text)[1], ['1', 'high', '.', '"a ; b\tc"', '']);
    }
  });

  it('starts after a byte order mark', () => {
    const text = `\ufeff${HEADER}\n1,high,.,Test,\n`;
    assert.deepEqual(cutAll(text)[0], HEADER.split(','));
    assert.deepEqual(cellOf(QueueDocument.parse(text), 0, 'id').range.start, { line: 1, character: 0 });
    assert.deepEqual(QueueDocument.parse(text).columns, HEADER.split(','));
  });

  it('names cells by the header, in any order and case', () => {
    const document = QueueDocument.parse('Prompt, ID ,working_dir,notes\nTest,7,.,mine,more');
    const [row] = document.rows;
    assert.ok(row);
    assert.deepEqual(
      row.cells.map(({ column }) => column),
      ['prompt', 'id', 'working_dir', 'notes', null],
    );
    assert.equal(row.id, 7);
    assert.equal(cellOf(document, 0, 'notes').text, 'mine');
    assert.equal(row.cell('status'), undefined);
  });

  it('accepts texts that are no queue', () => {
    for (const text of ['', '\n\n', '\ufeff']) {
      const { header, rows, columns } = QueueDocument.parse(text);
      assert.deepEqual([header, rows, columns], [null, [], []]);
    }
    assert.deepEqual(QueueDocument.parse(HEADER).rows, []);
    const open = QueueDocument.parse(`${HEADER}\n1,high,.,Test,\n2,low,.,"Test,\n3,low,.,Test,\n`);
    assert.deepEqual(
      open.rows.map(({ id }) => id),
      [1],
    );
    assert.equal(QueueDocument.parse('"id').header?.cells.length, 1);
  });

  it('finds rows by id, also where several have the same', () => {
    const document = QueueDocument.parse(`${HEADER}\n1,,.,a,\nx,,.,b,\n1,,.,c,\n`);
    const indexes = (id: number): number[] => document.rowsOf(id).map(({ index }) => index);
    assert.deepEqual([indexes(1), indexes(2)], [[0, 2], []]);
    assert.equal(document.rows[1]?.id, null);
  });
});

describe('A position in a queue file', () => {
  const text = `${HEADER}\n1,high,.,"One\nTwo",\n\n2,low,.,Test,1\n`;
  const document = QueueDocument.parse(text);

  it('has a row, except in the header and on a blank line', () => {
    const rows = [0, 1, 2, 3, 4, 5, 9].map((line) => document.rowAt(line)?.id ?? null);
    assert.deepEqual(rows, [null, 1, 1, null, 2, null, null]);
  });

  it('has a cell', () => {
    const at = (line: number, character: number): (string | number | null)[] => {
      const found = document.cellAt({ line, character });
      return [found?.cell.column ?? null, found?.row?.id ?? null];
    };
    assert.deepEqual(at(0, 4), ['priority', null]);
    assert.deepEqual(at(1, 0), ['id', 1]);
    assert.deepEqual(at(1, 1), ['id', 1], 'before a delimiter');
    assert.deepEqual(at(1, 2), ['priority', 1], 'after it');
    assert.deepEqual(at(2, 2), ['prompt', 1]);
    assert.deepEqual(at(2, 5), ['dependencies', 1], 'an empty cell at the end');
    assert.deepEqual(at(3, 0), [null, null]);
    assert.deepEqual(at(4, 99), [null, null]);
  });

  it('has the rows of a part of the text', () => {
    const between = (first: number, last: number): (number | null)[] =>
      document.rowsBetween(first, last).map(({ id }) => id);
    assert.deepEqual(between(0, 0), []);
    assert.deepEqual(between(0, 1), [1]);
    assert.deepEqual(between(2, 3), [1]);
    assert.deepEqual(between(3, 3), []);
    assert.deepEqual(between(3, 9), [2]);
  });
});

describe('A part of a cell', () => {
  it('has its place, also in a quoted cell', () => {
    const text = `${HEADER}\n1,,.,"a ""b""\n🐛 c",2 | 3\n`;
    const document = QueueDocument.parse(text);
    const prompt = cellOf(document, 0, 'prompt');
    const cutPart = (cell: DocumentCell, part: string): string => {
      const from = cell.text.indexOf(part);
      return cut(text, rangeInCell(cell, from, from + part.length));
    };
    assert.equal(cutPart(prompt, 'b'), 'b');
    assert.equal(cutPart(prompt, 'c'), 'c');
    assert.equal(cutPart(prompt, '"\n🐛'), '""\n🐛');
    assert.equal(cutPart(cellOf(document, 0, 'dependencies'), '3'), '3');
  });

  it('is before a position', () => {
    const document = QueueDocument.parse(`${HEADER}\n1,,.,"a ""b""\n🐛 c",2|3\n`);
    const prompt = cellOf(document, 0, 'prompt');
    const before = (line: number, character: number): string => textBefore(prompt, { line, character });
    assert.equal(before(1, 5), '');
    assert.equal(before(1, 6), '');
    assert.equal(before(1, 8), 'a ');
    assert.equal(before(1, 11), 'a "b');
    assert.equal(before(2, 2), 'a "b"\n🐛');
    assert.equal(before(2, 5), prompt.text);
    const dependencies = cellOf(document, 0, 'dependencies');
    const { line, character } = dependencies.range.start;
    assert.equal(textBefore(dependencies, { line, character: character + 2 }), '2|');
  });
});

describe('A document that changes', () => {
  it('is parsed once for each version', () => {
    let text = `${HEADER}\n1,,.,a,\n2,,.,b,\n`;
    let reads = 0;
    const open = {
      version: 1,
      getText: (): string => {
        reads += 1;
        return text;
      },
    };
    const first = parseOpen(open);
    assert.equal(parseOpen(open), first);
    assert.equal(reads, 1);
    text = text.replace('b', 'bb');
    open.version = 2;
    const second = parseOpen(open);
    assert.notEqual(second, first);
    assert.equal(second.file.records[0]?.cells, first.file.records[0]?.cells, 'the same row is reused');
    open.version = 3;
    assert.equal(parseOpen(open), second, 'the same text');
  });

  it('has the places of 10,000 rows', () => {
    const row = (id: number): string => `${id},medium,.,"Part ${id}\nof many",${id > 1 ? id - 1 : ''}`;
    const lines = Array.from({ length: 10_000 }, (_, index) => row(index + 1));
    const text = [HEADER, ...lines].join('\n');
    const document = QueueDocument.parse(text);
    assert.equal(document.rowsOf(9_999)[0]?.line, 2 * 9_998 + 1);
    assert.equal(document.cellAt({ line: 20_000, character: 0 })?.row?.id, 10_000);
    assert.deepEqual(
      document.rowsBetween(10_000, 10_003).map(({ id }) => id),
      [5_000, 5_001, 5_002],
    );
  });
});
