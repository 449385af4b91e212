import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlobSizes } from '../../../../../src/platform/git/indexFile/blobSizes';
import type { Git } from '../../../../../src/platform/git/git';
import { makeIds, placesIn, ID_BYTES } from '../../../../support/machine/objectIds';

const NEVER = new AbortController().signal;

describe('The sizes of objects that are remembered in files', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sizes-'))));
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const file = (): string => join(folder, 'state', 'sizes-sha1');
  const open = (): BlobSizes => new BlobSizes(join(folder, 'state'));
  const git: Git = (_args, _signal, input) =>
    Promise.resolve(
      String(input)
        .split('\n')
        .map((id) => String(id.length === 0 ? '' : parseInt(id.slice(0, 4), 16)))
        .join('\n'),
    );
  const learn = (sizes: BlobSizes, bytes: Buffer): Promise<void> =>
    sizes.learn({ bytes, format: 'sha1' }, placesIn(bytes), git, NEVER);
  const known = (sizes: BlobSizes, bytes: Buffer): (number | undefined)[] =>
    placesIn(bytes).map((at) => sizes.of('sha1', 1).get(bytes, at));

  it('are known to the next process, which remembers more', async () => {
    const ids = makeIds(5_000);
    const expected = placesIn(ids).map((at) => ids.readUInt16BE(at));
    await learn(open(), ids.subarray(0, 4_000 * ID_BYTES));
    const next = open();
    assert.deepEqual(known(next, ids).slice(0, 4_000), expected.slice(0, 4_000));
    assert.equal(next.of('sha1', 1).size, 4_000);
    await learn(next, ids.subarray(4_000 * ID_BYTES));
    assert.deepEqual(known(open(), ids), expected);
    assert.deepEqual(readdirSync(join(folder, 'state')), ['sizes-sha1']);
  });

  it('are not written for a few more', async () => {
    const ids = makeIds(1_005);
    const sizes = open();
    await learn(sizes, ids.subarray(0, 1_000 * ID_BYTES));
    const before = readFileSync(file());
    await learn(sizes, ids.subarray(1_000 * ID_BYTES));
    assert.ok(readFileSync(file()).equals(before));
  });

  it('count as missing if a file is cut off, damaged or cannot be written', async () => {
    const ids = makeIds(100);
    await learn(open(), ids);
    const whole = readFileSync(file());
    const damaged = Buffer.from(whole);
    damaged[50] = (damaged[50] ?? 0) ^ 1;
    for (const bytes of [Buffer.alloc(0), whole.subarray(0, 1_000), Buffer.alloc(whole.length), damaged]) {
      writeFileSync(file(), bytes);
      assert.ok(known(open(), ids).every((size) => size === undefined));
    }
    rmSync(file());
    const nowhere = new BlobSizes(join(file(), 'sub'));
    writeFileSync(file(), '');
    await learn(nowhere, ids);
    assert.ok(known(nowhere, ids).every((size) => size !== undefined));
  });
});
