import assert from 'node:assert/strict';
import { describeBound, describeWhy } from '../../../../src/app/present/pause';
import { createWorld } from '../../../../src/domain/reasons/world';
import type { Moment } from '../../../../src/domain/time/moment';
import type { TaskId } from '../../../../src/domain/task/task';
import type { Bounds } from '../../../../src/worker/bounds/bounds';
import type { WorkerDeps } from '../../../../src/worker/workerDeps';
import type { RunSummary } from '../../../../src/worker/bounds/runCounters';
import { runOne } from '../../../../src/worker/runOne';
import { work } from '../../../../src/worker/work';
import {
  Harness,
  EVENING,
  HOUR_MS,
  MINUTE_MS,
  SUCCESS,
  taking,
  type Script,
} from '../../../support/queue/workerHarness';
import { explainAsText } from '../../../support/queue/shownReason';

const NEVER = new AbortController().signal;

let harness: Harness;

function prepareEach(): void {
  beforeEach(() => {
    harness = new Harness();
  });
}

function workUntil(bounds: Bounds, changes: Partial<WorkerDeps> = {}): Promise<RunSummary> {
  return harness.clock.run(work(harness.createWorker(changes), bounds, NEVER));
}

/** Each hold with its owner and reason. */
async function holds(): Promise<string[]> {
  return (await harness.queue.read()).holds.map((hold) => `${hold.by}: ${describeWhy(hold, moment())}`);
}

/** Text of the bound that was reached. */
function boundOf({ bound }: RunSummary): string | undefined {
  return bound === undefined ? undefined : describeBound(bound, moment());
}

function moment(): Moment {
  return { now: harness.clock.now(), timeZone: 'UTC' };
}

/** Text of a task's reason. */
async function reasonOf(id: TaskId): Promise<string> {
  const queue = await harness.queue.read();
  const world = createWorld({
    queue,
    gate: harness.gate.now,
    approvedRows: { trusted: true, approvals: new Set() },
    settings: harness.settings,
    now: harness.clock.now(),
    timeZone: 'UTC',
  });
  return explainAsText(await harness.task(id), world).text;
}

/** A run of ten minutes with this cost. */
function costing(costUsd: number): Script {
  return taking(10 * MINUTE_MS, { ...SUCCESS, costUsd });
}

/** Meets the end of a 5-hour usage window at each odd run, and succeeds at each even one. */
function atLimitFirst(windowHours: number): Script {
  return (run, stop) => {
    const resetAt = run.at + windowHours * HOUR_MS;
    const limit = { kind: 'five_hour', resetAt, message: 'limit' } as const;
    const verdict = { outcome: 'limit', reason: 'five_hour', signal: limit } as const;
    return taking(10 * MINUTE_MS, run.earlier % 2 === 0 ? verdict : SUCCESS)(run, stop);
  };
}

