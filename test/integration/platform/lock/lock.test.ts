import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../../../../src/platform/lock/lock';
import { until } from '../../../support/until';

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

  it('runs one caller after another, and returns the result of each', async () => {
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
    await until('it is given back', () => !existsSync(lock));
  });

  it('is released at once', async () => {
    await withLock(lock, () => Promise.resolve());
    assert.ok(!existsSync(lock));
  });

  it('that is stale from before the clock was set back is not waited for', async () => {
    mkdirSync(lock);
    const ahead = new Date(Date.now() + 3_600_000);
    utimesSync(lock, ahead, ahead);
    assert.equal(await withLock(lock, () => Promise.resolve('in')), 'in');
  });

  it('is left to a waiting caller, but not for long to a dead one', async () => {
    const wanted = `${lock}.wanted`;
    writeFileSync(wanted, '');
    assert.equal(await withLock(lock, () => Promise.resolve('later')), 'later');
    assert.ok(!existsSync(wanted));
  });

  it('is released when the caller fails', async () => {
    await assert.rejects(
      withLock(lock, () => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    assert.equal(await withLock(lock, () => Promise.resolve('next')), 'next');
  });

  it("has its holder's name beside it when held for long, until it is released", async () => {
    const holder = `${lock}.holder`;
    await withLock(lock, async () => {
      assert.ok(!existsSync(holder));
      await until(
        'the name is written',
        () => existsSync(holder) && readFileSync(holder, 'utf8').endsWith('}'),
      );
      const { pid } = JSON.parse(readFileSync(holder, 'utf8')) as { pid: number };
      assert.equal(pid, process.pid);
    });
    assert.ok(!existsSync(holder));
  });

  it('lets waiting callers in although others take it again and again', async () => {
    let isOver = false;
    const greedy = async (): Promise<void> => {
      while (!isOver) await withLock(lock, () => new Promise((resolve) => setTimeout(resolve, 1)));
    };
    const others = [greedy(), greedy()];
    const work = withLock(lock, () => Promise.resolve('mine'));
    assert.equal(await work, 'mine');
    isOver = true;
    await Promise.all(others);
  });

  it('that is stale is taken over at once', async () => {
    mkdirSync(lock);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    assert.equal(await withLock(lock, () => Promise.resolve('mine')), 'mine');
  });

  it('does not fail the holder whose lock was taken away', async () => {
    const answer = withLock(lock, () => {
      rmdirSync(lock);
      return Promise.resolve('done');
    });
    assert.equal(await answer, 'done');
  });
});
