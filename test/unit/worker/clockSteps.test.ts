import assert from 'node:assert/strict';
import { sleepAwake } from '../../../src/platform/clock';
import { whileEnlisted, type Taken } from '../../../src/worker/registered';
import type { WorkerParts } from '../../../src/worker/workerDeps';
import type { Stretch } from '../../../src/worker/bounds/runSummary';
import { work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MINUTE_MS, taking } from './bench';
import { VirtualClock } from './virtualClock';

const NEVER = new AbortController().signal;

describe('A worker whose machine’s clock is set', () => {
  let bench: Bench;
  let stop: AbortController;
  beforeEach(() => {
    bench = new Bench();
    stop = new AbortController();
  });
  afterEach(() => bench.remove());

  it('forward begins within seconds what is due by then', async () => {
    bench.store.put(bench.put(1), { scheduledAt: EVENING + 2 * HOUR_MS });
    const working = work(bench.createWorker(), {}, stop.signal);
    await bench.clock.runFor(10 * MINUTE_MS);
    bench.clock.set(3 * HOUR_MS);
    await bench.clock.runFor(5_000);
    assert.deepEqual(bench.diary, ['21:10 1']);
    stop.abort();
    await bench.clock.run(working);
  });

  it('back while it waits begins a task at the time that its owner wrote', async () => {
    bench.store.put(bench.put(1), { scheduledAt: EVENING + HOUR_MS });
    const working = work(bench.createWorker(), { untilEmpty: false }, stop.signal);
    await bench.clock.runFor(30 * MINUTE_MS);
    bench.clock.set(-2 * HOUR_MS);
    await bench.clock.runFor(4 * HOUR_MS);
    assert.deepEqual(bench.diary, ['19:00 1']);
    stop.abort();
    await bench.clock.run(working);
  });

  it('back during a run records it once, with no time below zero, and goes on with the next', async () => {
    bench.put(1, {}, taking(10 * MINUTE_MS));
    bench.put(2);
    const working = work(bench.createWorker(), { untilEmpty: true }, stop.signal);
    await bench.clock.runFor(5 * MINUTE_MS);
    bench.clock.set(-HOUR_MS);
    assert.equal((await bench.clock.run(working)).ran, 2);
    const attempts = await bench.queue.attempts({});
    assert.deepEqual(
      attempts.map(({ id, outcome }) => [id, outcome]),
      [
        [2, 'success'],
        [1, 'success'],
      ],
    );
    assert.ok(attempts.every(({ waitedMs = -1 }) => waitedMs >= 0));
    assert.ok(attempts.every(({ startedAt, endedAt }) => endedAt >= startedAt));
    assert.equal((await bench.task(1)).state.retryCount, 0);
  });

  it('forward during a run, as after a night’s sleep, ends nothing and counts nothing', async () => {
    bench.put(1, {}, taking(10 * MINUTE_MS));
    const working = work(bench.createWorker(), { untilEmpty: true }, stop.signal);
    await bench.clock.runFor(5 * MINUTE_MS);
    bench.clock.set(9 * HOUR_MS);
    assert.deepEqual((await bench.clock.run(working)).failed, []);
    const { state } = await bench.task(1);
    assert.deepEqual([state.status, state.retryCount, bench.runs.length], ['completed', 0, 1]);
  });

  it('past the end of its stretch ends it within seconds', async () => {
    bench.store.put(bench.put(1), { scheduledAt: EVENING + 5 * HOUR_MS });
    const working = work(bench.createWorker(), { until: EVENING + HOUR_MS }, stop.signal);
    await bench.clock.runFor(MINUTE_MS);
    bench.clock.set(2 * HOUR_MS);
    await bench.clock.run(working);
    assert.ok(bench.clock.now() <= EVENING + 2 * HOUR_MS + MINUTE_MS + 5_000);
  });
});

describe('A request to stop, where the clock is set back meanwhile', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.remove());

  /** A worker that is on record; one that began before a request to stop hears of it. */
  function enlist(parts: WorkerParts): Promise<Stretch | Taken> {
    return whileEnlisted(parts, { alone: false }, () => work(parts, { untilEmpty: true }, NEVER));
  }

  it('is heard by a worker that began at a later time by the clock', async () => {
    bench.put(1, {}, taking(HOUR_MS));
    bench.put(2);
    const working = enlist(bench.createWorker());
    await bench.clock.runFor(MINUTE_MS);
    bench.clock.set(-2 * HOUR_MS);
    await bench.queue.stop('now', 'stop');
    await bench.clock.run(working);
    assert.ok(bench.clock.now() <= EVENING - 2 * HOUR_MS + MINUTE_MS + 2_000);
    assert.deepEqual(await bench.claims(), []);
  });

  it('does not stop a worker that begins after it, at an earlier time by the clock', async () => {
    await bench.queue.stop('after-task', 'stop');
    bench.clock.set(-2 * HOUR_MS);
    bench.put(1);
    const stretch = await bench.clock.run(enlist(bench.createWorker()));
    assert.ok('ran' in stretch && stretch.ran === 1);
  });

  it('is heard by a worker that was about to go on record', async () => {
    bench.put(1);
    const parts = bench.createWorker();
    await bench.clock.runFor(1_000);
    await bench.queue.stop('after-task', 'stop');
    await bench.clock.runFor(1_000);
    const stretch = await bench.clock.run(enlist(parts));
    assert.ok('ran' in stretch && stretch.ran === 0);
  });
});

describe('The time that a run may take', () => {
  it('does not pass while the machine sleeps', async () => {
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

  it('is over at once where the run has ended', async () => {
    const clock = new VirtualClock(EVENING);
    const over = new AbortController();
    const bound = sleepAwake(clock, 2 * HOUR_MS, over.signal);
    await clock.runFor(MINUTE_MS);
    over.abort();
    await bound;
    assert.equal(clock.now(), EVENING + MINUTE_MS);
  });
});
