import assert from 'node:assert/strict';
import { approvalOf } from '../../../src/domain/task/approval';
import type { Stretch } from '../../../src/worker/bounds/runSummary';
import { work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MINUTE_MS, SUCCESS, taking } from './bench';
import { describeReason } from '../../../src/app/present/reasons/reason';

const NEVER = new AbortController().signal;

/** How many ran, what failed, and why no more ran. */
function briefly({ ran, failed, standstill }: Stretch): unknown[] {
  const why = standstill && describeReason(standstill, { now: EVENING, timeZone: 'UTC' });
  return [ran, failed, why];
}

describe('A stretch of work', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.remove());

  it('runs everything in order and ends when nothing is left', async () => {
    bench.put(1, { priority: 'low' });
    bench.put(2, { dependencies: [1] });
    bench.put(3, { priority: 'critical' });
    const stretch = await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(briefly(stretch), [3, [], 'nothing is left to run']);
    assert.deepEqual(bench.diary, ['18:00 3', '18:01 1', '18:02 2']);
    assert.equal((await bench.task(2)).state.status, 'completed');
    assert.deepEqual(await bench.claims(), []);
  });

  it('until empty waits for a back-off, but not for a time of its owner’s', async () => {
    bench.put(1, {}, (run, stop) =>
      taking(MINUTE_MS, run.earlier === 0 ? { outcome: 'error', reason: 'failed' } : SUCCESS)(run, stop),
    );
    bench.store.put(bench.put(2), { scheduledAt: EVENING + HOUR_MS });
    const stretch = await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(bench.diary, ['18:00 1', '18:01 1']);
    assert.equal(bench.runs[1]?.at, EVENING + MINUTE_MS + 30_000);
    assert.equal(bench.runs[1].job.resume, 'retry');
    assert.deepEqual(briefly(stretch), [2, [], 'not before 19:00']);
  });

  it('names the tasks whose last attempt failed', async () => {
    bench.put(1, { maxRetries: 1 }, taking(0, { outcome: 'error', reason: 'failed' }));
    bench.put(2, {}, taking(0, { outcome: 'permanent', reason: 'model' }));
    bench.put(3);
    const stretch = await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(briefly(stretch), [3, [1, 2], 'failed.']);
  });

  it('ends after as many attempts as it was given, and claims no further one', async () => {
    for (const id of [1, 2, 3]) bench.put(id);
    const stretch = await bench.clock.run(work(bench.createWorker(), { maxTasks: 2 }, NEVER));
    assert.equal(stretch.ran, 2);
    assert.deepEqual(bench.diary, ['18:00 1', '18:01 2']);
    assert.deepEqual(await bench.claims(), []);
    await bench.clock.run(work(bench.createWorker(), { maxTasks: 1 }, NEVER));
    assert.equal((await bench.queue.attempts({ id: 3 }))[0]?.number, 1);
  });

  it('begins nothing from its end on, and lets what runs come to its end', async () => {
    for (const id of [1, 2, 3]) bench.put(id, {}, taking(25 * MINUTE_MS));
    const until = EVENING + 30 * MINUTE_MS;
    const stretch = await bench.clock.run(work(bench.createWorker(), { until }, NEVER));
    assert.deepEqual(bench.diary, ['18:00 1', '18:25 2']);
    assert.equal(stretch.ran, 2);
    assert.equal(bench.timeOf(bench.clock.now()), '18:50');
  });

  it('that waits ends at its time', async () => {
    bench.store.put(bench.put(1), { scheduledAt: EVENING + 2 * HOUR_MS });
    await bench.clock.run(work(bench.createWorker(), { until: EVENING + HOUR_MS + 1234 }, NEVER));
    assert.equal(bench.clock.now(), EVENING + HOUR_MS + 1234);
    assert.deepEqual(bench.diary, []);
  });

  it('without bounds begins a scheduled task at its time', async () => {
    bench.store.put(bench.put(1), { scheduledAt: EVENING + 90 * MINUTE_MS });
    const stop = new AbortController();
    const working = work(bench.createWorker(), {}, stop.signal);
    await bench.clock.runFor(2 * HOUR_MS);
    assert.deepEqual(bench.diary, ['19:30 1']);
    stop.abort();
    assert.equal((await bench.clock.run(working)).ran, 1);
  });

  it('begins a task that is added while it waits, without a moment’s delay', async () => {
    const stop = new AbortController();
    const working = work(bench.createWorker(), {}, stop.signal);
    await bench.clock.runUntil(EVENING + 1234);
    bench.put(1);
    await bench.clock.settle();
    assert.equal(bench.runs[0]?.at, EVENING + 1234);
    await bench.clock.runFor(2 * MINUTE_MS);
    stop.abort();
    await bench.clock.run(working);
    assert.equal((await bench.task(1)).state.status, 'completed');
  });

  it('begins nothing while the queue is held, and goes on when it is resumed', async () => {
    bench.put(1);
    await bench.queue.hold({ by: 'person', why: 'lunch' }, 'hold');
    const stop = new AbortController();
    const working = work(bench.createWorker(), {}, stop.signal);
    await bench.clock.runFor(HOUR_MS);
    assert.deepEqual(bench.diary, []);
    assert.deepEqual(bench.told, ['18:00 waiting: the queue is held (lunch)']);
    await bench.queue.resume('resume');
    await bench.clock.settle();
    assert.deepEqual(bench.diary, ['19:00 1']);
    await bench.clock.runFor(HOUR_MS);
    stop.abort();
    await bench.clock.run(working);
  });

  it('leaves unapproved tasks alone until somebody approves them', async () => {
    const approved = new Set<string>();
    bench.put(1);
    const readProofs = () => Promise.resolve({ trusted: false, approvals: approved });
    const working = work(bench.createWorker({ readProofs }), { maxTasks: 1 }, NEVER);
    await bench.clock.runFor(HOUR_MS);
    assert.deepEqual(bench.diary, []);
    approved.add(approvalOf((await bench.task(1)).state));
    await bench.clock.run(working);
    assert.equal(bench.runs.length, 1);
  });

  it('looks at the queue no longer after it has ended', async () => {
    bench.put(1);
    let looks = 0;
    const queue = Object.create(bench.queue) as typeof bench.queue;
    queue.watch = (changed, signal) => {
      bench.queue.watch(() => {
        looks += 1;
        changed();
      }, signal);
    };
    await bench.clock.run(work(bench.createWorker({ queue }), { untilEmpty: true }, NEVER));
    const before = looks;
    bench.put(2);
    assert.equal(looks, before);
    queue.claim = () => Promise.reject(new Error('The queue is gone.'));
    await assert.rejects(bench.clock.run(work(bench.createWorker({ queue }), {}, NEVER)), /gone/);
    bench.put(3);
    assert.equal(looks, before);
  });
});
