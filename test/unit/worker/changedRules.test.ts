import assert from 'node:assert/strict';
import { Problem } from '../../../src/domain/problem';
import type { Settings } from '../../../src/domain/settings/settings';
import { type ApprovalSet, approvalOf } from '../../../src/domain/task/approval';
import type { LiveRules } from '../../../src/worker/workerDeps';
import { work } from '../../../src/worker/work';
import { explainPast } from '../../support/queue/replayed';
import { Harness, HOUR_MS, MINUTE_MS, taking } from '../../support/queue/workerHarness';

describe('A worker whose settings change', () => {
  let harness: Harness;
  let stop: AbortController;
  /** Settings that the owner wrote; null: invalid ones. */
  let written: Settings | null;
  let rules: LiveRules;
  beforeEach(() => {
    harness = new Harness();
    stop = new AbortController();
    written = harness.settings;
    let last = { settings: harness.settings, timeZone: 'UTC' };
    rules = {
      get last() {
        return last;
      },
      read: () => {
        if (written === null) {
          return Promise.reject(new Problem('settings-invalid', 'Invalid settings.'));
        }
        last = { settings: written, timeZone: 'UTC' };
        return Promise.resolve(last);
      },
    };
    for (const id of [1, 2, 3]) {
      harness.put(id, { priority: 'low', workingDir: `/place/${String(id)}` }, taking(10 * MINUTE_MS));
    }
  });

  const troubles = (): string[] => harness.reported.filter((line) => line.includes('trouble'));

  it('uses them from its next claim on', async () => {
    const working = work(harness.createWorker({ rules }), { maxTasks: 3 }, stop.signal);
    await harness.clock.runFor(5 * MINUTE_MS);
    written = {
      ...harness.settings,
      quietHours: [{ from: 18 * 60, to: 20 * 60, days: [0, 1, 2, 3, 4, 5, 6] }],
    };
    await harness.clock.runFor(3 * HOUR_MS);
    await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:00 1', '20:00 2', '20:10 3']);
  });

  it('records them while it runs as many tasks as it may, once', async () => {
    const working = work(harness.createWorker({ rules }), { maxTasks: 1 }, stop.signal);
    await harness.clock.runFor(5 * MINUTE_MS);
    written = { ...harness.settings, maxPerDay: 7 };
    await harness.clock.runFor(MINUTE_MS);
    const moment = await harness.queue.lookBack(harness.clock.now());
    assert.equal(moment.kind === 'known' && moment.around.settings.maxPerDay, 7);
    const { revision } = await harness.queue.read();
    await harness.clock.runFor(2 * MINUTE_MS);
    assert.equal((await harness.queue.read()).revision, revision);
    await harness.clock.run(working);
  });

  for (const [what, maxRunning, approved] of [
    ['runs as many tasks as it may', 1, 'waiting'],
    ['may start no more tasks', 2, 'ready'],
  ] as const)
    it(`records approvals and edited rows within seconds while it ${what}`, async () => {
      written = { ...harness.settings, maxRunning };
      const tasks = await Promise.all([1, 2, 3].map((id) => harness.task(id)));
      const [first = '', second = '', third = ''] = tasks.map(({ state }) => approvalOf(state));
      let approvals = [first, third];
      const readApprovedRows = (): Promise<ApprovalSet> =>
        Promise.resolve({ trusted: false, approvals: new Set(approvals) });
      const worker = harness.createWorker({ rules, readApprovedRows, slots: { min: 2, max: 2 } });
      const working = work(worker, { maxTasks: 1 }, stop.signal);
      const past = (): Promise<unknown> =>
        Promise.all([2, 3].map((id) => explainPast(harness.queue, harness.clock.now(), id)));
      await harness.clock.runFor(5 * MINUTE_MS);
      assert.deepEqual(await past(), ['unapproved', approved]);
      approvals = [first, second];
      await harness.clock.runFor(5_000);
      assert.deepEqual(await past(), [approved, 'unapproved']);
      await harness.clock.run(working);
    });

  it('uses them for the decision after an attempt', async () => {
    harness.put(4, {}, taking(10 * MINUTE_MS, { outcome: 'error', reason: 'failed' }));
    const working = work(harness.createWorker({ rules }), { maxTasks: 1 }, stop.signal);
    await harness.clock.runFor(5 * MINUTE_MS);
    written = { ...harness.settings, retryBackoff: HOUR_MS };
    await harness.clock.run(working);
    const { state } = await harness.task(4);
    assert.equal(state.dueAt === null ? null : harness.timeOf(state.dueAt), '19:10');
  });

  it('starts nothing while they are invalid, reports it once, loses no attempt, and continues when they are fixed', async () => {
    const working = work(harness.createWorker({ rules }), { untilEmpty: true }, stop.signal);
    await harness.clock.runFor(5 * MINUTE_MS);
    written = null;
    await harness.clock.runFor(HOUR_MS);
    assert.deepEqual(harness.diary, ['18:00 1']);
    assert.equal((await harness.task(1)).state.status, 'completed');
    const why = 'No task can start now; retrying: Invalid settings.';
    assert.equal(troubles().length, 1);
    assert.match(troubles()[0] ?? '', new RegExp(`trouble: ${why}$`));
    written = harness.settings;
    const { ran } = await harness.clock.run(working);
    assert.equal(ran, 3);
    assert.match(troubles()[1] ?? '', /trouble: The queue can be used again\.$/);
    assert.equal(troubles().length, 2);
  });

  it('runs more in parallel as soon as they allow it', async () => {
    const worker = harness.createWorker({ rules, slots: { min: 3, max: 3 } });
    const working = work(worker, { untilEmpty: true }, stop.signal);
    await harness.clock.runFor(5 * MINUTE_MS);
    assert.equal(harness.mostAtOnce, 1);
    written = { ...harness.settings, maxRunning: 3 };
    await harness.clock.run(working);
    assert.equal(harness.mostAtOnce, 3);
  });
});
