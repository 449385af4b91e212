import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readCsv } from '../../../../src/queue/csv/csvFile';
import { moveRow } from '../../../../src/queue/csv/newRow';
import { fuzzed, seed } from '../../../support/fuzz';
import { csvOf } from '../csvFixture';

function move(text: string, id: number, before: number | null): string {
  return moveRow(readCsv(Buffer.from(text)), id, before).toString();
}

const HEADER = '\ufeffid;prompt;working_dir\r\n';
const ONE = '1;"one\r\n""line""";/srv';

describe('Moving a row', () => {
  it('takes its bytes with it and changes no other byte', () => {
    const text = `${HEADER}${ONE}\r\n\n3;"three";/srv\n2;two;/srv\r\n`;
    const moved = `${HEADER}2;two;/srv\r\n${ONE}\r\n\n3;"three";/srv\n`;
    assert.equal(move(text, 2, 1), moved);
    assert.equal(move(moved, 2, null), text);
  });

  it('keeps the line end of the last line, or its lack', () => {
    assert.equal(move(`${HEADER}${ONE}\r\n2;two;/srv`, 2, 1), `${HEADER}2;two;/srv\r\n${ONE}`);
    assert.equal(move(`${HEADER}${ONE}\r\n2;two;/srv`, 1, null), `${HEADER}2;two;/srv\r\n${ONE}`);
    assert.equal(move(`${HEADER}${ONE}\r2;two;/srv`, 1, null), `${HEADER}2;two;/srv\r${ONE}`);
  });

  it('changes nothing where the row is already', () => {
    const text = `${HEADER}${ONE}\r\n\r\n2;two;/srv\r\n \t`;
    for (const [id, before] of [
      [1, 1],
      [1, 2],
      [2, null],
    ] as const)
      assert.equal(move(text, id, before), text);
  });

  it('is refused if a row is missing, damaged, or not the only one with its id', () => {
    const file = csvOf(
      'id,working_dir,prompt',
      '1,/srv,one',
      '2,/srv,two "2"',
      '3,/srv,x',
      '3,/srv,y',
      '4,/srv',
    );
    const refused = (id: number, before: number | null, what: object): void => {
      assert.throws(() => moveRow(file, id, before), what);
    };
    refused(9, 1, { reason: 'no-such-task', message: /no task 9/ });
    refused(1, 9, { reason: 'no-such-task', message: /no task 9/ });
    refused(2, 1, { reason: 'usage', message: /task 2 is damaged: .* Move it by hand\./s });
    refused(1, 2, { reason: 'usage', message: /task 2 is damaged: .* Move task 1 by hand\./s });
    refused(1, 3, { reason: 'usage', message: /more than one row/ });
    refused(4, 1, { reason: 'usage', message: /task 4 is damaged/ });
  });

  it(`has the same rows in the new order, in any file (FUZZ_SEED=${String(seed)})`, () => {
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    const line = fc.record({
      prompt: fc.constantFrom('do', '"a\nb"', '"a\r\nb"', '"say ""x"""', '表 😀', ' x '),
      blanks: fc.array(fc.constantFrom('\n', ' \r\n'), { maxLength: 1 }),
      end: lineEnd,
    });
    const given = fc.record({
      lines: fc.array(line, { minLength: 1, maxLength: 6 }),
      isOpen: fc.boolean(),
      id: fc.nat(5),
      before: fc.option(fc.nat(5), { freq: 3 }),
    });
    fc.assert(
      fc.property(given, ({ lines, isOpen, ...pick }) => {
        const rows = lines.map(({ prompt }, index) => `${String(index + 1)},/srv,${prompt}`);
        const ends = lines.map(({ end, blanks }, index) =>
          isOpen && index === lines.length - 1 ? '' : end + (end === '\r' ? '' : blanks.join('')),
        );
        const text = `id,working_dir,prompt\n${rows.map((row, index) => row + (ends[index] ?? '')).join('')}`;
        const id = (pick.id % lines.length) + 1;
        const before = pick.before === null ? null : (pick.before % lines.length) + 1;
        const moved = moveRow(readCsv(Buffer.from(text)), id, before);
        const file = readCsv(moved);
        const others = rows.filter((_, index) => index + 1 !== id);
        const at = before === null ? others.length : others.indexOf(rows[before - 1] ?? '');
        const expected = before === id ? rows : others.toSpliced(at, 0, rows[id - 1] ?? '');
        assert.deepEqual(
          file.records.map(({ start, end }) => moved.toString('utf8', start, end)),
          expected,
        );
        assert.equal(moved.length, Buffer.byteLength(text));
      }),
      fuzzed(250, 20_000),
    );
  });
});
