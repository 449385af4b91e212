import assert from 'node:assert/strict';
import { describeRowProblem } from '../../../src/app/present/problems/rowProblem';
import { OPEN_GATE } from '../../../src/domain/gate/gate';
import { approvalOf } from '../../../src/domain/task/approval';
import { explainPast } from '../../support/queue/replayed';
import { DAY, HOUR, MINUTE, PERSON, repeat } from '../harness';
import type { Scenario } from '../queueConformance';

const daily = repeat('daily');

/** Scenarios of reasons that keep a task from running. */
export function describeWaiting(scenario: Scenario): void {
  describe('keeps waiting', () => {
    scenario('an unapproved task, unless the user takes it', async (harness) => {
      await harness.put(1);
      await harness.put(2);
      const approved = approvalOf(await harness.state(2));
      harness.approvedRows = { trusted: false, approvals: new Set([approved]) };
      assert.deepEqual(await harness.drain(), [2]);
      assert.equal((await harness.why(1)).state, 'unapproved');
      const idle = await harness.idle({ id: 1, override: { time: true } });
      assert.equal(idle.why.state, 'unapproved', 'naming it does not approve it');
      const byHand = await harness.claim({ owner: PERSON, override: { unattendedRules: true } });
      assert.equal(byHand.claim.id, 1);
    });

    scenario('a copy of an approved row under another id', async (harness) => {
      const copied = { prompt: 'Send the report', workingDir: '/w' };
      await harness.put(1, copied);
      harness.approvedRows = { trusted: false, approvals: new Set([approvalOf(await harness.state(1))]) };
      await harness.put(2, copied);
      assert.equal((await harness.state(2)).power, (await harness.state(1)).power);
      assert.deepEqual(await harness.drain(), [1]);
      assert.equal((await harness.why(2)).state, 'unapproved');
    });

    scenario('a row that was edited after its approval', async (harness) => {
      await harness.put(1);
      harness.approvedRows = { trusted: false, approvals: new Set([approvalOf(await harness.state(1))]) };
      assert.equal((await harness.why(1)).state, 'ready');
      await harness.put(1, { prompt: 'Something else' });
      assert.equal((await harness.why(1)).state, 'unapproved');
      await harness.put(1);
      assert.equal((await harness.why(1)).state, 'ready');
    });

    scenario('a task in the record until its approval or its edited row is noted', async (harness) => {
      await harness.put(1);
      await harness.put(2);
      await harness.put(3, { prompt: 'Old' });
      const states = await Promise.all([1, 2, 3].map((id) => harness.state(id)));
      const [first = '', second = '', third = ''] = states.map(approvalOf);
      const past = (): Promise<unknown> =>
        Promise.all([2, 3].map((id) => explainPast(harness.queue, harness.now, id)));
      harness.approvedRows = { trusted: false, approvals: new Set([first, third]) };
      await harness.claim();
      assert.deepEqual(await past(), ['unapproved', 'waiting']);
      harness.approvedRows = { trusted: false, approvals: new Set([first, second, third]) };
      await harness.put(3, { prompt: 'New' });
      await harness.queue.noteInputs(harness.request(), harness.op());
      assert.deepEqual(await past(), ['waiting', 'unapproved']);
    });

    scenario('a task until all its dependencies are completed', async (harness) => {
      await harness.put(1, { dependencies: [2, 3] });
      await harness.put(2);
      await harness.put(3);
      assert.equal((await harness.why(1)).state, 'blocked');
      await harness.run('success');
      assert.equal((await harness.why(1)).text, 'waits for 3');
      await harness.run('success');
      assert.equal((await harness.claim()).claim.id, 1);
    });

    scenario('a task as stuck when a dependency failed or was cancelled', async (harness) => {
      await harness.put(1);
      await harness.put(2, { dependencies: [1] });
      await harness.put(3);
      await harness.put(4, { dependencies: [3] });
      await harness.run('permanent');
      await harness.queue.command(3, 'cancel', harness.op());
      assert.equal((await harness.why(2)).state, 'stuck');
      assert.equal((await harness.why(4)).state, 'stuck');
      await harness.queue.command(1, 'retry', harness.op());
      assert.equal((await harness.why(2)).state, 'blocked');
      assert.deepEqual(await harness.drain(), [1, 2]);
    });

    scenario('rows with an unknown or circular dependency, and names them as problems', async (harness) => {
      await harness.put(1, { dependencies: [2] });
      await harness.put(2, { dependencies: [1] });
      await harness.put(3, { dependencies: [99] });
      await harness.put(4, { dependencies: [1] });
      await harness.put(5);
      const { problems, invalidIds } = await harness.queue.read();
      assert.deepEqual([...invalidIds].sort(), [1, 2, 3]);
      assert.ok(problems.some((one) => one.id === 1 && describeRowProblem(one).includes('1 → 2 → 1')));
      assert.ok(problems.some((one) => one.id === 3 && describeRowProblem(one).includes('99')));
      assert.equal((await harness.why(4)).state, 'stuck');
      assert.deepEqual(await harness.drain(), [5]);
    });

    scenario('a daily task until the daily task that it depends on has run since', async (harness) => {
      await harness.put(10, { repeat: daily });
      await harness.put(20, { dependencies: [10], repeat: daily });
      assert.equal((await harness.why(20)).state, 'blocked');
      assert.deepEqual(await harness.drain(), [10, 20]);
      harness.clock.advance(DAY);
      assert.equal((await harness.why(20)).state, 'blocked', 'the second day starts with 10 again');
      assert.deepEqual(await harness.drain(), [10, 20]);
    });

    scenario('a single task until the next success of a daily dependency', async (harness) => {
      await harness.put(10, { repeat: daily });
      await harness.run('success');
      harness.clock.advance(HOUR);
      await harness.put(30, { dependencies: [10] });
      assert.equal((await harness.why(30)).state, 'blocked');
      harness.clock.advance(DAY);
      assert.deepEqual(await harness.drain(), [10, 30]);
    });

    scenario('a task until its scheduled time, which is its reason', async (harness) => {
      const at = harness.now + 2 * HOUR;
      await harness.put(1, {}, { scheduledAt: at });
      const idle = await harness.idle();
      assert.equal(idle.askAgainAt, at);
      assert.equal(idle.why.state, 'scheduled');
      assert.equal(idle.passesByItself, false, 'work --until-empty does not wait for it');
      harness.clock.advance(2 * HOUR);
      assert.equal((await harness.claim()).claim.id, 1);
    });

    scenario('everything while the queue is paused', async (harness) => {
      await harness.put(1);
      await harness.queue.hold({ by: 'person', why: 'lunch' }, harness.op());
      assert.match((await harness.idle()).why.text, /lunch/);
      await harness.queue.resume(harness.op());
      assert.equal((await harness.claim()).claim.id, 1);
    });

    scenario('everything beyond 20 starts an hour and 100 a day', async (harness) => {
      for (let id = 1; id <= 22; id += 1) await harness.put(id);
      const first = harness.now;
      assert.equal((await harness.drain()).length, 20);
      const idle = await harness.idle();
      assert.equal(idle.askAgainAt, first + HOUR);
      assert.ok(idle.passesByItself);
      harness.clock.advance(HOUR);
      assert.equal((await harness.drain()).length, 2);

      harness.settings = { ...harness.settings, maxPerHour: 1000, maxPerDay: 23 };
      await harness.put(23);
      await harness.put(24);
      assert.equal((await harness.drain()).length, 1);
      assert.equal((await harness.idle()).askAgainAt, first + DAY);
    });

    scenario('a second task while one is running, by default', async (harness) => {
      await harness.put(1);
      await harness.put(2);
      const first = await harness.claim();
      const idle = await harness.idle({ pid: 2 });
      assert.match(idle.why.text, /running/);
      await harness.finish(first, 'success');
      assert.equal((await harness.claim({ pid: 2 })).claim.id, 2);
    });

    scenario('a second task in the same directory, also if several may run', async (harness) => {
      harness.settings = { ...harness.settings, maxRunning: 2 };
      await harness.put(1, { workingDir: '/place/a' });
      await harness.put(2, { workingDir: '/place/a' });
      await harness.put(3, { workingDir: '/place/b' });
      await harness.put(4, { workingDir: '/place/c' });
      assert.equal((await harness.claim()).claim.id, 1);
      assert.equal((await harness.claim({ pid: 2 })).claim.id, 3);
      assert.match((await harness.idle({ pid: 3 })).why.text, /running/);
    });

    scenario('a task in the place of an attempt whose row names another directory since', async (harness) => {
      harness.settings = { ...harness.settings, maxRunning: 3 };
      await harness.put(1, { workingDir: '/place/a' });
      const first = await harness.claim();
      await harness.put(1, { workingDir: '/place/b' });
      await harness.put(2, { workingDir: '/place/a' });
      await harness.put(3, { workingDir: '/place/b' });
      assert.equal((await harness.why(2)).text, 'worker w1 is running task 1 in the same directory');
      const third = await harness.claim({ pid: 2 });
      assert.equal(third.claim.id, 3);
      assert.equal((await harness.idle({ pid: 3 })).kind, 'idle');
      await harness.finish(first, 'success');
      harness.machine.kill(2);
      await harness.recover();
      const places = (await harness.queue.attempts({})).map(({ id, outcome, place }) => [id, outcome, place]);
      assert.deepEqual(
        places.sort(([a], [b]) => Number(a) - Number(b)),
        [
          [1, 'success', { folder: '/place/a' }],
          [3, 'lost', { folder: '/place/b' }],
        ],
      );
    });

    scenario(
      'a task that waits for a reset, until the account’s gate is found open before it',
      async (harness) => {
        const resetAt = harness.now + HOUR;
        await harness.put(1);
        await harness.put(2);
        const block = { kind: 'five_hour', since: harness.now, until: resetAt, message: 'limit' } as const;
        const closed = { closures: [block], usage: [] };
        const signal = { kind: 'five_hour', resetAt, message: 'limit' } as const;
        await harness.run('limit', { signal }, { id: 2 });
        const idle = await harness.idle({ gate: closed });
        assert.equal(idle.askAgainAt, resetAt + MINUTE, 'the gate opens a minute after the reset');
        const opened = { gate: { ...OPEN_GATE, openedBefore: resetAt } };
        assert.equal((await harness.why(2, opened)).state, 'ready');
        assert.deepEqual(await harness.drain(opened), [2, 1], 'what was stopped goes first');
      },
    );

    scenario('tasks of a model whose gate is closed, but no others', async (harness) => {
      await harness.put(1, { model: 'claude-opus-4-6' });
      await harness.put(2, { model: 'haiku' });
      const until = harness.now + HOUR;
      const block = {
        kind: 'seven_day_opus',
        model: 'opus',
        since: harness.now,
        until,
        message: '',
      } as const;
      const gate = { closures: [block], usage: [] };
      assert.equal((await harness.claim({ gate })).claim.id, 2);
      assert.equal((await harness.why(1, { gate })).until, until + MINUTE, 'a minute after the reset');
    });
  });
}
