import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/domain/task/attempt';
import type { TaskId } from '../../../src/domain/task/task';
import { work } from '../../../src/worker/work';
import { Harness, EVENING, HOUR_MS, MINUTE_MS, taking } from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;

describe('The service times in the history', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });

  async function attemptOf(id: TaskId): Promise<Attempt> {
    const [attempt] = await harness.queue.attempts({ id });
    assert.ok(attempt);
    return attempt;
  }

  it('have the class of each attempt, and how long its task had waited', async () => {
    harness.put(1, { priority: 'high' }, taking(20 * MINUTE_MS));
    harness.put(2);
    await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    const [first, second] = [await attemptOf(1), await attemptOf(2)];
    assert.deepEqual([first.priority, first.waitedMs, first.late], ['high', 0, undefined]);
    assert.deepEqual([second.priority, second.waitedMs], ['medium', 20 * MINUTE_MS]);
  });

  it('have the promoted class', async () => {
    harness.put(1);
    await harness.clock.runFor(5 * HOUR_MS);
    await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.equal((await attemptOf(1)).priority, 'high');
  });

  it('count the waiting of a dependent task from the end of its dependency', async () => {
    harness.put(1, {}, taking(HOUR_MS));
    harness.put(2, { dependencies: [1] });
    await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.equal((await attemptOf(2)).waitedMs, 0);
  });

  it('have which attempts ended after their service time, or after their deadline', async () => {
    harness.put(1, { priority: 'critical' }, taking(10 * MINUTE_MS));
    harness.put(2, { deadline: EVENING + 15 * MINUTE_MS }, taking(10 * MINUTE_MS));
    harness.put(3, {}, taking(10 * MINUTE_MS));
    await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    const late = await Promise.all([1, 2, 3].map(async (id) => (await attemptOf(id)).late));
    assert.deepEqual(late, [true, true, undefined]);
  });
});

describe('A repeating task that missed times without a worker', () => {
  const DAILY = { kind: 'every', text: 'daily', everyMs: 24 * HOUR_MS } as const;
  let harness: Harness;

  /** Runs it on the first day, and starts again after three days and an hour. */
  async function workAgainLater(how: Partial<Harness['settings']>): Promise<string[]> {
    harness = new Harness(how);
    harness.put(1, { repeat: DAILY }, taking(MINUTE_MS));
    await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    await harness.clock.runFor(3 * 24 * HOUR_MS + 2 * HOUR_MS);
    await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    return harness.diary.slice(1);
  }

  it('runs once, and its history has the number of missed times', async () => {
    assert.deepEqual(await workAgainLater({}), ['20:01 1']);
    assert.equal((await harness.queue.attempts({ id: 1 }))[0]?.missed, 3);
  });

  it('does not run before its next time with missedRuns: skip', async () => {
    assert.deepEqual(await workAgainLater({ missedRuns: 'skip' }), []);
    const { state } = await harness.task(1);
    assert.ok((state.dueAt ?? 0) > harness.clock.now());
  });

  it('runs for each of them with missedRuns: all, up to the maximum', async () => {
    assert.deepEqual(await workAgainLater({ missedRuns: 'all', missedRunsMax: 2 }), ['20:01 1', '20:02 1']);
  });
});
