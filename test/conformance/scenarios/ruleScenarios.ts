import assert from 'node:assert/strict';
import type { RegisteredWorker } from '../../../src/domain/queue/view';
import type { TaskId } from '../../../src/domain/task/task';
import { DAY, HOUR, MINUTE, PERSON, repeat, settingsWith, workerOf, type Harness } from '../harness';
import type { Scenario } from '../queueConformance';
import { describeSkips } from './skippedScenarios';

const daily = repeat('daily');

/** The rules by which a queue holds itself or is held, and what it makes up for. */
export function describeRules(scenario: Scenario): void {
  describe('pauses and resumes', () => {
    describeHolds(scenario);
    describeBreaker(scenario);
    describeMissedRuns(scenario);
    describeSkips(scenario);
    describeFacts(scenario);
    describeOtherSettings(scenario);
  });
}

function describeOtherSettings(scenario: Scenario): void {
  scenario('differently in a past that is decided again with other settings', async (harness) => {
    await harness.put(1);
    await harness.put(2);
    assert.deepEqual(await harness.drain(), [1, 2]);
    const span = { from: -Infinity, to: Infinity };
    const { same, differences } = await harness.queue.replay(span, { maxPerDay: 1 });
    assert.deepEqual(
      [same, differences.map(({ recorded, expected, why }) => [recorded, expected, why?.state])],
      [1, [[2, null, 'waiting']]],
    );
    const again = await harness.queue.replay(span, { maxPerDay: 2 });
    assert.deepEqual([again.same, again.differences, again.added], [2, [], null]);
  });

  /** A worker ends task 1 and may start task 2 only an hour later, by the recorded settings. Returns when it waits. */
  async function letWait(
    harness: Harness,
    more: Parameters<Harness['request']>[0] = {},
  ): Promise<{ readonly waitedFrom: number; readonly to: number }> {
    harness.settings = { ...harness.settings, maxPerHour: 1 };
    await harness.put(1, { tags: ['day'] });
    await harness.put(2);
    await harness.queue.register({ owner: workerOf(1), since: harness.now }, { alone: true }, harness.op());
    await harness.run('success', {}, more);
    const waitedFrom = harness.now;
    await harness.idle(more);
    harness.clock.advance(30 * MINUTE);
    return { waitedFrom, to: harness.now };
  }

  scenario('with the first start that other settings add while a worker waits', async (harness) => {
    const { waitedFrom, to } = await letWait(harness);
    const { added } = await harness.queue.replay({ from: -Infinity, to }, { maxPerHour: 2 });
    assert.deepEqual([added?.at, added?.task, added?.why.state], [waitedFrom, 2, 'waiting']);
    const asRecorded = await harness.queue.replay({ from: -Infinity, to });
    assert.equal(asRecorded.added, null);
    // An hour after the first start the recorded settings start it too.
    const later = { from: waitedFrom + HOUR, to: waitedFrom + 2 * HOUR };
    assert.equal((await harness.queue.replay(later, { maxPerHour: 2 })).added, null);
  });

  scenario('with an added start of a worker that runs a task and has another slot', async (harness) => {
    harness.settings = { ...harness.settings, maxPerHour: 1 };
    await harness.put(1);
    await harness.put(2);
    const added = async (slots: Pick<RegisteredWorker, 'slots'>): Promise<TaskId | undefined> => {
      const worker = { owner: workerOf(1), since: harness.now, ...slots };
      await harness.queue.register(worker, { alone: true }, harness.op());
      harness.clock.advance(MINUTE);
      const span = { from: harness.now - MINUTE / 2, to: harness.now };
      return (await harness.queue.replay(span, { maxPerHour: 2, maxRunning: 2 })).added?.task;
    };
    await harness.claim();
    assert.deepEqual([await added({}), await added({ slots: { min: 2, max: 2 } })], [undefined, 2]);
  });

  scenario('with an added start at the start of the span if a worker waits then', async (harness) => {
    const { waitedFrom } = await letWait(harness);
    const span = { from: waitedFrom + 10 * MINUTE, to: waitedFrom + 20 * MINUTE };
    assert.equal((await harness.queue.replay(span, { maxPerHour: 2 })).added?.at, span.from);
  });

  scenario('without an added start of a task that the worker does not take', async (harness) => {
    const { to } = await letWait(harness, { tags: ['day'] });
    assert.equal((await harness.queue.replay({ from: -Infinity, to }, { maxPerHour: 2 })).added, null);
  });

  scenario('without an added start of a worker that is asked to stop', async (harness) => {
    const { to } = await letWait(harness);
    await harness.queue.stop('after-task', harness.op());
    harness.clock.advance(MINUTE);
    const span = { from: to + 1, to: harness.now };
    assert.equal((await harness.queue.replay(span, { maxPerHour: 2 })).added, null);
  });
}

