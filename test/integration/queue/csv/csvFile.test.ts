import assert from 'node:assert/strict';
import { appendRecords, readCsv, spliceCells } from '../../../../src/queue/csv/csvFile';
import { columnOf, csvOf, readFixture } from '../csvFixture';

const HEADER = 'id,working_dir,prompt,status';

describe('A queue file', () => {
  it('is read by its header', () => {
    const file = readFixture('plain');
    assert.equal(file.problem, null);
    assert.equal(file.columnCount, 11);
    assert.deepEqual(columnOf(file, 'id'), ['1', '10', '20']);
    assert.deepEqual(columnOf(file, 'prompt'), ['SDKバージョン確認', 'AI技術動向調査', 'レポート生成']);
  });

  it('can start with a byte order mark and have CRLF line ends', () => {
    const { dialect, columns, records } = readFixture('bomCrlf');
    assert.deepEqual(dialect, { bom: true, delimiter: ',', lineEnd: '\r\n', lastLineEnds: true });
    assert.equal(columns.get('id'), 0);
    const second = ['2', 'low', '/srv', 'Sort, then count', 'pending', '', '1', 'no', '', '0', '3'];
    assert.deepEqual(records[1]?.cells, second);
  });

  it('can mix line ends', () => {
    const file = readFixture('mixedLineEnds');
    assert.deepEqual(columnOf(file, 'prompt'), ['one', 'two', 'three', 'four']);
    assert.deepEqual(columnOf(file, 'max_retries'), ['3', '3', '3', '3']);
    const lines = file.records.map(({ line }) => line);
    assert.deepEqual(lines, [2, 3, 5, 6]);
    assert.deepEqual(file.dialect, { bom: false, delimiter: ',', lineEnd: '\r\n', lastLineEnds: false });
  });

  it('can have semicolons or tabs between its cells', () => {
    const semicolon = readFixture('semicolon');
    assert.equal(semicolon.dialect.delimiter, ';');
    assert.deepEqual(columnOf(semicolon, 'prompt'), ['one; two, three']);
    const tab = readFixture('tab');
    assert.equal(tab.dialect.delimiter, '\t');
    assert.deepEqual(columnOf(tab, 'prompt'), ['one, two; three']);
  });

  it('has its dialect detected without text above its header or in quotes', () => {
    const bytes = Buffer.from('  ,\n \n"id";"working_dir";"prompt";"a,b,c,d,e,f"\n1;/srv;one;\n');
    assert.equal(readCsv(bytes.subarray(4)).dialect.delimiter, ';');
  });

  it('can have line ends in its cells and blank lines between its rows', () => {
    const file = readFixture('quotedNewlines');
    const [first, second] = columnOf(file, 'prompt');
    assert.equal(first, 'First line\n\nthird, with "quotes"\r\nfourth');
    assert.equal(second, 'a\nb');
    assert.deepEqual(
      file.records.map(({ line }) => line),
      [3, 8],
    );
  });

  it('can have only a header', () => {
    const file = readFixture('headerOnly');
    assert.equal(file.whole, true);
    assert.deepEqual(file.records, []);
  });

  it('keeps formulas as text', () => {
    const prompts = columnOf(readFixture('formulas'), 'prompt');
    assert.deepEqual(prompts, ['=HYPERLINK("http://example.com","x")', '@SUM(A1)', '+1-1']);
  });

  it('can have column names in any case, with spaces, and repeated unknown ones', () => {
    const file = readFixture('spacesAround');
    assert.deepEqual([...file.columns.keys()], ['id', 'priority', 'working_dir', 'prompt', 'note']);
    assert.deepEqual(columnOf(file, 'prompt'), ['  keep my spaces  ']);
    assert.equal(readFixture('duplicateUnknownColumns').problem, null);
  });

  it('can be of any width and length', () => {
    const wide = csvOf(
      [HEADER, ...Array.from({ length: 10_000 }, (_, index) => `c${index}`)].join(','),
      `1,/srv,one,${',x'.repeat(10_000)}`,
    );
    assert.equal(wide.problem, null);
    assert.equal(wide.records[0]?.cells.length, 10_004);
    const text = 'a "quoted", long\nprompt '.repeat(50_000);
    const long = csvOf(HEADER, `1,/srv,"${text.replaceAll('"', '""')}",`, '2,/srv,two,');
    assert.deepEqual(columnOf(long, 'prompt'), [text, 'two']);
    assert.equal(long.records[1]?.line, 50_003);
  });
});

