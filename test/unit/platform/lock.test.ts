import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../../../src/platform/lock';

describe('The lock', () => {
  let folder = '';
  let lock = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-lock-'));
    lock = join(folder, 'queue.lock');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('lets one after another in, and gives what the work gives', async () => {
    let inside = 0;
    const visit = (name: string): Promise<string> =>
      withLock(lock, async () => {
        inside += 1;
        assert.equal(inside, 1);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        return name;
      });
    assert.deepEqual(await Promise.all(['a', 'b', 'c', 'd'].map(visit)), ['a', 'b', 'c', 'd']);
    assert.ok(!existsSync(lock));
  });

  it('is given back when the work fails', async () => {
    await assert.rejects(
      withLock(lock, () => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    assert.equal(await withLock(lock, () => Promise.resolve('next')), 'next');
  });

  it('says beside it who holds it', async () => {
    await withLock(lock, () => {
      const holder = JSON.parse(readFileSync(`${lock}.holder`, 'utf8')) as { pid: number };
      assert.equal(holder.pid, process.pid);
      return Promise.resolve();
    });
  });

  it('that was left behind is taken over at once', async () => {
    mkdirSync(lock);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    assert.equal(await withLock(lock, () => Promise.resolve('mine')), 'mine');
  });

  it('does not fail the work of an owner whose lock was taken away meanwhile', async () => {
    const answer = withLock(lock, () => {
      rmdirSync(lock);
      return Promise.resolve('done');
    });
    assert.equal(await answer, 'done');
  });
});
