import assert from 'node:assert/strict';
import { readSettings, type Settings } from '../../src/domain/settings/settings';
import { DAY, HOUR, MINUTE, PERSON, repeat, type Bench } from './bench';
import type { Scenario } from './queueConformance';

const daily = repeat('daily');

/** The rules by which a queue holds itself or is held, and what it makes up for. */
export function describeRules(scenario: Scenario): void {
  describe('holds, and goes on', () => {
    describeHolds(scenario);
    describeBreaker(scenario);
    describeMissedRuns(scenario);
    describeFacts(scenario);
  });
}

function describeHolds(scenario: Scenario): void {
  scenario('with some priorities only, while the others run', async (bench) => {
    await bench.put(1, { priority: 'low' });
    await bench.put(2);
    const { queue } = bench;
    await queue.hold({ by: 'person', why: 'the night', priorities: ['low'] }, bench.op());
    assert.deepEqual(await bench.drain(), [2]);
    const why = await bench.why(1);
    assert.equal(why.waitsFor, 'person');
    assert.match(why.text, /low.*the night/);
    assert.equal((await queue.read()).held, null, 'the queue itself goes on');
  });

  scenario('with a low task held as low, however long it has waited', async (bench) => {
    await bench.put(1, { priority: 'low' });
    await bench.queue.hold({ by: 'person', why: 'wait', priorities: ['low'] }, bench.op());
    bench.clock.advance(3 * DAY);
    await bench.idle();
  });

  scenario('with one priority of those that are held, and with all by a plain resume', async (bench) => {
    await bench.put(1, { priority: 'low' });
    await bench.put(2);
    const { queue } = bench;
    await queue.hold({ by: 'person', why: 'wait', priorities: ['low', 'medium'] }, bench.op());
    await bench.idle();
    await queue.resume(bench.op(), { priorities: ['medium'] });
    assert.deepEqual(await bench.drain(), [2]);
    await queue.hold({ by: 'person', why: 'all of it' }, bench.op());
    await queue.resume(bench.op(), { priorities: ['low'] });
    assert.equal((await queue.read()).held, 'all of it');
    await queue.resume(bench.op());
    assert.deepEqual((await queue.read()).holds, []);
    assert.deepEqual(await bench.drain(), [1]);
  });

  scenario('apart from each other when a person holds it and when its bounds do', async (bench) => {
    await bench.put(1);
    const { queue } = bench;
    await queue.hold({ by: 'bounds', why: 'after 3 tasks' }, bench.op());
    await queue.hold({ by: 'person', why: 'lunch' }, bench.op());
    await queue.resume(bench.op(), { by: 'bounds' });
    assert.equal((await queue.read()).held, 'lunch');
    await queue.hold({ by: 'person', why: 'a long lunch' }, bench.op());
    assert.equal((await queue.read()).holds.length, 1, 'the newer word takes the place of the older');
    await bench.idle();
    await queue.resume(bench.op());
    await bench.claim();
  });

  scenario('in quiet hours with other priorities, and by a person’s hand', async (bench) => {
    bench.settings = settingsWith({ quietHours: [{ from: '09:00', to: '18:00', priorities: ['low'] }] });
    await bench.put(1, { priority: 'low' });
    await bench.put(2);
    const why = await bench.why(1);
    assert.deepEqual(
      [why.shown, why.text, why.until],
      ['waiting', 'quiet hours for low until 18:00', bench.now + 8 * HOUR],
    );
    assert.deepEqual(await bench.drain(), [2]);
    const byHand = await bench.claim({
      id: 1,
      owner: PERSON,
      override: { time: true, unattendedRules: true },
    });
    await bench.queue.release(byHand.claim, 'person', bench.op());
    bench.clock.advance(8 * HOUR);
    assert.deepEqual(await bench.drain(), [1]);
  });
}

