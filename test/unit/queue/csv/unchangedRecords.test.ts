import assert from 'node:assert/strict';
import { scanRecords } from '../../../../src/queue/csv/records';
import { Unchanged } from '../../../../src/queue/csv/unchangedRecords';

/** The records of the second text that are the same as the record of the first with the same text. */
function same(before: string, now: string): string[] {
  const [a, b] = [Buffer.from(before), Buffer.from(now)];
  const unchanged = new Unchanged(a, b);
  const old = scanRecords(a, 0, ',').records;
  return scanRecords(b, 0, ',')
    .records.filter((span) => old.some((earlier) => unchanged.isSame(earlier, span)))
    .map(({ start, end }) => b.toString('utf8', start, end));
}

describe('Records of two versions of a file', () => {
  it('are the same before, behind and between changes', () => {
    assert.deepEqual(same('a,1\nb,2\nc,3\nd,4\ne,5\n', 'a,1\nB,22\nc,3\nD,4\ne,5\n'), ['a,1', 'c,3', 'e,5']);
    assert.deepEqual(same('a\nb\n', 'a\nb\n'), ['a', 'b']);
    assert.deepEqual(same('', 'a\n'), []);
    assert.deepEqual(same('a\n', ''), []);
  });

  it('differ where one is the beginning or the end of the other', () => {
    assert.deepEqual(same('ab\ncd', 'a\nd'), []);
    assert.deepEqual(same('aa\naa', 'aa\naaa'), ['aa']);
  });

  it('are found in long files, whatever the place and size of the change', () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => `${index},row`);
    const text = rows.join('\n');
    for (const at of [0, 1, 4_500, 8_998, 8_999]) {
      for (const by of ['', 'x', `${at},row,and more`, 'x\ny']) {
        const now = rows.with(at, by).join('\n');
        const before = scanRecords(Buffer.from(text), 0, ',').records;
        const after = scanRecords(Buffer.from(now), 0, ',').records;
        const unchanged = new Unchanged(Buffer.from(text), Buffer.from(now));
        const found = after.filter((span, index) => {
          const fromEnd = before[before.length + index - after.length];
          return [before[index], fromEnd].some((earlier) => earlier && unchanged.isSame(earlier, span));
        });
        assert.equal(found.length, 8_999, `${at} by ${by}`);
      }
    }
  });
});
