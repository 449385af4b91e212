import assert from 'node:assert/strict';
import { Problem } from '../../../src/domain/problem';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MINUTE_MS } from './bench';

describe('A worker whose queue is out of reach for a while', () => {
  let bench: Bench;
  let stop: AbortController;
  /** What every claim meets now; null: nothing. */
  let obstacle: Error | null;
  let queue: TaskQueue;
  beforeEach(() => {
    bench = new Bench();
    stop = new AbortController();
    obstacle = null;
    queue = Object.assign(Object.create(bench.queue) as TaskQueue, {
      claim: (...args: Parameters<TaskQueue['claim']>) =>
        obstacle === null ? bench.queue.claim(...args) : Promise.reject(obstacle),
    });
    bench.store.put(bench.put(1), { scheduledAt: EVENING + HOUR_MS });
  });
  afterEach(() => bench.remove());

  it('says so once and goes on by itself when it is there again', async () => {
    const working = work(bench.createWorker({ queue }), { maxTasks: 1 }, stop.signal);
    await bench.clock.runFor(10 * MINUTE_MS);
    obstacle = new Problem('queue-missing', 'There is no queue file.');
    await bench.clock.runFor(2 * HOUR_MS);
    assert.deepEqual(bench.diary, []);
    obstacle = null;
    assert.equal((await bench.clock.run(working)).ran, 1);
    assert.deepEqual(
      bench.told.filter((line) => line.includes('trouble')),
      ['18:10 trouble: No task can be begun just now; looking again: There is no queue file.'],
    );
  });

  it('ends at once where it never was there', async () => {
    const missing = new Problem('queue-missing', 'There is no queue file.');
    const none = Object.assign(Object.create(queue) as TaskQueue, { read: () => Promise.reject(missing) });
    const working = work(bench.createWorker({ queue: none }), {}, stop.signal);
    await assert.rejects(bench.clock.run(working), { reason: 'queue-missing' });
  });

  it('ends with what does not pass by itself', async () => {
    const working = work(bench.createWorker({ queue }), {}, stop.signal);
    await bench.clock.runFor(MINUTE_MS);
    obstacle = new Problem('state-newer', 'A newer program wrote this.');
    await assert.rejects(bench.clock.run(working), { reason: 'state-newer' });
  });

  it('can be stopped meanwhile', async () => {
    const working = work(bench.createWorker({ queue }), {}, stop.signal);
    await bench.clock.runFor(MINUTE_MS);
    obstacle = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    await bench.clock.runFor(MINUTE_MS);
    stop.abort();
    assert.equal((await bench.clock.run(working)).ran, 0);
  });
});
