import assert from 'node:assert/strict';
import { BlobSizes } from '../../../../../src/platform/git/indexFile/blobSizes';
import { IdTable } from '../../../../../src/platform/git/indexFile/idTable';
import type { Git } from '../../../../../src/platform/git/git';
import { ID_BYTES, makeIds, placesIn } from '../../../../support/machine/objectIds';

const NEVER = new AbortController().signal;

describe('The remembered sizes of objects', () => {
  it('has the number of each name, also of many', () => {
    const table = new IdTable(ID_BYTES);
    const ids = makeIds(10_000);
    const [known, unknown] = [ids.subarray(0, 5_000 * ID_BYTES), ids.subarray(5_000 * ID_BYTES)];
    for (const [number, at] of placesIn(known).entries()) table.set(known, at, number);
    assert.equal(table.size, 5_000);
    for (const [number, at] of placesIn(known).entries()) assert.equal(table.get(known, at), number);
    for (const at of placesIn(unknown)) assert.equal(table.get(unknown, at), undefined);
    table.clear();
    assert.equal(table.get(known, 0), undefined);
  });

  it('tells names apart that differ in their last byte only', () => {
    const table = new IdTable(ID_BYTES);
    const ids = Buffer.alloc(2 * ID_BYTES);
    ids[2 * ID_BYTES - 1] = 1;
    table.set(ids, 0, 7);
    assert.equal(table.get(ids, ID_BYTES), undefined);
    table.set(ids, ID_BYTES, 8);
    table.set(ids, ID_BYTES, 9);
    assert.deepEqual([table.get(ids, 0), table.get(ids, ID_BYTES), table.size], [7, 9, 2]);
  });

  it('forgets nothing that git knows, and does not remember that an object is missing', async () => {
    const sizes = new BlobSizes();
    const bytes = makeIds(3);
    const asked: string[] = [];
    const git: Git = (_args, _signal, input) => {
      asked.push(String(input));
      return Promise.resolve('5\nabc missing\n70000000000\n');
    };
    await sizes.learn({ bytes, format: 'sha1' }, placesIn(bytes), git, NEVER);
    const table = sizes.of('sha1', 3);
    assert.deepEqual(
      placesIn(bytes).map((at) => table.get(bytes, at)),
      [5, undefined, 0x7fffffff],
    );
    assert.equal(asked[0], bytes.toString('hex').replace(/.{40}/g, '$&\n'));
    await sizes.learn({ bytes, format: 'sha1' }, [], git, NEVER);
    assert.equal(asked.length, 1);
  });

  it('forgets sizes only before a look, and none that the index at hand may have', async () => {
    const sizes = new BlobSizes();
    const ids = Buffer.alloc(600_001 * ID_BYTES);
    for (const [number, at] of placesIn(ids).entries()) ids.writeUInt32LE(number, at);
    const git: Git = (_args, _signal, input) =>
      Promise.resolve('5\n'.repeat(String(input).split('\n').length - 1));
    const places = placesIn(ids);
    await sizes.learn({ bytes: ids, format: 'sha1' }, places.slice(0, 600_000), git, NEVER);
    await sizes.learn({ bytes: ids, format: 'sha1' }, places.slice(600_000), git, NEVER);
    assert.deepEqual([sizes.of('sha1', 600_001).size, sizes.of('sha1', 3).size], [600_001, 0]);
  });
});
