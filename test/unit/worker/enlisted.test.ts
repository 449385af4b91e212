import assert from 'node:assert/strict';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { whileEnlisted } from '../../../src/worker/registered';
import { work } from '../../../src/worker/worker';
import { Bench } from './bench';

const NEVER = new AbortController().signal;

let bench: Bench;

describe('A worker that is on record', () => {
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.remove());

  it('is told while it works, and no longer', async () => {
    bench.put(1);
    const parts = bench.createWorker();
    const working = whileEnlisted(parts, { alone: true }, () => work(parts, { untilEmpty: true }, NEVER));
    await bench.clock.runFor(30_000);
    assert.deepEqual((await bench.queue.read()).workers, [{ owner: parts.owner, since: parts.since }]);
    const stretch = await bench.clock.run(working);
    assert.ok('ran' in stretch);
    assert.deepEqual([stretch.ran, stretch.failed], [1, []]);
    assert.deepEqual((await bench.queue.read()).workers, []);
  });

  it('keeps another one from working that wants to be alone, and is named to it', async () => {
    const first = bench.createWorker();
    const second = bench.createWorker();
    let hasWorked = false;
    await whileEnlisted(first, { alone: false }, async () => {
      const taken = await whileEnlisted(second, { alone: true }, () => {
        hasWorked = true;
        return Promise.resolve();
      });
      assert.deepEqual(taken, { kind: 'taken', by: { owner: first.owner, since: first.since } });
    });
    assert.equal(hasWorked, false);
  });

  it('is off the record, too, when its work broke', async () => {
    const parts = bench.createWorker();
    const broken = whileEnlisted(parts, { alone: true }, () => Promise.reject(new Error('broken')));
    await assert.rejects(broken, /broken/);
    assert.deepEqual((await bench.queue.read()).workers, []);
  });

  it('tells of an end that could not be written, and keeps what its work came to', async () => {
    const leave = (): Promise<void> => Promise.reject(new Error('no space'));
    const queue = Object.assign(Object.create(bench.queue) as TaskQueue, { leave });
    const parts = bench.createWorker({ queue });
    assert.equal(await whileEnlisted(parts, { alone: true }, () => Promise.resolve('done')), 'done');
    assert.deepEqual(bench.told, ['18:00 trouble: The end of this worker could not be written: no space']);
    bench.processes.alive.delete(parts.owner.process.pid);
    assert.deepEqual((await bench.queue.read()).workers, []);
  });
});