describe('An unreadable queue file', () => {
  const problemOf = (name: string): string => {
    const { whole, problem } = readFixture(name);
    assert.equal(whole, false);
    assert.ok(problem);
    return `${problem.where.line}:${problem.where.column} ${problem.message}`;
  };

  it('is empty', () => {
    assert.match(
      problemOf('empty'),
      /^1:1 The file is empty\. Its first line names the columns, such as id,priority,[a-z_,]+\.$/,
    );
    assert.match(problemOf('blankLines'), /^1:1 The file is empty/);
    assert.equal(readCsv(Buffer.from([0xef, 0xbb, 0xbf])).whole, false);
  });

  it('ends inside quotes; the rows before are shown', () => {
    assert.match(problemOf('unclosedQuote'), /^3:13 This quote is never closed/);
    assert.deepEqual(columnOf(readFixture('unclosedQuote'), 'prompt'), ['fine']);
    assert.equal(readCsv(Buffer.from('id,"prom')).problem?.where.column, 4);
  });

  it('has no header', () => {
    assert.match(
      problemOf('noHeader'),
      /^1:1 The header lacks id, working_dir, prompt\. It names the columns, such as id,priority,[a-z_,]+\.$/,
    );
    assert.match(csvOf('id,prompt', '1,x').problem?.message ?? '', /lacks working_dir\./);
  });

  it('has a known column twice', () => {
    assert.match(problemOf('duplicateColumn'), /^1:1 The header names the column status twice/);
  });

  it('has a misplaced quote in its header', () => {
    const problem = csvOf('id,working_dir,pro"mpt').problem;
    assert.deepEqual([problem?.where.line, problem?.where.column], [1, 19]);
  });

  it('is not UTF-8', () => assert.match(problemOf('utf16'), /UTF-16\. Save it as UTF-8/));
});

describe('Reading a queue file again', () => {
  const before = csvOf(HEADER, '1,/srv,one,', '2,/srv,two,', '3,/srv,three,', '4,/srv,four,');

  it('reuses unchanged rows', () => {
    const after = readCsv(spliceCells(before, [{ record: 1, column: 'status', text: 'completed' }]), before);
    assert.deepEqual(columnOf(after, 'status'), ['', 'completed', '', '']);
    for (const index of [0, 2, 3]) assert.equal(after.records[index]?.cells, before.records[index]?.cells);
    assert.equal(readCsv(Buffer.from(before.bytes), before), before);
  });

  it('reuses rows that moved because rows above them were added or deleted', () => {
    const longer = readCsv(
      Buffer.from(`${HEADER}\n0,/srv,zero,\n${before.bytes.toString().slice(HEADER.length + 1)}`),
      before,
    );
    assert.deepEqual(columnOf(longer, 'id'), ['0', '1', '2', '3', '4']);
    for (const index of [0, 1, 2, 3])
      assert.equal(longer.records[index + 1]?.cells, before.records[index]?.cells);
    assert.equal(longer.records[4]?.line, 6);
    const shorter = csvOf(HEADER, '1,/srv,one,', '4,/srv,four,');
    assert.equal(readCsv(shorter.bytes, before).records[1]?.cells, before.records[3]?.cells);
  });

  it('reuses nothing if the delimiter changed', () => {
    const after = readCsv(
      Buffer.from(before.bytes.toString().replace(HEADER, HEADER.replaceAll(',', ';'))),
      before,
    );
    assert.deepEqual(after.records[0]?.cells, ['1,/srv,one,']);
  });
});

