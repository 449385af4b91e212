import assert from 'node:assert/strict';
import { work } from '../../../src/worker/work';
import { EVENING, Harness, HOUR_MS, MINUTE_MS, taking } from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;
const ACCEPTED_AT = EVENING + HOUR_MS + 1_234;

describe('A worker at the limit of unreviewed tasks', () => {
  it('waits and says so, and starts the next task at the moment at which one is accepted', async () => {
    const harness = new Harness({ maxUnreviewed: 2 });
    for (const id of [1, 2, 3, 4]) harness.put(id);
    const stop = new AbortController();
    // Without a change of the queue it would not look again before the next day.
    const worker = harness.createWorker({ lookAgainMs: 24 * HOUR_MS });
    const working = work(worker, {}, stop.signal);
    await harness.clock.runUntil(ACCEPTED_AT);
    assert.deepEqual(harness.diary, ['18:00 1', '18:01 2']);
    const waiting = '18:02 waiting: unreviewed: 2 of at most 2; accept or retry one';
    assert.deepEqual(
      harness.reported.filter((line) => line.includes('waiting')),
      [waiting],
    );
    await harness.queue.command(2, 'accept', harness.createId());
    await harness.clock.settle();
    assert.equal(harness.runs[2]?.at, ACCEPTED_AT);
    await harness.clock.runFor(HOUR_MS);
    assert.equal(harness.runs.length, 3);
    stop.abort();
    await harness.clock.run(working);
  });

  it('ends a run until the queue is empty, since nothing starts by itself', async () => {
    const harness = new Harness({ maxUnreviewed: 1 });
    for (const id of [1, 2]) harness.put(id);
    await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(harness.diary, ['18:00 1']);
  });

  it('never has more tasks unreviewed than the limit, also with several slots', async () => {
    const harness = new Harness({ maxUnreviewed: 3, maxRunning: 10 });
    for (const id of [1, 2, 3, 4, 5]) {
      harness.put(id, { workingDir: `/place/${String(id)}` }, taking(id * MINUTE_MS));
    }
    const worker = harness.createWorker({ slots: { min: 4, max: 4 } });
    await harness.clock.run(work(worker, { untilEmpty: true }, NEVER));
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2', '18:00 3']);
    assert.equal((await harness.queue.read()).unreviewed, 3);
  });
});