function describeBreaker(scenario: Scenario): void {
  const failWith = async (bench: Bench, ...reasons: readonly string[]): Promise<void> => {
    for (const reason of reasons) await bench.run('error', { reason });
  };

  scenario(
    'not any more once three tasks have failed in the same way, until a person resumes',
    async (bench) => {
      for (let id = 1; id <= 5; id += 1) await bench.put(id);
      await failWith(bench, 'no-network', 'no-network', 'no-network');
      const idle = await bench.idle();
      assert.equal(idle.why.waitsFor, 'person');
      assert.match(
        idle.why.text,
        /^the same failure of 3 tasks in a row \(1, 2, 3\), the last: It ended with no-network; mend it/,
      );
      bench.clock.advance(2 * DAY);
      assert.equal((await bench.idle()).passesByItself, false, 'no time ends that');
      await bench.queue.resume(bench.op());
      assert.deepEqual(await bench.drain(), [1, 2, 3, 4, 5]);
    },
  );

  scenario(
    'after failures of one and the same task, or of several kinds, or with a success between',
    async (bench) => {
      for (let id = 1; id <= 8; id += 1) await bench.put(id, { maxRetries: 1 });
      await failWith(bench, 'this', 'this', 'that', 'this', 'this');
      await bench.run('success');
      await failWith(bench, 'this');
      assert.deepEqual((await bench.queue.read()).streak?.ids, [7]);
      await bench.put(9, { priority: 'critical', maxRetries: 9 });
      for (let time = 0; time < 4; time += 1) {
        await failWith(bench, 'other');
        bench.clock.advance(HOUR);
      }
      assert.deepEqual((await bench.queue.read()).streak?.ids, [9]);
      await bench.claim();
    },
  );

  scenario('after limits, overloads and stops, which say nothing of the tasks', async (bench) => {
    for (let id = 1; id <= 5; id += 1) await bench.put(id);
    await failWith(bench, 'this', 'this');
    await bench.run('transient', { reason: 'overloaded' });
    await bench.run('cancelled', { reason: 'cancelled' });
    assert.deepEqual((await bench.queue.read()).streak?.ids, [1, 2]);
    await failWith(bench, 'this');
    await bench.idle();
  });

  scenario('after any number of failures where the breaker is off', async (bench) => {
    bench.settings = settingsWith({ breakerFailures: 0 });
    for (let id = 1; id <= 6; id += 1) await bench.put(id, { maxRetries: 1 });
    await failWith(bench, 'this', 'this', 'this', 'this', 'this');
    await bench.claim();
  });
}