function describeHolds(scenario: Scenario): void {
  scenario('for some priorities only, while others run', async (harness) => {
    await harness.put(1, { priority: 'low' });
    await harness.put(2);
    const { queue } = harness;
    await queue.hold({ by: 'person', why: 'the night', priorities: ['low'] }, harness.op());
    assert.deepEqual(await harness.drain(), [2]);
    const why = await harness.why(1);
    assert.equal(why.waitsFor, 'person');
    assert.match(why.text, /low.*the night/);
    assert.deepEqual((await queue.read()).holds[0]?.priorities, ['low']);
  });

  scenario('for low tasks, however long they have waited', async (harness) => {
    await harness.put(1, { priority: 'low' });
    await harness.queue.hold({ by: 'person', why: 'wait', priorities: ['low'] }, harness.op());
    harness.clock.advance(3 * DAY);
    await harness.idle();
  });

  scenario('for one of the paused priorities, and for all with a plain resume', async (harness) => {
    await harness.put(1, { priority: 'low' });
    await harness.put(2);
    const { queue } = harness;
    await queue.hold({ by: 'person', why: 'wait', priorities: ['low', 'medium'] }, harness.op());
    await harness.idle();
    await queue.resume(harness.op(), { priorities: ['medium'] });
    assert.deepEqual(await harness.drain(), [2]);
    await queue.hold({ by: 'person', why: 'all of it' }, harness.op());
    await queue.resume(harness.op(), { priorities: ['low'] });
    assert.equal((await queue.read()).holds.at(-1)?.why, 'all of it');
    await queue.resume(harness.op());
    assert.deepEqual((await queue.read()).holds, []);
    assert.deepEqual(await harness.drain(), [1]);
  });

  scenario('separately for the user and for bounds', async (harness) => {
    await harness.put(1);
    const { queue } = harness;
    await queue.hold({ by: 'bounds', why: 'after 3 tasks' }, harness.op());
    await queue.hold({ by: 'person', why: 'lunch' }, harness.op());
    await queue.resume(harness.op(), { by: 'bounds' });
    assert.equal((await queue.read()).holds.at(-1)?.why, 'lunch');
    await queue.hold({ by: 'person', why: 'a long lunch' }, harness.op());
    assert.equal((await queue.read()).holds.length, 1, 'the newer word takes the place of the older');
    await harness.idle();
    await queue.resume(harness.op());
    await harness.claim();
  });

  scenario('in quiet hours for other priorities than the user paused', async (harness) => {
    harness.settings = settingsWith({ quietHours: [{ from: '09:00', to: '18:00', priorities: ['low'] }] });
    await harness.put(1, { priority: 'low' });
    await harness.put(2);
    const why = await harness.why(1);
    assert.deepEqual(
      [why.state, why.text, why.until],
      ['waiting', 'quiet hours for low until 18:00', harness.now + 8 * HOUR],
    );
    assert.deepEqual(await harness.drain(), [2]);
    const byHand = await harness.claim({
      id: 1,
      owner: PERSON,
      override: { time: true, unattendedRules: true },
    });
    await harness.queue.release(byHand.claim, 'person', harness.op());
    harness.clock.advance(8 * HOUR);
    assert.deepEqual(await harness.drain(), [1]);
  });
}