describe('Work with a bound', () => {
  prepareEach();

  it('of two tasks pauses the queue then, which is the reason of every task', async () => {
    for (const id of [1, 2, 3]) harness.put(id);
    const summary = await workUntil({ maxTasks: 2 });
    assert.equal(boundOf(summary), '--max-tasks 2');
    assert.deepEqual(await holds(), ['bounds: --max-tasks 2']);
    assert.equal(await reasonOf(3), 'the queue is paused (--max-tasks 2)');
  });

  it('of two tasks starts no third, however many run in parallel', async () => {
    harness = new Harness({ maxRunning: 5 });
    for (const id of [1, 2, 3, 4]) harness.put(id, { workingDir: `/place/${id}` }, taking(id * MINUTE_MS));
    const summary = await workUntil({ maxTasks: 2 }, { slots: { min: 3, max: 3 } });
    assert.equal(summary.ran, 2);
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2']);
    assert.equal((await harness.queue.attempts({})).length, 2);
  });

  it('of time pauses the queue at that time, and lets running attempts end', async () => {
    harness.put(1, {}, taking(50 * MINUTE_MS));
    harness.put(2);
    const working = work(harness.createWorker(), { until: EVENING + 30 * MINUTE_MS }, NEVER);
    await harness.clock.runUntil(EVENING + 30 * MINUTE_MS);
    assert.deepEqual(await holds(), ['bounds: --until 18:30']);
    assert.equal((await harness.claims()).length, 1);
    assert.equal((await harness.clock.run(working)).ran, 1);
    assert.equal((await harness.task(1)).state.status, 'completed');
  });

  it('of cost starts nothing once its attempts have cost that', async () => {
    for (const id of [1, 2, 3, 4]) harness.put(id, {}, costing(2));
    const summary = await workUntil({ maxCostUsd: 5 });
    assert.deepEqual(harness.diary, ['18:00 1', '18:10 2', '18:20 3']);
    assert.equal(boundOf(summary), '--max-cost $5.00, reached at $6.00');
    assert.deepEqual(await holds(), [`bounds: ${boundOf(summary)}`]);
  });

  it('of cost or of time to the second shows the given value', async () => {
    for (const id of [1, 2]) harness.put(id, {}, costing(0.0021));
    const bound = boundOf(await workUntil({ maxCostUsd: 0.002 }));
    assert.equal(bound, '--max-cost $0.0020, reached at $0.0021');
    const summary = await workUntil({ until: EVENING + 10 * MINUTE_MS + 1_000 });
    assert.equal(boundOf(summary), '--until 2026-11-20 18:10:01');
  });

  it('stays paused for a worker of a timer, and continues with one that the user starts', async () => {
    for (const id of [1, 2]) harness.put(id);
    const bound = boundOf(await workUntil({ maxTasks: 1 }));
    const timed = await workUntil({ untilEmpty: true, scheduled: true });
    assert.deepEqual([timed.ran, harness.describe(timed.idleReason)], [0, `the queue is paused (${bound})`]);
    assert.deepEqual(await holds(), [`bounds: ${bound}`]);
    assert.equal((await workUntil({ untilEmpty: true })).ran, 1);
    assert.ok(harness.reported.includes(`18:01 lifted: ${bound}`), harness.reported.join('\n'));
  });

  it('of cost names what attempts had cost when it was reached, also if others still ran', async () => {
    harness = new Harness({ maxRunning: 2 });
    harness.put(1, { workingDir: '/place/1' }, costing(5));
    harness.put(2, { workingDir: '/place/2' }, taking(20 * MINUTE_MS, { ...SUCCESS, costUsd: 2 }));
    const summary = await workUntil({ maxCostUsd: 5 }, { slots: { min: 2, max: 2 } });
    assert.equal(summary.ran, 2);
    assert.equal(boundOf(summary), '--max-cost $5.00, reached at $5.00');
  });

  it('of cost counts parallel attempts, and those without a result', async () => {
    harness = new Harness({ maxRunning: 5 });
    const failing = taking(MINUTE_MS, { outcome: 'error', reason: 'failed', costUsd: 3 });
    harness.put(1, { workingDir: '/place/1' }, failing);
    harness.put(2, { workingDir: '/place/2' }, costing(3));
    harness.put(3, { workingDir: '/place/3', dependencies: [2] });
    const summary = await workUntil({ maxCostUsd: 6 }, { slots: { min: 2, max: 2 } });
    assert.equal(summary.ran >= 2, true);
    assert.equal(
      harness.runs.some(({ id }) => id === 3),
      false,
    );
  });

  it('of one 5-hour usage window pauses the queue at its end instead of waiting for the next', async () => {
    harness.put(1, {}, atLimitFirst(2));
    harness.put(2);
    const summary = await workUntil({ maxUsageWindows: 1 });
    assert.deepEqual(harness.diary, ['18:00 1']);
    assert.equal(boundOf(summary), '--max-usage-windows 1');
    assert.equal(harness.timeOf(harness.clock.now()), '18:10');
    assert.equal((await harness.task(1)).state.retryCount, 0);
  });

  it('of two windows waits out the first', async () => {
    harness.put(1, {}, atLimitFirst(2));
    harness.put(2, {}, atLimitFirst(2));
    const summary = await workUntil({ maxUsageWindows: 2 });
    assert.deepEqual(harness.diary, ['18:00 1', '20:01 1', '20:11 2']);
    assert.equal(boundOf(summary), '--max-usage-windows 2');
  });

  it('of one window does not count one that was used up before the start', async () => {
    const since = EVENING - HOUR_MS;
    const until = EVENING + HOUR_MS;
    harness.gate.now = { closures: [{ kind: 'five_hour', since, until, message: 'limit' }], usage: [] };
    harness.put(1, {}, atLimitFirst(2));
    await workUntil({ maxUsageWindows: 1 });
    assert.deepEqual(harness.diary, ['19:01 1']);
  });

  it('of two windows counts one that several attempts used up as one', async () => {
    harness = new Harness({ maxRunning: 2 });
    for (const id of [1, 2]) {
      harness.put(id, { workingDir: `/place/${id}` }, (run, stop) => {
        const resetAt = EVENING + (2 + id) * HOUR_MS;
        const signal = { kind: 'five_hour', resetAt, message: 'limit' } as const;
        const limit = { outcome: 'limit', reason: 'five_hour', signal } as const;
        return taking(id * MINUTE_MS, run.earlier === 0 ? limit : SUCCESS)(run, stop);
      });
    }
    const summary = await workUntil({ maxUsageWindows: 2, untilEmpty: true }, { slots: { min: 2, max: 2 } });
    assert.equal(boundOf(summary), undefined);
    assert.equal((await harness.task(2)).state.status, 'completed');
  });

  it('pauses every other worker', async () => {
    for (const id of [1, 2]) harness.put(id, {}, taking(10 * MINUTE_MS));
    const other = work(harness.createWorker(), { untilEmpty: true }, NEVER);
    const bounded = work(harness.createWorker(), { until: EVENING + 5 * MINUTE_MS }, NEVER);
    const [others] = await harness.clock.run(Promise.all([other, bounded]));
    assert.deepEqual(harness.diary, ['18:00 1']);
    assert.match(harness.describe(others.idleReason), /--until 18:05/);
  });

  it('does not pause the queue if it ran out of tasks before', async () => {
    harness.put(1);
    const summary = await workUntil({ maxTasks: 5, until: EVENING + HOUR_MS, untilEmpty: true });
    assert.equal(boundOf(summary), undefined);
    assert.deepEqual(await holds(), []);
  });

  it('does not pause the queue if it was stopped before', async () => {
    harness.put(1, {}, taking(HOUR_MS));
    const stop = new AbortController();
    const working = work(harness.createWorker(), { maxTasks: 1 }, stop.signal);
    await harness.clock.runFor(MINUTE_MS);
    stop.abort();
    await harness.clock.run(working);
    assert.deepEqual(await holds(), []);
  });

  it('records its pause as soon as a full disk has room', async () => {
    harness.put(1);
    let failures = 2;
    const queue = Object.assign(Object.create(harness.queue) as typeof harness.queue, {
      hold: (...args: Parameters<typeof harness.queue.hold>) =>
        failures-- > 0
          ? Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))
          : harness.queue.hold(...args),
    });
    await workUntil({ maxTasks: 1 }, { queue });
    assert.equal((await holds()).length, 1);
  });
});

