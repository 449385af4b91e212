import assert from 'node:assert/strict';
import { approvalOf } from '../../../../src/domain/task/approval';
import type { RunSummary } from '../../../../src/worker/bounds/runCounters';
import { work } from '../../../../src/worker/work';
import { Harness, EVENING, HOUR_MS, MINUTE_MS, SUCCESS, taking } from '../../../support/queue/workerHarness';
import { describeReason } from '../../../../src/app/present/reasons/reason';

const NEVER = new AbortController().signal;

/** Number of attempts, failed tasks, and the reason why no more ran. */
function briefly({ ran, failed, idleReason }: RunSummary): unknown[] {
  const why = idleReason && describeReason(idleReason, { now: EVENING, timeZone: 'UTC' });
  return [ran, failed, why];
}

describe('A worker', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });

  it('runs everything in order and ends when nothing is left', async () => {
    harness.put(1, { priority: 'low' });
    harness.put(2, { dependencies: [1] });
    harness.put(3, { priority: 'critical' });
    const summary = await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(briefly(summary), [3, [], 'no task is left to run']);
    assert.deepEqual(harness.diary, ['18:00 3', '18:01 1', '18:02 2']);
    assert.equal((await harness.task(2)).state.status, 'completed');
    assert.deepEqual(await harness.claims(), []);
  });

  it('with --until-empty waits for a back-off, but not for a scheduled time', async () => {
    harness.put(1, {}, (run, stop) =>
      taking(MINUTE_MS, run.earlier === 0 ? { outcome: 'error', reason: 'failed' } : SUCCESS)(run, stop),
    );
    harness.store.put(harness.put(2), { scheduledAt: EVENING + HOUR_MS });
    const summary = await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(harness.diary, ['18:00 1', '18:01 1']);
    assert.equal(harness.runs[1]?.at, EVENING + MINUTE_MS + 30_000);
    assert.equal(harness.runs[1].job.resume, 'retry');
    assert.deepEqual(briefly(summary), [2, [], 'not before 19:00']);
  });

  it('names the tasks whose last attempt failed', async () => {
    harness.put(1, { maxRetries: 1 }, taking(0, { outcome: 'error', reason: 'failed' }));
    harness.put(2, {}, taking(0, { outcome: 'permanent', reason: 'model' }));
    harness.put(3);
    const summary = await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(briefly(summary), [3, [1, 2], 'failed.']);
  });

  it('names no task that an overload interrupted: it is tried again', async () => {
    harness.put(1, {}, taking(0, { outcome: 'transient', reason: '529' }));
    const summary = await harness.clock.run(work(harness.createWorker(), { maxTasks: 1 }, NEVER));
    assert.deepEqual([summary.ran, summary.failed], [1, []]);
  });

  it('ends after --max-tasks attempts, and claims no further one', async () => {
    for (const id of [1, 2, 3]) harness.put(id);
    const summary = await harness.clock.run(work(harness.createWorker(), { maxTasks: 2 }, NEVER));
    assert.equal(summary.ran, 2);
    assert.deepEqual(harness.diary, ['18:00 1', '18:01 2']);
    assert.deepEqual(await harness.claims(), []);
    await harness.clock.run(work(harness.createWorker(), { maxTasks: 1 }, NEVER));
    assert.equal((await harness.queue.attempts({ id: 3 }))[0]?.number, 1);
  });

  it('starts nothing after --until, and lets running attempts end', async () => {
    for (const id of [1, 2, 3]) harness.put(id, {}, taking(25 * MINUTE_MS));
    const until = EVENING + 30 * MINUTE_MS;
    const summary = await harness.clock.run(work(harness.createWorker(), { until }, NEVER));
    assert.deepEqual(harness.diary, ['18:00 1', '18:25 2']);
    assert.equal(summary.ran, 2);
    assert.equal(harness.timeOf(harness.clock.now()), '18:50');
  });

  it('ends at --until while it waits', async () => {
    harness.store.put(harness.put(1), { scheduledAt: EVENING + 2 * HOUR_MS });
    await harness.clock.run(work(harness.createWorker(), { until: EVENING + HOUR_MS + 1234 }, NEVER));
    assert.equal(harness.clock.now(), EVENING + HOUR_MS + 1234);
    assert.deepEqual(harness.diary, []);
  });

  it('starts a scheduled task at its time without bounds', async () => {
    harness.store.put(harness.put(1), { scheduledAt: EVENING + 90 * MINUTE_MS });
    const stop = new AbortController();
    const working = work(harness.createWorker(), {}, stop.signal);
    await harness.clock.runFor(2 * HOUR_MS);
    assert.deepEqual(harness.diary, ['19:30 1']);
    stop.abort();
    assert.equal((await harness.clock.run(working)).ran, 1);
  });

  it('starts a task at once that is added while it waits', async () => {
    const stop = new AbortController();
    const working = work(harness.createWorker(), {}, stop.signal);
    await harness.clock.runUntil(EVENING + 1234);
    harness.put(1);
    await harness.clock.settle();
    assert.equal(harness.runs[0]?.at, EVENING + 1234);
    await harness.clock.runFor(2 * MINUTE_MS);
    stop.abort();
    await harness.clock.run(working);
    assert.equal((await harness.task(1)).state.status, 'completed');
  });

  it('starts nothing while the queue is paused, and continues when it is resumed', async () => {
    harness.put(1);
    await harness.queue.hold({ by: 'person', why: 'lunch' }, 'hold');
    const stop = new AbortController();
    const working = work(harness.createWorker(), {}, stop.signal);
    await harness.clock.runFor(HOUR_MS);
    assert.deepEqual(harness.diary, []);
    assert.deepEqual(harness.reported, ['18:00 waiting: the queue is paused (lunch)']);
    await harness.queue.resume('resume');
    await harness.clock.settle();
    assert.deepEqual(harness.diary, ['19:00 1']);
    await harness.clock.runFor(HOUR_MS);
    stop.abort();
    await harness.clock.run(working);
  });

  it('does not start unapproved tasks until they are approved', async () => {
    const approved = new Set<string>();
    harness.put(1);
    const readApprovedRows = () => Promise.resolve({ trusted: false, approvals: approved });
    const working = work(harness.createWorker({ readApprovedRows }), { maxTasks: 1 }, NEVER);
    await harness.clock.runFor(HOUR_MS);
    assert.deepEqual(harness.diary, []);
    approved.add(approvalOf((await harness.task(1)).state));
    await harness.clock.run(working);
    assert.equal(harness.runs.length, 1);
  });

  it('reports a row that waits for approval, unless it is approved as soon as it was added', async () => {
    const approved = new Set<string>();
    const readApprovedRows = () => Promise.resolve({ trusted: false, approvals: approved });
    const stop = new AbortController();
    const working = work(harness.createWorker({ readApprovedRows, lookAgainMs: HOUR_MS }), {}, stop.signal);
    await harness.clock.runFor(MINUTE_MS);
    const waiting = () => harness.reported.filter((line) => line.includes('waiting'));
    assert.deepEqual(waiting(), ['18:00 waiting: no task is left to run']);
    harness.put(1);
    await harness.clock.runFor(1_000);
    approved.add(approvalOf((await harness.task(1)).state));
    await harness.clock.runFor(2 * MINUTE_MS);
    assert.deepEqual(harness.diary, ['18:01 1']);
    harness.put(2);
    await harness.clock.runFor(MINUTE_MS);
    assert.deepEqual(waiting().slice(1), [
      '18:02 waiting: no task is left to run',
      '18:03 waiting: not approved on this machine',
    ]);
    stop.abort();
    await harness.clock.run(working);
  });

  it('does not read the queue after it has ended', async () => {
    harness.put(1);
    let looks = 0;
    const queue = Object.create(harness.queue) as typeof harness.queue;
    queue.watch = (changed, signal) => {
      harness.queue.watch(() => {
        looks += 1;
        changed();
      }, signal);
    };
    await harness.clock.run(work(harness.createWorker({ queue }), { untilEmpty: true }, NEVER));
    const before = looks;
    harness.put(2);
    assert.equal(looks, before);
    queue.claim = () => Promise.reject(new Error('The queue is gone.'));
    await assert.rejects(harness.clock.run(work(harness.createWorker({ queue }), {}, NEVER)), /gone/);
    harness.put(3);
    assert.equal(looks, before);
  });
});