function describeBreaker(scenario: Scenario): void {
  const failWith = async (harness: Harness, ...reasons: readonly string[]): Promise<void> => {
    for (const reason of reasons) await harness.run('error', { reason });
  };

  scenario('after the same failure in three tasks, until the user resumes', async (harness) => {
    for (let id = 1; id <= 5; id += 1) await harness.put(id);
    await failWith(harness, 'no-network', 'no-network', 'no-network');
    const idle = await harness.idle();
    assert.equal(idle.why.waitsFor, 'person');
    assert.match(
      idle.why.text,
      /^the same failure in 3 tasks in a row \(1, 2, 3\), the last: It ended with no-network; fix it/,
    );
    harness.clock.advance(2 * DAY);
    assert.equal((await harness.idle()).passesByItself, false, 'no time ends that');
    await harness.queue.resume(harness.op());
    assert.deepEqual(await harness.drain(), [1, 2, 3, 4, 5]);
  });

  scenario(
    'not after failures of one task, failures of several kinds, or a success between',
    async (harness) => {
      for (let id = 1; id <= 8; id += 1) await harness.put(id, { maxRetries: 1 });
      await failWith(harness, 'this', 'this', 'that', 'this', 'this');
      await harness.run('success');
      await failWith(harness, 'this');
      assert.deepEqual((await harness.queue.read()).streak?.ids, [7]);
      await harness.put(9, { priority: 'critical', maxRetries: 9 });
      for (let time = 0; time < 4; time += 1) {
        await failWith(harness, 'other');
        harness.clock.advance(HOUR);
      }
      assert.deepEqual((await harness.queue.read()).streak?.ids, [9]);
      await harness.claim();
    },
  );

  scenario('not after limits, overloads and stops', async (harness) => {
    for (let id = 1; id <= 5; id += 1) await harness.put(id);
    await failWith(harness, 'this', 'this');
    await harness.run('transient', { reason: 'overloaded' });
    await harness.run('cancelled', { reason: 'cancelled' });
    assert.deepEqual((await harness.queue.read()).streak?.ids, [1, 2]);
    await failWith(harness, 'this');
    await harness.idle();
  });

  scenario('after no number of failures if the breaker is off', async (harness) => {
    harness.settings = settingsWith({ breakerFailures: 0 });
    for (let id = 1; id <= 6; id += 1) await harness.put(id, { maxRetries: 1 });
    await failWith(harness, 'this', 'this', 'this', 'this', 'this');
    await harness.claim();
  });
}

