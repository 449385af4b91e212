import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { layOut } from '../../../../src/cli/output/table';
import { isProblem } from '../../../../src/domain/problem';
import { readCsv } from '../../../../src/queue/csv/csvFile';
import { TooManyRecords } from '../../../../src/queue/csv/records';
import { MOST_ROWS } from '../../../../src/queue/rowTable';
import { FaultFolder, openQueue } from '../../../faults/faultQueue';
import { isLong } from '../../../support/fuzz';

const HEADER = 'id,working_dir,prompt';

function composeMany(count: number): Buffer {
  const rows = Array.from({ length: count }, (_, index) => `${String(index + 1)},.,x`);
  return Buffer.from([HEADER, ...rows, ''].join('\n'));
}

describe('A queue file with many rows', () => {
  let place: FaultFolder;
  afterEach(() => {
    place.remove();
  });

  it('above 250,000 rows is refused with the limit', async () => {
    place = new FaultFolder(composeMany(250_001));
    await assert.rejects(openQueue(place.file), (error) => {
      assert.ok(isProblem(error, 'queue-unreadable'));
      assert.match(error.message, /has more than 250000 rows, which is the limit\./);
      return true;
    });
  });

  const rows = isLong ? MOST_ROWS : 25_000;
  it(`of ${String(rows)} rows is read and recorded`, async () => {
    place = new FaultFolder(composeMany(rows));
    const queue = await openQueue(place.file);
    await queue.hold({ by: 'person', why: 'night' }, 'hold');
    const { tasks, holds } = await queue.read();
    assert.deepEqual([tasks.length, holds[0]?.why], [rows, 'night']);
    await queue.close();
  });

  if (isLong)
    it('gets no row above 250,000, after which it could not be read', async () => {
      const bytes = composeMany(MOST_ROWS);
      place = new FaultFolder(bytes);
      const queue = await openQueue(place.file);
      const drafts = [{ fields: { working_dir: '.', prompt: 'one more' } }];
      await assert.rejects(queue.addAll(drafts, 'add'), (error) => {
        assert.ok(isProblem(error, 'usage'));
        assert.match(error.message, /would have more than 250000 rows, which is the limit\. Remove finished/);
        return true;
      });
      await queue.close();
      assert.ok(readFileSync(place.file).equals(bytes));
    });
});

it('No cell of a file with too many rows is parsed', () => {
  const bytes = Buffer.from(`${HEADER}\n1,.,x\n2,.,x\n3,.,x\n`);
  const texts: unknown[] = [];
  bytes.toString = (...of) => String(texts.push(of));
  assert.throws(() => readCsv(bytes, undefined, 2), TooManyRecords);
  assert.deepEqual(texts, []);
  assert.equal(readCsv(Buffer.from(`${HEADER}\n1,.,x\n2,.,x\n`), undefined, 2).records.length, 2);
});

it('A table of 150,000 lines is laid out', () => {
  const rows = Array.from({ length: 150_000 }, (_, index) => [String(index), 'x']);
  assert.equal(layOut(['id', 'what'], rows).length, 150_001);
});