function describeMissedRuns(scenario: Scenario): void {
  /** A daily task that ran once, and then three days and an hour in which nobody worked. */
  const beAway = async (bench: Bench): Promise<void> => {
    await bench.put(1, { repeat: daily });
    await bench.run('success');
    bench.clock.advance(3 * DAY + 2 * HOUR);
  };

  scenario('with one run for all that a daily task missed, and tells how many there were', async (bench) => {
    await beAway(bench);
    const claimed = await bench.claim();
    assert.equal(claimed.claim.missed, 3);
    await bench.finish(claimed, 'success');
    await bench.idle();
    assert.equal((await bench.state(1)).dueAt, bench.now + DAY);
    bench.clock.advance(DAY);
    assert.equal((await bench.claim()).claim.missed, undefined);
  });

  scenario('with none for what was missed where that is skipped', async (bench) => {
    bench.settings = settingsWith({ missedRuns: 'skip' });
    await beAway(bench);
    assert.match((await bench.why(1)).text, /^missed 3 times, skipped; next time /, 'before anybody claims');
    const idle = await bench.idle();
    assert.equal(idle.askAgainAt, bench.now + 22 * HOUR);
    assert.equal(idle.why.shown, 'scheduled');
    assert.match((await bench.why(1)).text, /^missed 3 times, skipped; next time /);
    assert.equal((await bench.state(1)).dueAt, bench.now + 22 * HOUR);
    bench.clock.advance(22 * HOUR);
    await bench.run('success');
  });

  scenario('also in time after a pause in which its times were skipped', async (bench) => {
    bench.settings = settingsWith({ missedRuns: 'skip' });
    await beAway(bench);
    await bench.queue.hold({ by: 'person', why: 'lunch' }, bench.op());
    assert.equal((await bench.idle()).askAgainAt, null, 'a pause has no end of its own');
    assert.equal((await bench.state(1)).dueAt, bench.now + 22 * HOUR);
    bench.clock.advance(22 * HOUR);
    await bench.queue.resume(bench.op());
    await bench.run('success');
  });

  scenario('within a turn after a run while the clock was a year ahead', async (bench) => {
    await bench.put(1, { repeat: daily });
    bench.clock.advance(365 * DAY);
    await bench.run('success');
    bench.clock.advance(-365 * DAY);
    assert.equal((await bench.idle()).askAgainAt, bench.now + DAY);
    bench.clock.advance(DAY);
    await bench.run('success');
  });

  scenario('with a run for each that was missed, up to as many as are wanted', async (bench) => {
    bench.settings = settingsWith({ missedRuns: 'all', missedRunsMax: 2 });
    await beAway(bench);
    assert.deepEqual(await bench.drain(), [1, 1]);
    bench.clock.advance(DAY);
    assert.deepEqual(await bench.drain(), [1], 'and then as ever');
  });

  scenario('as ever after less than an hour', async (bench) => {
    await bench.put(1, { repeat: daily });
    await bench.run('success');
    bench.clock.advance(DAY + HOUR - MINUTE);
    assert.equal((await bench.claim()).claim.missed, undefined);
  });
}

function describeFacts(scenario: Scenario): void {
  scenario('knowing whose a task is, by when it should end, and its tags', async (bench) => {
    const fields = { user: 'ann', deadline: bench.now + HOUR, tags: ['night', 'shop'] };
    await bench.put(1, fields);
    const { user, deadline, tags } = (await bench.task(1))?.definition ?? {};
    assert.deepEqual({ user, deadline, tags }, fields);
    assert.equal((await bench.claim()).claim.user, 'ann');
  });

  scenario('with the history of how each attempt was served', async (bench) => {
    await bench.put(1);
    const claimed = await bench.claim();
    const served = { priority: 'high', waitedMs: 5 * HOUR, late: true, missed: 2, costUsd: 0.5 } as const;
    const { change, attempt } = await bench.endOf(claimed, 'success');
    const end = { change, attempt: { ...attempt, ...served }, definition: claimed.definition };
    await bench.queue.finish(claimed.claim, end, bench.op());
    assert.deepEqual(await bench.queue.attempts({}), [{ ...attempt, ...served }]);
  });

  scenario('with the part of the history that somebody asks for', async (bench) => {
    for (let id = 1; id <= 4; id += 1) {
      await bench.put(id);
      await bench.run(id === 2 ? 'permanent' : 'success');
      bench.clock.advance(HOUR);
    }
    const begun = bench.now - 4 * HOUR;
    const idsOf = async (filter: Parameters<typeof bench.queue.attempts>[0]): Promise<number[]> =>
      (await bench.queue.attempts(filter)).map(({ id }) => id);
    assert.deepEqual(await idsOf({}), [4, 3, 2, 1]);
    assert.deepEqual(await idsOf({ limit: 2 }), [4, 3]);
    assert.deepEqual(await idsOf({ since: begun + HOUR, until: begun + 3 * HOUR }), [3, 2]);
    assert.deepEqual(await idsOf({ outcome: 'success', until: begun + 3 * HOUR, limit: 1 }), [3]);
    assert.deepEqual(await idsOf({ id: 4, since: begun + 4 * HOUR }), []);
  });
}

/** The settings that a queue's own file would give. */
function settingsWith(values: Readonly<Record<string, unknown>>): Settings {
  const { settings, problems } = readSettings([{ source: 'the test', scope: 'queue', values }], {});
  assert.deepEqual(problems, []);
  return settings;
}