describe('Changing cells', () => {
  it('changes only their bytes', () => {
    const file = readFixture('quotedNewlines');
    const text = file.bytes.toString();
    const changes = [
      { record: 1, column: 'prompt', text: 'c' },
      { record: 0, column: 'status', text: 'running' },
    ];
    const expected = text.replace('pending', 'running').replace('"a\nb"', '"c"');
    assert.equal(spliceCells(file, changes).toString(), expected);
  });

  it('adds quotes only if they are needed', () => {
    const file = csvOf(HEADER, '1,/srv,"one",pending');
    const written = (column: string, text: string): string =>
      spliceCells(file, [{ record: 0, column, text }])
        .toString()
        .slice(HEADER.length + 1, -1);
    assert.equal(written('status', 'failed'), '1,/srv,"one",failed');
    assert.equal(written('status', ''), '1,/srv,"one",');
    assert.equal(written('status', 'a,b'), '1,/srv,"one","a,b"');
    assert.equal(written('status', 'say "hi"'), '1,/srv,"one","say ""hi"""');
    assert.equal(written('status', 'a\nb'), '1,/srv,"one","a\nb"');
    assert.equal(written('status', '=1+1; a'), '1,/srv,"one",=1+1; a');
    assert.equal(written('prompt', 'plain'), '1,/srv,"plain",pending');
  });

  it('keeps invalid UTF-8, and the later of two changes to a cell', () => {
    const file = readFixture('latin1');
    const changes = ['running', 'completed'].map((text) => ({ record: 1, column: 'status', text }));
    const expected = Buffer.from(
      file.bytes.toString('latin1').replace(/pending(?=[^]*$)(?![^]*pending)/, 'completed'),
      'latin1',
    );
    assert.deepEqual(spliceCells(file, changes), expected);
  });

  it('throws for an unknown cell', () => {
    const file = csvOf(HEADER, '1,/srv');
    assert.throws(() => spliceCells(file, [{ record: 0, column: 'status', text: '' }]), RangeError);
    assert.throws(() => spliceCells(file, [{ record: 0, column: 'nothing', text: '' }]), RangeError);
    assert.throws(() => spliceCells(file, [{ record: 1, column: 'id', text: '' }]), RangeError);
  });
});

describe('Adding a row', () => {
  const row = { prompt: 'say "hi", then go', id: '9', working_dir: '/srv' };

  it('puts each cell under its column, after all other rows', () => {
    const file = csvOf('status,prompt,note,id,working_dir', 'pending,one,,1,/srv', '');
    const added = appendRecords(file, [row]).toString();
    assert.equal(added, `${file.bytes.toString()},"say ""hi"", then go",,9,/srv\n`);
  });

  it('uses the dialect of the file', () => {
    const crlf = readFixture('bomCrlf');
    assert.ok(appendRecords(crlf, [row]).toString().endsWith('\r\n9,,/srv,"say ""hi"", then go",,,,,,,\r\n'));
    const semicolon = appendRecords(readFixture('semicolon'), [row]).toString();
    assert.ok(semicolon.endsWith('\n9;;/srv;"say ""hi"", then go";;;;;;;\n'));
    const tab = appendRecords(readFixture('tab'), [row]).toString();
    assert.ok(tab.endsWith('\n9\t\t/srv\t"say ""hi"", then go"\t\t\t\t\t\t\t\n'));
  });

  it('ends the last line first if it has no line end', () => {
    const file = readFixture('headerOnly');
    const added = appendRecords(file, [row]);
    assert.equal(added.toString(), `${file.bytes.toString()}\n9,,/srv,"say ""hi"", then go",,,,,,,`);
    assert.deepEqual(columnOf(readCsv(added), 'id'), ['9']);
  });

  it('throws for an unknown column', () => {
    assert.throws(() => appendRecords(csvOf(HEADER), [{ ...row, deadline: 'x' }]), RangeError);
  });
});
