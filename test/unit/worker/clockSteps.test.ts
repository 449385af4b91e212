import assert from 'node:assert/strict';
import { sleepAwake } from '../../../src/platform/clock';
import { whileRegistered, type RegisteredResult } from '../../../src/worker/registered';
import type { WorkerDeps } from '../../../src/worker/workerDeps';
import type { RunSummary } from '../../../src/worker/bounds/runCounters';
import { work } from '../../../src/worker/work';
import { Harness, EVENING, HOUR_MS, MINUTE_MS, taking } from '../../support/queue/workerHarness';
import { VirtualClock } from '../../support/virtualClock';

const NEVER = new AbortController().signal;

describe('A worker whose machine’s clock is set', () => {
  let harness: Harness;
  let stop: AbortController;
  beforeEach(() => {
    harness = new Harness();
    stop = new AbortController();
  });

  it('forward starts due tasks within the interval at which it reads the queue', async () => {
    harness.store.put(harness.put(1), { scheduledAt: EVENING + 2 * HOUR_MS });
    const working = work(harness.createWorker({ lookAgainMs: 1_000 }), {}, stop.signal);
    await harness.clock.runFor(10 * MINUTE_MS);
    harness.clock.set(3 * HOUR_MS);
    await harness.clock.runFor(1_000);
    assert.equal(harness.runs.length, 1);
    stop.abort();
    await harness.clock.run(working);
  });

  it('forward starts due tasks within seconds', async () => {
    harness.store.put(harness.put(1), { scheduledAt: EVENING + 2 * HOUR_MS });
    const working = work(harness.createWorker(), {}, stop.signal);
    await harness.clock.runFor(10 * MINUTE_MS);
    harness.clock.set(3 * HOUR_MS);
    await harness.clock.runFor(5_000);
    assert.deepEqual(harness.diary, ['21:10 1']);
    stop.abort();
    await harness.clock.run(working);
  });

  for (const [what, tasks] of [
    ['waits', 0],
    ['runs as many tasks as it may', 1],
  ] as const)
    it(`forward while it ${what} records that, once`, async () => {
      if (tasks > 0) harness.put(1, {}, taking(10 * MINUTE_MS));
      const working = work(harness.createWorker(), {}, stop.signal);
      await harness.clock.runFor(5 * MINUTE_MS);
      harness.clock.set(3 * HOUR_MS);
      await harness.clock.runFor(MINUTE_MS);
      const { clockJumps } = await harness.queue.replay({ from: -Infinity, to: Infinity });
      assert.deepEqual(
        clockJumps.map(({ at, byMs }) => [harness.timeOf(at), Math.round(byMs / MINUTE_MS)]),
        [['21:05', 180]],
      );
      stop.abort();
      await harness.clock.run(working);
    });

  it('back while it waits starts a task at its scheduled time', async () => {
    harness.store.put(harness.put(1), { scheduledAt: EVENING + HOUR_MS });
    const working = work(harness.createWorker(), { untilEmpty: false }, stop.signal);
    await harness.clock.runFor(30 * MINUTE_MS);
    harness.clock.set(-2 * HOUR_MS);
    await harness.clock.runFor(4 * HOUR_MS);
    assert.deepEqual(harness.diary, ['19:00 1']);
    stop.abort();
    await harness.clock.run(working);
  });

  it('back during an attempt records it once, without a negative time, and continues with the next', async () => {
    harness.put(1, {}, taking(10 * MINUTE_MS));
    harness.put(2);
    const working = work(harness.createWorker(), { untilEmpty: true }, stop.signal);
    await harness.clock.runFor(5 * MINUTE_MS);
    harness.clock.set(-HOUR_MS);
    assert.equal((await harness.clock.run(working)).ran, 2);
    const attempts = await harness.queue.attempts({});
    assert.deepEqual(
      attempts.map(({ id, outcome }) => [id, outcome]),
      [
        [2, 'success'],
        [1, 'success'],
      ],
    );
    assert.ok(attempts.every(({ waitedMs = -1 }) => waitedMs >= 0));
    assert.ok(attempts.every(({ startedAt, endedAt }) => endedAt >= startedAt));
    assert.equal((await harness.task(1)).state.retryCount, 0);
  });

  it('forward during an attempt, as after a suspension, ends nothing and counts nothing', async () => {
    harness.put(1, {}, taking(10 * MINUTE_MS));
    const working = work(harness.createWorker(), { untilEmpty: true }, stop.signal);
    await harness.clock.runFor(5 * MINUTE_MS);
    harness.clock.set(9 * HOUR_MS);
    assert.deepEqual((await harness.clock.run(working)).failed, []);
    const { state } = await harness.task(1);
    assert.deepEqual([state.status, state.retryCount, harness.runs.length], ['completed', 0, 1]);
  });

  it('past its bound ends it within seconds', async () => {
    harness.store.put(harness.put(1), { scheduledAt: EVENING + 5 * HOUR_MS });
    const working = work(harness.createWorker(), { until: EVENING + HOUR_MS }, stop.signal);
    await harness.clock.runFor(MINUTE_MS);
    harness.clock.set(2 * HOUR_MS);
    await harness.clock.run(working);
    assert.ok(harness.clock.now() <= EVENING + 2 * HOUR_MS + MINUTE_MS + 5_000);
  });
});

