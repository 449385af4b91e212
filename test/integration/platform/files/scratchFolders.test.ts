import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { ProcessIdentity } from '../../../../src/domain/task/processIdentity';
import { ScratchFolders } from '../../../../src/platform/files/scratchFolders';

describe('A scratch folder', () => {
  const first = { pid: 1001, startedAt: 'boot/1' };
  const second = { pid: 1002, startedAt: 'boot/2' };
  let parent: string;
  beforeEach(() => {
    parent = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'scratch-')));
  });
  afterEach(() => {
    fs.rmSync(parent, { recursive: true, force: true });
  });

  /** Returns the folders of a process on a machine where these processes run. */
  function foldersOf(own: ProcessIdentity, running: readonly ProcessIdentity[]): ScratchFolders {
    const processes = {
      self: () => own,
      identify: (pid: number) => running.find((one) => one.pid === pid) ?? null,
      isAlive: (one: ProcessIdentity) => running.includes(one),
    };
    return new ScratchFolders(processes, parent);
  }

  it('is of the user alone, and goes with all that is in it', async () => {
    const scratch = foldersOf(first, [first]);
    const folder = await scratch.make();
    assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
    const outside = path.join(parent, 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'file'), 'x');
    fs.mkdirSync(path.join(folder, 'sub'));
    fs.writeFileSync(path.join(folder, 'sub/file'), 'x');
    fs.symlinkSync(outside, path.join(folder, 'sub/link'));
    fs.chmodSync(path.join(folder, 'sub'), 0o500);
    await scratch.remove(folder);
    assert.deepEqual(fs.readdirSync(parent), ['outside']);
    assert.deepEqual(fs.readdirSync(outside), ['file']);
  });

  it('is a leftover once its process has ended, also if another one has its number', async () => {
    const own = await foldersOf(second, [second]).make();
    const left = await foldersOf(first, [first]).make();
    await foldersOf(second, [first, second]).removeLeftovers();
    assert.deepEqual([fs.existsSync(own), fs.existsSync(left)], [true, true]);
    await foldersOf(second, [{ ...first, startedAt: 'boot/3' }, second]).removeLeftovers();
    assert.deepEqual([fs.existsSync(own), fs.existsSync(left)], [true, false]);
  });

  it('is not mistaken for a link or a file with such a name', async () => {
    const left = await foldersOf(first, [first]).make();
    const outside = path.join(parent, 'outside');
    fs.renameSync(left, outside);
    fs.writeFileSync(path.join(outside, 'file'), 'x');
    fs.symlinkSync(outside, left);
    fs.writeFileSync(`${left}x`, 'a file');
    await foldersOf(second, [second]).removeLeftovers();
    assert.deepEqual(fs.readdirSync(outside), ['file']);
    assert.ok(fs.existsSync(left) && fs.existsSync(`${left}x`));
  });
});