function describeMissedRuns(scenario: Scenario): void {
  /** A daily task that ran once, and then three days and an hour in which nobody worked. */
  const beAway = async (harness: Harness): Promise<void> => {
    await harness.put(1, { repeat: daily });
    await harness.run('success');
    harness.clock.advance(3 * DAY + 2 * HOUR);
  };

  scenario('with one run for all missed times of a daily task, and records their number', async (harness) => {
    await beAway(harness);
    const claimed = await harness.claim();
    assert.equal(claimed.claim.missed, 3);
    await harness.finish(claimed, 'success');
    await harness.idle();
    assert.equal((await harness.state(1)).dueAt, harness.now + DAY);
    harness.clock.advance(DAY);
    assert.equal((await harness.claim()).claim.missed, undefined);
  });

  scenario('with no run for missed times if missedRuns is skip', async (harness) => {
    harness.settings = settingsWith({ missedRuns: 'skip' });
    await beAway(harness);
    assert.match(
      (await harness.why(1)).text,
      /^missed 3 times, skipped; next time /,
      'before anybody claims',
    );
    const idle = await harness.idle();
    assert.equal(idle.askAgainAt, harness.now + 22 * HOUR);
    assert.equal(idle.why.state, 'scheduled');
    assert.match((await harness.why(1)).text, /^missed 3 times, skipped; next time /);
    assert.equal((await harness.state(1)).dueAt, harness.now + 22 * HOUR);
    harness.clock.advance(22 * HOUR);
    await harness.run('success');
  });

  scenario('on time after a pause in which times were skipped', async (harness) => {
    harness.settings = settingsWith({ missedRuns: 'skip' });
    await beAway(harness);
    await harness.queue.hold({ by: 'person', why: 'lunch' }, harness.op());
    assert.equal((await harness.idle()).askAgainAt, null, 'a pause has no end of its own');
    assert.equal((await harness.state(1)).dueAt, harness.now + 22 * HOUR);
    harness.clock.advance(22 * HOUR);
    await harness.queue.resume(harness.op());
    await harness.run('success');
  });

  scenario('within one interval after a run while the clock was a year ahead', async (harness) => {
    await harness.put(1, { repeat: daily });
    harness.clock.advance(365 * DAY);
    await harness.run('success');
    harness.clock.advance(-365 * DAY);
    assert.equal((await harness.idle()).askAgainAt, harness.now + DAY);
    harness.clock.advance(DAY);
    await harness.run('success');
  });

  scenario('with a run for each missed time, up to a maximum', async (harness) => {
    harness.settings = settingsWith({ missedRuns: 'all', missedRunsMax: 2 });
    await beAway(harness);
    assert.deepEqual(await harness.drain(), [1, 1]);
    harness.clock.advance(DAY);
    assert.deepEqual(await harness.drain(), [1], 'and then as ever');
  });

  scenario('on schedule after less than an hour', async (harness) => {
    await harness.put(1, { repeat: daily });
    await harness.run('success');
    harness.clock.advance(DAY + HOUR - MINUTE);
    assert.equal((await harness.claim()).claim.missed, undefined);
  });
}

function describeFacts(scenario: Scenario): void {
  scenario('with the user, deadline and tags of a task', async (harness) => {
    const fields = { user: 'ann', deadline: harness.now + HOUR, tags: ['night', 'shop'] };
    await harness.put(1, fields);
    const { user, deadline, tags } = (await harness.task(1))?.definition ?? {};
    assert.deepEqual({ user, deadline, tags }, fields);
    assert.equal((await harness.claim()).claim.user, 'ann');
  });

  scenario('with the waiting time and class of each attempt in the history', async (harness) => {
    await harness.put(1);
    const claimed = await harness.claim();
    const served = { priority: 'high', waitedMs: 5 * HOUR, late: true, missed: 2, costUsd: 0.5 } as const;
    const { change, attempt } = await harness.endOf(claimed, 'success');
    const end = { change, attempt: { ...attempt, ...served }, definition: claimed.definition };
    await harness.queue.finish(claimed.claim, end, harness.op());
    const where = { place: { folder: '/place/1' }, machine: claimed.claim.owner.machine };
    assert.deepEqual(await harness.queue.attempts({}), [{ ...attempt, ...served, ...where }]);
  });

  scenario('with the requested part of the history', async (harness) => {
    for (let id = 1; id <= 4; id += 1) {
      await harness.put(id);
      await harness.run(id === 2 ? 'permanent' : 'success');
      harness.clock.advance(HOUR);
    }
    const firstStart = harness.now - 4 * HOUR;
    const idsOf = async (filter: Parameters<typeof harness.queue.attempts>[0]): Promise<number[]> =>
      (await harness.queue.attempts(filter)).map(({ id }) => id);
    assert.deepEqual(await idsOf({}), [4, 3, 2, 1]);
    assert.deepEqual(await idsOf({ limit: 2 }), [4, 3]);
    assert.deepEqual(await idsOf({ since: firstStart + HOUR, until: firstStart + 3 * HOUR }), [3, 2]);
    assert.deepEqual(await idsOf({ outcome: 'success', until: firstStart + 3 * HOUR, limit: 1 }), [3]);
    assert.deepEqual(await idsOf({ id: 4, since: firstStart + 4 * HOUR }), []);
  });
}

/** The settings that a queue's own file would give. */
