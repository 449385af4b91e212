import assert from 'node:assert/strict';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { whileRegistered } from '../../../src/worker/registered';
import { work } from '../../../src/worker/work';
import { Harness } from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;

let harness: Harness;

describe('A registered worker', () => {
  beforeEach(() => {
    harness = new Harness();
  });

  it('is listed while it runs, with what it may run, and not afterwards', async () => {
    harness.put(1);
    const parts = harness.createWorker();
    const working = whileRegistered(parts, { alone: true }, () => work(parts, { untilEmpty: true }, NEVER));
    await harness.clock.runFor(30_000);
    const approvals = { trusted: true, unapproved: [] };
    assert.deepEqual((await harness.queue.read()).workers, [
      { owner: parts.owner, since: parts.since, approvals },
    ]);
    const registered = await harness.clock.run(working);
    assert.ok(registered.kind === 'ended');
    const { result: summary } = registered;
    assert.deepEqual([summary.ran, summary.failed], [1, []]);
    assert.deepEqual((await harness.queue.read()).workers, []);
  });

  it('is listed with the tasks that it takes, where it does not take all', async () => {
    const parts = { ...harness.createWorker(), choice: { priorities: ['high'], tags: ['docs'] } as const };
    await whileRegistered(parts, { alone: false }, async () => {
      const [{ takes } = {}] = (await harness.queue.read()).workers;
      assert.deepEqual(takes, parts.choice);
    });
  });

  it('is listed with its slots, where it has several', async () => {
    const parts = harness.createWorker({ slots: { min: 2, max: 4 } });
    await whileRegistered(parts, { alone: false }, async () => {
      const [{ slots } = {}] = (await harness.queue.read()).workers;
      assert.deepEqual(slots, parts.slots);
    });
  });

  it('stops another one with --alone from starting, and is named to it', async () => {
    const first = harness.createWorker();
    const second = harness.createWorker();
    let hasWorked = false;
    await whileRegistered(first, { alone: false }, async () => {
      const taken = await whileRegistered(second, { alone: true }, () => {
        hasWorked = true;
        return Promise.resolve();
      });
      assert.deepEqual(taken, { kind: 'taken', by: { owner: first.owner, since: first.since } });
    });
    assert.equal(hasWorked, false);
  });

  it('is unregistered also if its work broke', async () => {
    const parts = harness.createWorker();
    const broken = whileRegistered(parts, { alone: true }, () => Promise.reject(new Error('broken')));
    await assert.rejects(broken, /broken/);
    assert.deepEqual((await harness.queue.read()).workers, []);
  });

  it('reports an end that could not be written, and returns its result', async () => {
    const leave = (): Promise<void> => Promise.reject(new Error('no space'));
    const queue = Object.assign(Object.create(harness.queue) as TaskQueue, { leave });
    const parts = harness.createWorker({ queue });
    const registered = await whileRegistered(parts, { alone: true }, () => Promise.resolve('done'));
    assert.deepEqual(registered, { kind: 'ended', result: 'done' });
    assert.deepEqual(harness.reported, [
      '18:00 trouble: The end of this worker could not be written: no space',
    ]);
    harness.processes.alive.delete(parts.owner.process.pid);
    assert.deepEqual((await harness.queue.read()).workers, []);
  });
});
