import assert from 'node:assert/strict';
import { once } from 'node:events';
import { approvalOf } from '../../../src/domain/task/approval';
import { Fenced, isProblem } from '../../../src/domain/problem';
import { HOUR, PERSON, repeat } from '../harness';
import type { Scenario } from '../queueConformance';

/** Scenarios of users who act while tasks run, finish and wait. */
export function describePeople(scenario: Scenario): void {
  describe('lets the user', () => {
    scenario(
      'run a task by its id out of order, before its time and while the queue is paused',
      async (harness) => {
        await harness.put(1, { priority: 'critical' });
        await harness.put(2, { priority: 'low' }, { scheduledAt: harness.now + HOUR });
        await harness.queue.hold({ by: 'person', why: 'later' }, harness.op());
        const claimed = await harness.claim({ id: 2, override: { time: true } });
        assert.equal(claimed.claim.id, 2);
        await harness.finish(claimed, 'error');
        assert.equal((await harness.state(2)).ownerScheduledAt, null, 'its time is past now');
      },
    );

    scenario(
      'not run a task by its id before its dependencies, or when the gate is closed',
      async (harness) => {
        await harness.put(1);
        await harness.put(2, { dependencies: [1] });
        assert.equal((await harness.idle({ id: 2, override: { time: true } })).why.state, 'blocked');
        const block = {
          kind: 'five_hour',
          since: harness.now,
          until: harness.now + HOUR,
          message: '',
        } as const;
        const idle = await harness.idle({
          id: 1,
          override: { time: true },
          gate: { closures: [block], usage: [] },
        });
        assert.equal(idle.why.state, 'waiting');
        assert.equal((await harness.idle({ id: 99 })).why.waitsFor, 'nothing');
      },
    );

    scenario('retry a failed task at once, with all its retries', async (harness) => {
      await harness.put(1, { maxRetries: 1 });
      const first = await harness.run('error');
      await harness.idle();
      await harness.queue.command(1, 'retry', harness.op());
      const again = await harness.claim();
      assert.equal(again.claim.session, first.claim.session);
      assert.equal((await harness.state(1)).retryCount, 0);
    });

    scenario('retry a task that waits for its back-off', async (harness) => {
      await harness.put(1);
      await harness.run('error');
      await harness.idle();
      await harness.queue.command(1, 'retry', harness.op());
      await harness.claim();
    });

    scenario('cancel a waiting task', async (harness) => {
      await harness.put(1);
      await harness.queue.command(1, 'cancel', harness.op());
      assert.equal((await harness.state(1)).status, 'cancelled');
      await harness.idle();
    });

    scenario('cancel a running task: its worker learns it at its next check', async (harness) => {
      await harness.put(1);
      const claimed = await harness.claim();
      assert.deepEqual(await harness.queue.renew(claimed.claim, 0), {});
      await harness.queue.command(1, 'cancel', harness.op());
      assert.deepEqual(await harness.queue.renew(claimed.claim, 0), { stop: 'cancelled' });
      await harness.finish(claimed, 'cancelled');
      assert.equal((await harness.state(1)).status, 'cancelled');
    });

    scenario('cancel a running task whose row was edited: neither version continues', async (harness) => {
      await harness.put(1);
      const claimed = await harness.claim();
      await harness.put(1, { prompt: 'Something else' });
      await harness.queue.command(1, 'cancel', harness.op());
      await harness.finish(claimed, 'cancelled');
      assert.equal((await harness.state(1)).status, 'cancelled');
      await harness.idle();
    });

    scenario(
      'cancel a running task whose row was deleted: its directory stays busy until then',
      async (harness) => {
        await harness.put(1, { workingDir: '/same' });
        await harness.put(2, { workingDir: '/same' });
        harness.settings = { ...harness.settings, maxRunning: 2 };
        const claimed = await harness.claim();
        await harness.subject.remove(1);
        await harness.idle();
        await harness.queue.command(1, 'cancel', harness.op());
        assert.deepEqual(await harness.queue.renew(claimed.claim, 0), { stop: 'cancelled' });
        await harness.finish(claimed, 'cancelled');
        assert.equal((await harness.claim()).claim.id, 2);
      },
    );

    scenario('not cancel a completed task', async (harness) => {
      await harness.put(1);
      await harness.run('success');
      await assert.rejects(harness.queue.command(1, 'cancel', harness.op()), (error) =>
        isProblem(error, 'conflict'),
      );
    });

    scenario(
      'accept a repeating task that ended in review: its dependents continue, it keeps its schedule',
      async (harness) => {
        await harness.put(1, { repeat: repeat('daily') });
        await harness.put(2, { dependencies: [1] });
        await harness.run('review');
        await harness.idle();
        await harness.queue.command(1, 'accept', harness.op());
        assert.equal((await harness.state(1)).status, 'pending');
        assert.equal((await harness.claim()).claim.id, 2);
      },
    );

    scenario(
      'accept a repeating task that they set to review by hand: it waits for its next time',
      async (harness) => {
        await harness.put(1, { repeat: repeat('daily') });
        await harness.run('success');
        await harness.put(1, { repeat: repeat('daily') }, { status: 'review' });
        assert.equal((await harness.why(1)).state, 'review');
        await harness.queue.command(1, 'accept', harness.op());
        assert.equal((await harness.why(1)).state, 'scheduled');
      },
    );

    scenario('cancel a task that the user has: the claim ends', async (harness) => {
      await harness.put(1);
      const claimed = await harness.claim({ owner: PERSON });
      await harness.queue.command(1, 'cancel', harness.op());
      assert.equal((await harness.state(1)).status, 'cancelled');
      assert.deepEqual((await harness.queue.read()).claims, []);
      await assert.rejects(() => harness.queue.renew(claimed.claim, 0), Fenced);
    });

    scenario('cancel a running task by editing its row', async (harness) => {
      await harness.put(1);
      const claimed = await harness.claim();
      await harness.put(1, {}, { status: 'cancelled' });
      assert.deepEqual(await harness.queue.renew(claimed.claim, 0), { stop: 'cancelled' });
    });

    scenario(
      'accept no task that has not ended, and decide nothing about a running or unknown task',
      async (harness) => {
        await harness.put(1);
        const refused = (reason: 'conflict' | 'already-running' | 'no-such-task') => (error: unknown) =>
          isProblem(error, reason);
        await assert.rejects(harness.queue.command(1, 'accept', harness.op()), refused('conflict'));
        await harness.claim();
        await assert.rejects(harness.queue.command(1, 'retry', harness.op()), refused('already-running'));
        await assert.rejects(harness.queue.command(9, 'cancel', harness.op()), refused('no-such-task'));
      },
    );

    scenario(
      'edit the prompt of a running task: the result does not count for the new prompt',
      async (harness) => {
        await harness.put(1);
        const first = await harness.claim();
        await harness.put(1, { prompt: 'Something else' });
        assert.equal((await harness.why(1)).state, 'running');
        await harness.idle({ pid: 2 });
        await harness.finish(first, 'success');
        assert.equal((await harness.state(1)).status, 'pending');
        const second = await harness.claim();
        assert.equal(second.definition.prompt, 'Something else');
        assert.notEqual(second.claim.session, first.claim.session);
        assert.equal(second.claim.attempt, 2);
      },
    );

    scenario('change the priority of a running task without losing its result', async (harness) => {
      await harness.put(1);
      const claimed = await harness.claim();
      await harness.put(1, { priority: 'low' });
      await harness.finish(claimed, 'success');
      const task = await harness.task(1);
      assert.deepEqual([task?.state.status, task?.definition.priority], ['completed', 'low']);
    });

    scenario('delete the row of a running task: the attempt is still recorded', async (harness) => {
      await harness.put(1);
      const claimed = await harness.claim();
      await harness.subject.remove(1);
      assert.deepEqual((await harness.queue.read()).tasks, []);
      await harness.finish(claimed, 'success');
      assert.equal((await harness.queue.attempts({ id: 1 })).length, 1);
      await harness.idle();
    });

    scenario('reuse an id: the new task never resumes the session of the old one', async (harness) => {
      await harness.put(1);
      const old = await harness.claim();
      await harness.finish(old, 'cancelled', { reason: 'stopped' });
      await harness.subject.remove(1);
      await harness.put(1, { prompt: 'Another task altogether' });
      const fresh = await harness.claim();
      assert.notEqual(fresh.claim.session, old.claim.session);
      assert.equal(fresh.claim.resume, undefined);
      assert.ok(fresh.claim.token > old.claim.token);
    });

    scenario(
      'make a finished task pending in the file: it waits for approval, unless the file is trusted',
      async (harness) => {
        await harness.put(1);
        await harness.run('success');
        await harness.put(1, {}, { status: 'pending' });
        harness.approvedRows = { trusted: false, approvals: new Set([approvalOf(await harness.state(1))]) };
        assert.equal((await harness.why(1)).state, 'unapproved');
        await harness.idle();
        const seen = await harness.state(1);
        await harness.put(1, { prompt: 'Changed since' }, { status: 'pending' });
        await harness.queue.approve([seen], harness.op());
        await harness.put(1, {}, { status: 'pending' });
        assert.equal((await harness.why(1)).state, 'unapproved', 'it was changed when it was approved');
        await harness.queue.approve([seen], harness.op());
        assert.equal((await harness.claim()).claim.id, 1);
      },
    );

    scenario('set the retries and the time of a task in the file', async (harness) => {
      await harness.put(1);
      await harness.run('error');
      await harness.put(1, {}, { retryCount: 0 });
      assert.equal((await harness.state(1)).retryCount, 0);
      await harness.put(1, {}, { retryCount: 3 });
      assert.equal((await harness.why(1)).state, 'dead');
      await harness.put(1, {}, { retryCount: 1, scheduledAt: harness.now + HOUR });
      assert.equal((await harness.why(1)).state, 'scheduled');
    });

    scenario('add a task at the end, with an id that was never used', async (harness) => {
      await harness.put(3);
      await harness.put(7);
      await harness.subject.remove(7);
      const cells = { prompt: 'Added, with "quotes"\nand lines', working_dir: '/place/a', priority: 'high' };
      assert.equal((await harness.queue.add({ fields: cells }, harness.op())).id, 8);
      const { definition } = await harness.claim();
      assert.deepEqual([definition.id, definition.prompt, definition.priority], [8, cells.prompt, 'high']);
    });

    scenario('watch changes until they stop watching', async (harness) => {
      const enough = new AbortController();
      const heard = new EventTarget();
      harness.queue.watch(() => heard.dispatchEvent(new Event('change')), enough.signal);
      const reported = once(heard, 'change');
      await harness.put(1);
      await reported;
      enough.abort();
    });
  });
}
