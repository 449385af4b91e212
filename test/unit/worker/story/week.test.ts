import assert from 'node:assert/strict';
import { formatMinute } from '../../../../src/domain/time/localTime';
import { readSettings } from '../../../../src/domain/settings/settings';
import type { TaskId } from '../../../../src/domain/task/task';
import { work } from '../../../../src/worker/work';
import { watchOrder } from '../../../support/queue/watchedOrder';
import { Harness, HOUR_MS, rulesOf } from '../../../support/queue/workerHarness';
import { BEGIN, COST_USD, DAYS, END, LATE_ROW, local, PLANS, ZONE, type Plan } from './weekPlan';

const ALL = [...PLANS, LATE_ROW];
const MOST_AN_HOUR = 20;

const { settings } = readSettings(
  [
    {
      source: 'the week',
      scope: 'queue',
      values: { quietHours: [{ from: '08:00', to: '18:00', days: 'mon-fri', priorities: ['low'] }] },
    },
  ],
  {},
);

function write(harness: Harness, { id, fields, shared, script }: Plan): void {
  const definition = harness.put(id, { workingDir: `/place/${String(id)}`, ...fields }, script);
  if (shared !== undefined) harness.store.put(definition, shared);
}

describe('A week with forty tasks, over a night of 25 hours', () => {
  let harness: Harness;

  before(async () => {
    harness = new Harness(settings, BEGIN);
    for (const plan of PLANS) write(harness, plan);
    const stop = new AbortController();
    const queue = watchOrder(harness.queue, harness.clock);
    // It wakes for what is due by itself: a week of looks every few seconds would take long.
    const worker = harness.createWorker({ queue, rules: rulesOf(settings, ZONE), lookAgainMs: HOUR_MS });
    const working = work(worker, {}, stop.signal);
    await harness.clock.runUntil(local('26 11:30'));
    write(harness, LATE_ROW);
    await harness.clock.runUntil(END);
    stop.abort();
    await harness.clock.run(working);
  });

  /** When a task's runs started, by the clocks of the place: `25 02:30`. */
  const startsOf = (id: TaskId): string[] =>
    harness.runs
      .filter((run) => run.id === id)
      .map(({ at }) => formatMinute(at, ZONE).slice('2026-10-'.length));
  const daysOf = (id: TaskId): string[] => startsOf(id).map((start) => start.slice(0, 2));

  it('gives each task exactly as many attempts as its rules say', () => {
    const counts = ALL.map(({ id }) => [id, startsOf(id).length]);
    assert.deepEqual(
      counts,
      ALL.map(({ id, attempts }) => [id, attempts]),
    );
  });

  it('runs daily tasks once on each of the seven days, and never twice on one', () => {
    for (const id of [2, 3, 7, 8]) assert.deepEqual(daysOf(id), DAYS, `task ${String(id)}`);
    assert.deepEqual(new Set(startsOf(7).map((start) => start.slice(3))), new Set(['02:30']));
    assert.deepEqual(daysOf(6), ['22', '23', '26', '27', '28'], 'on weekdays only');
    for (const id of [4, 5]) {
      const starts = harness.runs.filter((run) => run.id === id).map(({ at }) => at);
      const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
      assert.ok(gaps.every((gap) => gap >= 12 * HOUR_MS && gap < 12.5 * HOUR_MS));
    }
  });

  it('runs a dependent daily task after the other one, every day', () => {
    const started = harness.runs.filter(({ id }) => id === 2 || id === 3).map(({ id }) => id);
    assert.deepEqual(started, Array.from({ length: 7 }, () => [2, 3]).flat());
  });

  it('waits out two limits a day, and resumes after each in the same session without a retry', async () => {
    const limits = await harness.queue.attempts({ outcome: 'limit' });
    assert.deepEqual(new Set(limits.map(({ id }) => id)), new Set([1]));
    const expected = DAYS.flatMap((day) => [`${day} 13:00`, `${day} 14:31`, `${day} 22:00`, `${day} 23:01`]);
    assert.deepEqual(
      startsOf(1).filter((start) => /(13|14|22|23):..$/.test(start)),
      expected,
    );
    const sessions = harness.runs.filter(({ id }) => id === 1);
    for (const [index, run] of sessions.entries()) {
      if (run.job.resume !== 'limit') continue;
      assert.equal(run.job.session, sessions[index - 1]?.job.session);
    }
    assert.equal((await harness.task(1)).state.retryCount, 0);
  });

  it('starts no low task in quiet hours, and at most twenty in any hour', () => {
    for (const id of [8, 9, 36, 39]) {
      for (const start of startsOf(id)) {
        const isWeekend = start.startsWith('24') || start.startsWith('25');
        const hour = Number(start.slice(3, 5));
        assert.ok(isWeekend || hour < 8 || hour >= 18, `task ${String(id)} at ${start}`);
      }
    }
    assert.deepEqual(startsOf(36), ['23 18:02']);
    const starts = harness.runs.map(({ at }) => at);
    const most = Math.max(
      ...starts.map((begin) => starts.filter((at) => at >= begin && at < begin + HOUR_MS).length),
    );
    assert.equal(most, MOST_AN_HOUR, 'the first hour uses all of the budget');
  });

  it('lets nothing starve', async () => {
    const singles = harness.runs.filter(({ id, earlier }) => id > 10 && id < 34 && earlier === 0);
    const latest = Math.max(...singles.map(({ at }) => at));
    assert.ok(latest < BEGIN + 2.5 * HOUR_MS, 'all that was there begins in the first hours');
    const waits = (await harness.queue.attempts({})).map(({ waitedMs = 0 }) => waitedMs);
    assert.ok(Math.max(...waits) <= 10 * HOUR_MS, 'nothing waits longer than the quiet hours last');
  });

  it('leaves each task with its last outcome, and reports which can never run', async () => {
    const statusOf = async (id: TaskId): Promise<string> => (await harness.task(id)).state.status;
    const ids = (from: number, to: number): TaskId[] =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index);
    for (const id of [...ids(11, 26), 30, 32, 34, 35, 36, 39, 40]) {
      assert.equal(await statusOf(id), 'completed', `task ${String(id)}`);
    }
    for (const id of [27, 33, 37]) assert.equal(await statusOf(id), 'failed', `task ${String(id)}`);
    for (const id of [...ids(1, 10), 28, 29, 38])
      assert.equal(await statusOf(id), 'pending', `task ${String(id)}`);
    assert.equal(await statusOf(31), 'review');
    assert.equal((await harness.task(32)).state.retryCount, 0, 'an overload is free of charge');
  });

  it('records each attempt once in the history, and the total cost', async () => {
    const history = await harness.queue.attempts({});
    assert.equal(history.length, harness.runs.length);
    assert.equal(
      new Set(history.map(({ id, number }) => `${String(id)}/${String(number)}`)).size,
      history.length,
    );
    const cost = history.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
    assert.equal(cost, harness.runs.length * COST_USD);
    const starts = history.map(({ startedAt }) => startedAt).sort((a, b) => a - b);
    assert.deepEqual(
      starts,
      harness.runs.map(({ at }) => at),
    );
    assert.deepEqual(await harness.claims(), []);
  });
});