describe('A queue that is paused by a bound', () => {
  prepareEach();

  beforeEach(async () => {
    for (const id of [1, 2, 3]) harness.put(id);
    await workUntil({ maxTasks: 1 });
  });

  it('resumes with the next started worker', async () => {
    assert.equal((await workUntil({ untilEmpty: true })).ran, 2);
    assert.deepEqual(await holds(), []);
  });

  it('resumes with "run"', async () => {
    const single = await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    assert.ok(single !== null && 'verdict' in single);
    assert.deepEqual(await holds(), []);
  });

  it('stays paused if the user paused it too', async () => {
    await harness.queue.hold({ by: 'person', why: 'lunch' }, 'lunch');
    const summary = await workUntil({ untilEmpty: true });
    assert.equal(summary.ran, 0);
    assert.equal(harness.describe(summary.idleReason), 'the queue is paused (lunch)');
    assert.deepEqual(await holds(), ['person: lunch']);
  });

  it('stays paused if a worker is stopped before it starts', async () => {
    await harness.clock.run(work(harness.createWorker(), {}, AbortSignal.abort()));
    assert.equal((await holds()).length, 1);
  });
});

describe('A worker with the same failure in task after task', () => {
  prepareEach();

  const failing = taking(MINUTE_MS, { outcome: 'permanent', reason: 'model', message: 'No such model.' });

  it('stops after three tasks with the reason, and starts no other', async () => {
    for (const id of [1, 2, 3, 4, 5]) harness.put(id, {}, failing);
    const summary = await workUntil({ untilEmpty: true });
    assert.deepEqual(harness.diary, ['18:00 1', '18:01 2', '18:02 3']);
    assert.deepEqual(summary.failed, [1, 2, 3]);
    assert.match(
      harness.describe(summary.idleReason),
      /same failure in 3 tasks in a row \(1, 2, 3\), the last: No such model/,
    );
    assert.equal((await harness.task(4)).state.status, 'pending');
  });

  it('continues by itself when the user has fixed it and resumes the queue', async () => {
    for (const id of [1, 2, 3, 4]) harness.put(id, {}, failing);
    const stop = new AbortController();
    const working = work(harness.createWorker(), {}, stop.signal);
    await harness.clock.runFor(HOUR_MS);
    assert.equal(harness.runs.length, 3);
    harness.scripts.set(4, taking(MINUTE_MS));
    await harness.queue.resume('resume');
    await harness.clock.runFor(HOUR_MS);
    stop.abort();
    await harness.clock.run(working);
    assert.deepEqual(harness.diary.slice(3), ['19:00 4']);
  });
});