describe('A request to stop, where the clock is set back meanwhile', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });

  /** A worker that is on record; one that started before a request to stop hears of it. */
  function register(parts: WorkerDeps): Promise<RegisteredResult<RunSummary>> {
    return whileRegistered(parts, { alone: false }, () => work(parts, { untilEmpty: true }, NEVER));
  }

  it('reaches a worker that started at a later time by the clock', async () => {
    harness.put(1, {}, taking(HOUR_MS));
    harness.put(2);
    const working = register(harness.createWorker());
    await harness.clock.runFor(MINUTE_MS);
    harness.clock.set(-2 * HOUR_MS);
    await harness.queue.stop('now', 'stop');
    await harness.clock.run(working);
    assert.ok(harness.clock.now() <= EVENING - 2 * HOUR_MS + MINUTE_MS + 2_000);
    assert.deepEqual(await harness.claims(), []);
  });

  it('does not stop a worker that starts after it, at an earlier time by the clock', async () => {
    await harness.queue.stop('after-task', 'stop');
    harness.clock.set(-2 * HOUR_MS);
    harness.put(1);
    const registered = await harness.clock.run(register(harness.createWorker()));
    assert.ok(registered.kind === 'ended' && registered.result.ran === 1);
  });

  it('reaches a worker that was about to retry a record', async () => {
    harness.put(1);
    const parts = harness.createWorker();
    await harness.clock.runFor(1_000);
    await harness.queue.stop('after-task', 'stop');
    await harness.clock.runFor(1_000);
    const registered = await harness.clock.run(register(parts));
    assert.ok(registered.kind === 'ended' && registered.result.ran === 0);
  });
});

describe('The timeout of an attempt', () => {
  it('does not run while the machine is suspended', async () => {
    const clock = new VirtualClock(EVENING);
    let isOver = false;
    const bound = sleepAwake(clock, 2 * HOUR_MS, NEVER).then(() => {
      isOver = true;
    });
    await clock.runFor(HOUR_MS);
    clock.suspend(8 * HOUR_MS);
    await clock.runFor(59 * MINUTE_MS);
    assert.equal(isOver, false);
    await clock.runFor(MINUTE_MS);
    assert.equal(isOver, true);
    await bound;
  });

  it('ends with the attempt', async () => {
    const clock = new VirtualClock(EVENING);
    const over = new AbortController();
    const bound = sleepAwake(clock, 2 * HOUR_MS, over.signal);
    await clock.runFor(MINUTE_MS);
    over.abort();
    await bound;
    assert.equal(clock.now(), EVENING + MINUTE_MS);
  });
});
