import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/domain/task/attempt';
import type { TaskId } from '../../../src/domain/task/task';
import { work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MINUTE_MS, taking } from './bench';

const NEVER = new AbortController().signal;

describe('The history of how tasks were served', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.remove());

  async function attemptOf(id: TaskId): Promise<Attempt> {
    const [attempt] = await bench.queue.attempts({ id });
    assert.ok(attempt);
    return attempt;
  }

  it('tells the class of each attempt, and how long its task had waited', async () => {
    bench.put(1, { priority: 'high' }, taking(20 * MINUTE_MS));
    bench.put(2);
    await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    const [first, second] = [await attemptOf(1), await attemptOf(2)];
    assert.deepEqual([first.priority, first.waitedMs, first.late], ['high', 0, undefined]);
    assert.deepEqual([second.priority, second.waitedMs], ['medium', 20 * MINUTE_MS]);
  });

  it('tells the class that its waiting raised it to', async () => {
    bench.put(1);
    await bench.clock.runFor(5 * HOUR_MS);
    await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    assert.equal((await attemptOf(1)).priority, 'high');
  });

  it('counts the waiting of a dependent task from the end of what it waited for', async () => {
    bench.put(1, {}, taking(HOUR_MS));
    bench.put(2, { dependencies: [1] });
    await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    assert.equal((await attemptOf(2)).waitedMs, 0);
  });

  it('tells which ended after their service time, or after their deadline', async () => {
    bench.put(1, { priority: 'critical' }, taking(10 * MINUTE_MS));
    bench.put(2, { deadline: EVENING + 15 * MINUTE_MS }, taking(10 * MINUTE_MS));
    bench.put(3, {}, taking(10 * MINUTE_MS));
    await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    const late = await Promise.all([1, 2, 3].map(async (id) => (await attemptOf(id)).late));
    assert.deepEqual(late, [true, true, undefined]);
  });
});

describe('A repeating task whose times went by while nobody worked', () => {
  const DAILY = { kind: 'every', text: 'daily', everyMs: 24 * HOUR_MS } as const;
  let bench: Bench;
  afterEach(() => bench.remove());

  /** Runs it on the first day, and begins again after three days and an hour. */
  async function workAgainLater(how: Partial<Bench['settings']>): Promise<string[]> {
    bench = new Bench(how);
    bench.put(1, { repeat: DAILY }, taking(MINUTE_MS));
    await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    await bench.clock.runFor(3 * 24 * HOUR_MS + 2 * HOUR_MS);
    await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    return bench.diary.slice(1);
  }

  it('runs once, and its history tells how many went by', async () => {
    assert.deepEqual(await workAgainLater({}), ['20:01 1']);
    assert.equal((await bench.queue.attempts({ id: 1 }))[0]?.missed, 3);
  });

  it('does not run where missed runs are skipped, until its next time', async () => {
    assert.deepEqual(await workAgainLater({ missedRuns: 'skip' }), []);
    const { state } = await bench.task(1);
    assert.ok((state.dueAt ?? 0) > bench.clock.now());
  });

  it('makes up for each of them, up to the most, where all are wanted', async () => {
    assert.deepEqual(await workAgainLater({ missedRuns: 'all', missedRunsMax: 2 }), ['20:01 1', '20:02 1']);
  });
});
