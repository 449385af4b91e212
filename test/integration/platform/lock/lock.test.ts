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
    await until('it is given back', () => !existsSync(lock));
  });

  it('is given back at once', async () => {
    await withLock(lock, () => Promise.resolve());
    assert.ok(!existsSync(lock));
  });

  it('that was left behind before the clock was set back is not waited for', async () => {
    mkdirSync(lock);
    const ahead = new Date(Date.now() + 3_600_000);
    utimesSync(lock, ahead, ahead);
    assert.equal(await withLock(lock, () => Promise.resolve('in')), 'in');
  });

  it('is left to anyone who waited for it, but not for long to one that died', async () => {
    const wanted = `${lock}.wanted`;
    writeFileSync(wanted, '');
    assert.equal(await withLock(lock, () => Promise.resolve('later')), 'later');
    assert.ok(!existsSync(wanted));
  });

  it('is given back when the work fails', async () => {
    await assert.rejects(
      withLock(lock, () => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    assert.equal(await withLock(lock, () => Promise.resolve('next')), 'next');
  });

  it('says beside it who holds it, once it is held for long, and no more when it is given back', async () => {
    const holder = `${lock}.holder`;
    await withLock(lock, async () => {
      assert.ok(!existsSync(holder));
      await until('it is told', () => existsSync(holder) && readFileSync(holder, 'utf8').endsWith('}'));
      const { pid } = JSON.parse(readFileSync(holder, 'utf8')) as { pid: number };
      assert.equal(pid, process.pid);
    });
    assert.ok(!existsSync(holder));
  });

  it('lets those in who wait, though others take it again and again', async () => {
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
