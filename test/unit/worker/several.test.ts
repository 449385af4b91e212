import assert from 'node:assert/strict';
import { work } from '../../../src/worker/work';
import { Harness, MINUTE_MS, taking } from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;

describe('Two workers on one queue', () => {
  let harness: Harness;

  async function workTogether(): Promise<number[]> {
    const stretches = [1, 2].map(() => work(harness.createWorker(), { untilEmpty: true }, NEVER));
    return (await harness.clock.run(Promise.all(stretches))).map(({ ran }) => ran);
  }

  it('never run two tasks at once by default, and none twice', async () => {
    harness = new Harness();
    for (let id = 1; id <= 6; id += 1)
      harness.put(id, { workingDir: `/place/${id}` }, taking(10 * MINUTE_MS));
    const [first = 0, second = 0] = await workTogether();
    assert.equal(first + second, 6);
    assert.equal(harness.mostAtOnce, 1);
    assert.deepEqual(harness.diary, ['18:00 1', '18:10 2', '18:20 3', '18:30 4', '18:40 5', '18:50 6']);
  });

  it('run two in parallel if maxRunning is two', async () => {
    harness = new Harness({ maxRunning: 2 });
    for (let id = 1; id <= 4; id += 1)
      harness.put(id, { workingDir: `/place/${id}` }, taking(10 * MINUTE_MS));
    assert.deepEqual(await workTogether(), [2, 2]);
    assert.equal(harness.mostAtOnce, 2);
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2', '18:10 3', '18:10 4']);
  });

  it('never run two in one directory', async () => {
    harness = new Harness({ maxRunning: 2 });
    harness.put(1, { workingDir: '/place/a' }, taking(10 * MINUTE_MS));
    harness.put(2, { workingDir: '/place/a' }, taking(10 * MINUTE_MS));
    harness.put(3, { workingDir: '/place/b' }, taking(30 * MINUTE_MS));
    await workTogether();
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 3', '18:10 2']);
  });

  it('close the gate once for one limit', async () => {
    harness = new Harness({ maxRunning: 2 });
    const signal = { kind: 'five_hour', resetAt: harness.clock.now() + 3_600_000, message: 'limit' } as const;
    for (const id of [1, 2]) {
      harness.put(id, { workingDir: `/place/${id}` }, (run, stop) =>
        taking(
          id * MINUTE_MS,
          run.earlier > 0 ? undefined : { outcome: 'limit', reason: 'five_hour', signal },
        )(run, stop),
      );
    }
    await workTogether();
    assert.equal(harness.gate.now.closures.length, 1);
    const limits = await harness.queue.attempts({ outcome: 'limit' });
    assert.equal(new Set(limits.map(({ closedSince }) => closedSince)).size, 1);
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2', '19:01 1', '19:01 2']);
  });
});
