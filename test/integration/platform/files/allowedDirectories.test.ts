import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOutside, resolveAllowed } from '../../../../src/platform/files/allowedDirectories';
import { withDeadDisk } from '../../../support/machine/deadDisk';

describe('A folder on a disk that does not answer', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'allowed-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is not shown to be in the allowed folders', async () => {
    const dead = join(folder, 'dead');
    assert.ok((await withDeadDisk(dead, () => findOutside(dead, [folder])))?.includes(dead));
  });

  it('may be an allowed folder', async () => {
    assert.deepEqual(await withDeadDisk(folder, () => resolveAllowed([folder], '/home/me')), [folder]);
  });
});
