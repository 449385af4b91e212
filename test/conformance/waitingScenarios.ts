import assert from 'node:assert/strict';
import { OPEN_GATE } from '../../src/domain/gate/limits';
import { approvalOf } from '../../src/domain/task/approval';
import { DAY, HOUR, MINUTE, PERSON, repeat } from './bench';
import type { Scenario } from './queueConformance';

const daily = repeat('daily');

/** What keeps a task from running. */
export function describeWaiting(scenario: Scenario): void {
  describe('lets wait', () => {
    scenario('what nobody has approved, unless a person takes it', async (bench) => {
      await bench.put(1);
      await bench.put(2);
      const approved = approvalOf(await bench.state(2));
      bench.proofs = { trusted: false, approvals: new Set([approved]) };
      assert.deepEqual(await bench.drain(), [2]);
      assert.equal((await bench.why(1)).shown, 'unapproved');
      const idle = await bench.idle({ id: 1, override: { time: true } });
      assert.equal(idle.why.shown, 'unapproved', 'naming it does not approve it');
      const byHand = await bench.claim({ owner: PERSON, override: { unattendedRules: true } });
      assert.equal(byHand.claim.id, 1);
    });

    scenario('a copy of what was approved, under another id', async (bench) => {
      const copied = { prompt: 'Send the report', workingDir: '/w' };
      await bench.put(1, copied);
      bench.proofs = { trusted: false, approvals: new Set([approvalOf(await bench.state(1))]) };
      await bench.put(2, copied);
      assert.equal((await bench.state(2)).power, (await bench.state(1)).power);
      assert.deepEqual(await bench.drain(), [1]);
      assert.equal((await bench.why(2)).shown, 'unapproved');
    });

    scenario('what was approved and then edited', async (bench) => {
      await bench.put(1);
      bench.proofs = { trusted: false, approvals: new Set([approvalOf(await bench.state(1))]) };
      assert.equal((await bench.why(1)).shown, 'ready');
      await bench.put(1, { prompt: 'Something else' });
      assert.equal((await bench.why(1)).shown, 'unapproved');
      await bench.put(1);
      assert.equal((await bench.why(1)).shown, 'ready');
    });

    scenario('a task until all that it depends on is completed', async (bench) => {
      await bench.put(1, { dependencies: [2, 3] });
      await bench.put(2);
      await bench.put(3);
      assert.equal((await bench.why(1)).shown, 'blocked');
      await bench.run('success');
      assert.equal((await bench.why(1)).text, 'waits for 3 (pending)');
      await bench.run('success');
      assert.equal((await bench.claim()).claim.id, 1);
    });

    scenario('a task as stuck when what it depends on failed or was cancelled', async (bench) => {
      await bench.put(1);
      await bench.put(2, { dependencies: [1] });
      await bench.put(3);
      await bench.put(4, { dependencies: [3] });
      await bench.run('permanent');
      await bench.queue.command(3, 'cancel', bench.op());
      assert.equal((await bench.why(2)).shown, 'stuck');
      assert.equal((await bench.why(4)).shown, 'stuck');
      await bench.queue.command(1, 'retry', bench.op());
      assert.equal((await bench.why(2)).shown, 'blocked');
      assert.deepEqual(await bench.drain(), [1, 2]);
    });

    scenario(
      'rows with a dependency that is not there, or in a circle, and names them as problems',
      async (bench) => {
        await bench.put(1, { dependencies: [2] });
        await bench.put(2, { dependencies: [1] });
        await bench.put(3, { dependencies: [99] });
        await bench.put(4, { dependencies: [1] });
        await bench.put(5);
        const { problems, invalidIds } = await bench.queue.read();
        assert.deepEqual([...invalidIds].sort(), [1, 2, 3]);
        assert.ok(problems.some(({ id, message }) => id === 1 && message.includes('1 → 2 → 1')));
        assert.ok(problems.some(({ id, message }) => id === 3 && message.includes('99')));
        assert.equal((await bench.why(4)).shown, 'stuck');
        assert.deepEqual(await bench.drain(), [5]);
      },
    );

    scenario('a daily task after another daily one until that has run since', async (bench) => {
      await bench.put(10, { repeat: daily });
      await bench.put(20, { dependencies: [10], repeat: daily });
      assert.equal((await bench.why(20)).shown, 'blocked');
      assert.deepEqual(await bench.drain(), [10, 20]);
      bench.clock.advance(DAY);
      assert.equal((await bench.why(20)).shown, 'blocked', 'the second day starts with 10 again');
      assert.deepEqual(await bench.drain(), [10, 20]);
    });

    scenario('a single task after a daily one until its next success', async (bench) => {
      await bench.put(10, { repeat: daily });
      await bench.run('success');
      bench.clock.advance(HOUR);
      await bench.put(30, { dependencies: [10] });
      assert.equal((await bench.why(30)).shown, 'blocked');
      bench.clock.advance(DAY);
      assert.deepEqual(await bench.drain(), [10, 30]);
    });

    scenario('a task until its scheduled time, and says when that is', async (bench) => {
      const at = bench.now + 2 * HOUR;
      await bench.put(1, {}, { scheduledAt: at });
      const idle = await bench.idle();
      assert.equal(idle.askAgainAt, at);
      assert.equal(idle.why.shown, 'scheduled');
      assert.equal(idle.passesByItself, false, 'work --until-empty does not wait for it');
      bench.clock.advance(2 * HOUR);
      assert.equal((await bench.claim()).claim.id, 1);
    });

    scenario('everything while the queue is held', async (bench) => {
      await bench.put(1);
      await bench.queue.hold({ by: 'person', why: 'lunch' }, bench.op());
      assert.match((await bench.idle()).why.text, /lunch/);
      await bench.queue.resume(bench.op());
      assert.equal((await bench.claim()).claim.id, 1);
    });

    scenario('everything beyond twenty starts an hour and a hundred a day', async (bench) => {
      for (let id = 1; id <= 22; id += 1) await bench.put(id);
      const first = bench.now;
      assert.equal((await bench.drain()).length, 20);
      const idle = await bench.idle();
      assert.equal(idle.askAgainAt, first + HOUR);
      assert.ok(idle.passesByItself);
      bench.clock.advance(HOUR);
      assert.equal((await bench.drain()).length, 2);

      bench.settings = { ...bench.settings, maxPerHour: 1000, maxPerDay: 23 };
      await bench.put(23);
      await bench.put(24);
      assert.equal((await bench.drain()).length, 1);
      assert.equal((await bench.idle()).askAgainAt, first + DAY);
    });

    scenario('a second task while one runs, by default', async (bench) => {
      await bench.put(1);
      await bench.put(2);
      const first = await bench.claim();
      const idle = await bench.idle({ pid: 2 });
      assert.match(idle.why.text, /running/);
      await bench.finish(first, 'success');
      assert.equal((await bench.claim({ pid: 2 })).claim.id, 2);
    });

    scenario('a second task in the same directory where several may run', async (bench) => {
      bench.settings = { ...bench.settings, maxRunning: 2 };
      await bench.put(1, { workingDir: '/place/a' });
      await bench.put(2, { workingDir: '/place/a' });
      await bench.put(3, { workingDir: '/place/b' });
      await bench.put(4, { workingDir: '/place/c' });
      assert.equal((await bench.claim()).claim.id, 1);
      assert.equal((await bench.claim({ pid: 2 })).claim.id, 3);
      assert.match((await bench.idle({ pid: 3 })).why.text, /running/);
    });

    scenario(
      'what waits for a reset, but no longer once the account’s gate was found open before it',
      async (bench) => {
        const resetAt = bench.now + HOUR;
        await bench.put(1);
        await bench.put(2);
        const closure = { kind: 'five_hour', since: bench.now, until: resetAt, message: 'limit' } as const;
        const closed = { closures: [closure], usage: [] };
        const signal = { kind: 'five_hour', resetAt, message: 'limit' } as const;
        await bench.run('limit', { signal }, { id: 2 });
        const idle = await bench.idle({ gate: closed });
        assert.equal(idle.askAgainAt, resetAt + MINUTE, 'the gate opens a minute after the reset');
        const opened = { gate: { ...OPEN_GATE, openedBefore: resetAt } };
        assert.equal((await bench.why(2, opened)).shown, 'ready');
        assert.deepEqual(await bench.drain(opened), [2, 1], 'what was stopped goes first');
      },
    );

    scenario('tasks of a model whose gate is closed, and not the others', async (bench) => {
      await bench.put(1, { model: 'claude-opus-4-6' });
      await bench.put(2, { model: 'haiku' });
      const until = bench.now + HOUR;
      const closure = {
        kind: 'seven_day_opus',
        model: 'opus',
        since: bench.now,
        until,
        message: '',
      } as const;
      const gate = { closures: [closure], usage: [] };
      assert.equal((await bench.claim({ gate })).claim.id, 2);
      assert.equal((await bench.why(1, { gate })).until, until + MINUTE, 'a minute after the reset');
    });
  });
}
