import assert from 'node:assert/strict';
import { once } from 'node:events';
import { approvalOf } from '../../src/domain/task/approval';
import { Fenced, isProblem } from '../../src/domain/problem';
import { HOUR, PERSON, repeat } from './bench';
import type { Scenario } from './queueConformance';

/** What people do while tasks run, finish and wait. */
export function describePeople(scenario: Scenario): void {
  describe('lets people', () => {
    scenario(
      'run a task by its id before its turn, before its time and while the queue is held',
      async (bench) => {
        await bench.put(1, { priority: 'critical' });
        await bench.put(2, { priority: 'low' }, { scheduledAt: bench.now + HOUR });
        await bench.queue.hold({ by: 'person', why: 'later' }, bench.op());
        const claimed = await bench.claim({ id: 2, override: { time: true } });
        assert.equal(claimed.claim.id, 2);
        await bench.finish(claimed, 'error');
        assert.equal((await bench.state(2)).ownerScheduledAt, null, 'its time is past now');
      },
    );

    scenario(
      'not run a task by its id before what it depends on, or when the gate is closed',
      async (bench) => {
        await bench.put(1);
        await bench.put(2, { dependencies: [1] });
        assert.equal((await bench.idle({ id: 2, override: { time: true } })).why.shown, 'blocked');
        const closure = {
          kind: 'five_hour',
          since: bench.now,
          until: bench.now + HOUR,
          message: '',
        } as const;
        const idle = await bench.idle({
          id: 1,
          override: { time: true },
          gate: { closures: [closure], usage: [] },
        });
        assert.equal(idle.why.shown, 'waiting');
        assert.equal((await bench.idle({ id: 99 })).why.waitsFor, 'nothing');
      },
    );

    scenario('retry what was given up: at once, with all its retries', async (bench) => {
      await bench.put(1, { maxRetries: 1 });
      const first = await bench.run('error');
      await bench.idle();
      await bench.queue.command(1, 'retry', bench.op());
      const again = await bench.claim();
      assert.equal(again.claim.session, first.claim.session);
      assert.equal((await bench.state(1)).retryCount, 0);
    });

    scenario('retry what waits for its back-off', async (bench) => {
      await bench.put(1);
      await bench.run('error');
      await bench.idle();
      await bench.queue.command(1, 'retry', bench.op());
      await bench.claim();
    });

    scenario('cancel what waits', async (bench) => {
      await bench.put(1);
      await bench.queue.command(1, 'cancel', bench.op());
      assert.equal((await bench.state(1)).status, 'cancelled');
      await bench.idle();
    });

    scenario('cancel what runs: its worker is told at its next sign of life', async (bench) => {
      await bench.put(1);
      const claimed = await bench.claim();
      assert.deepEqual(await bench.queue.renew(claimed.claim, 0), {});
      await bench.queue.command(1, 'cancel', bench.op());
      assert.deepEqual(await bench.queue.renew(claimed.claim, 0), { stop: 'cancelled' });
      await bench.finish(claimed, 'cancelled');
      assert.equal((await bench.state(1)).status, 'cancelled');
    });

    scenario('cancel what runs although its row was edited meanwhile: neither goes on', async (bench) => {
      await bench.put(1);
      const claimed = await bench.claim();
      await bench.put(1, { prompt: 'Something else' });
      await bench.queue.command(1, 'cancel', bench.op());
      await bench.finish(claimed, 'cancelled');
      assert.equal((await bench.state(1)).status, 'cancelled');
      await bench.idle();
    });

    scenario('cancel what runs although its row is gone: its directory is free only then', async (bench) => {
      await bench.put(1, { workingDir: '/same' });
      await bench.put(2, { workingDir: '/same' });
      bench.settings = { ...bench.settings, maxRunning: 2 };
      const claimed = await bench.claim();
      await bench.subject.remove(1);
      await bench.idle();
      await bench.queue.command(1, 'cancel', bench.op());
      assert.deepEqual(await bench.queue.renew(claimed.claim, 0), { stop: 'cancelled' });
      await bench.finish(claimed, 'cancelled');
      assert.equal((await bench.claim()).claim.id, 2);
    });

    scenario('cancel nothing that is completed', async (bench) => {
      await bench.put(1);
      await bench.run('success');
      await assert.rejects(bench.queue.command(1, 'cancel', bench.op()), (error) =>
        isProblem(error, 'conflict'),
      );
    });

    scenario(
      'accept a repeating task that ended in review: its dependents go on, it keeps its schedule',
      async (bench) => {
        await bench.put(1, { repeat: repeat('daily') });
        await bench.put(2, { dependencies: [1] });
        await bench.run('review');
        await bench.idle();
        await bench.queue.command(1, 'accept', bench.op());
        assert.equal((await bench.state(1)).status, 'pending');
        assert.equal((await bench.claim()).claim.id, 2);
      },
    );

    scenario('cancel what one of them has: it is theirs no longer', async (bench) => {
      await bench.put(1);
      const claimed = await bench.claim({ owner: PERSON });
      await bench.queue.command(1, 'cancel', bench.op());
      assert.equal((await bench.state(1)).status, 'cancelled');
      assert.deepEqual((await bench.queue.read()).claims, []);
      await assert.rejects(() => bench.queue.renew(claimed.claim, 0), Fenced);
    });

    scenario('cancel what runs by writing it into the row', async (bench) => {
      await bench.put(1);
      const claimed = await bench.claim();
      await bench.put(1, {}, { status: 'cancelled' });
      assert.deepEqual(await bench.queue.renew(claimed.claim, 0), { stop: 'cancelled' });
    });

    scenario(
      'accept only what is in review, and give no orders about what runs or is not there',
      async (bench) => {
        await bench.put(1);
        const refused = (reason: 'conflict' | 'already-running' | 'no-such-task') => (error: unknown) =>
          isProblem(error, reason);
        await assert.rejects(bench.queue.command(1, 'accept', bench.op()), refused('conflict'));
        await bench.claim();
        await assert.rejects(bench.queue.command(1, 'retry', bench.op()), refused('already-running'));
        await assert.rejects(bench.queue.command(9, 'cancel', bench.op()), refused('no-such-task'));
      },
    );

    scenario('edit the prompt of a task that runs: what ran is not what is asked now', async (bench) => {
      await bench.put(1);
      const first = await bench.claim();
      await bench.put(1, { prompt: 'Something else' });
      assert.equal((await bench.why(1)).shown, 'running');
      await bench.idle({ pid: 2 });
      await bench.finish(first, 'success');
      assert.equal((await bench.state(1)).status, 'pending');
      const second = await bench.claim();
      assert.equal(second.definition.prompt, 'Something else');
      assert.notEqual(second.claim.session, first.claim.session);
      assert.equal(second.claim.attempt, 2);
    });

    scenario('change the priority of a task that runs without losing its result', async (bench) => {
      await bench.put(1);
      const claimed = await bench.claim();
      await bench.put(1, { priority: 'low' });
      await bench.finish(claimed, 'success');
      const task = await bench.task(1);
      assert.deepEqual([task?.state.status, task?.definition.priority], ['completed', 'low']);
    });

    scenario('delete the row of a task that runs: the attempt is still told', async (bench) => {
      await bench.put(1);
      const claimed = await bench.claim();
      await bench.subject.remove(1);
      assert.deepEqual((await bench.queue.read()).tasks, []);
      await bench.finish(claimed, 'success');
      assert.equal((await bench.queue.attempts({ id: 1 })).length, 1);
      await bench.idle();
    });

    scenario('use an id again: the new task never meets the session of the old one', async (bench) => {
      await bench.put(1);
      const old = await bench.claim();
      await bench.finish(old, 'cancelled', { reason: 'stopped' });
      await bench.subject.remove(1);
      await bench.put(1, { prompt: 'Another task altogether' });
      const fresh = await bench.claim();
      assert.notEqual(fresh.claim.session, old.claim.session);
      assert.equal(fresh.claim.resume, undefined);
      assert.ok(fresh.claim.token > old.claim.token);
    });

    scenario(
      'make a finished task pending in the file: it waits for approval, unless the file is trusted',
      async (bench) => {
        await bench.put(1);
        await bench.run('success');
        await bench.put(1, {}, { status: 'pending' });
        bench.proofs = { trusted: false, approvals: new Set([approvalOf(await bench.state(1))]) };
        assert.equal((await bench.why(1)).shown, 'unapproved');
        await bench.idle();
        const seen = await bench.state(1);
        await bench.put(1, { prompt: 'Changed since' }, { status: 'pending' });
        await bench.queue.approve([seen], bench.op());
        await bench.put(1, {}, { status: 'pending' });
        assert.equal((await bench.why(1)).shown, 'unapproved', 'it was changed when it was approved');
        await bench.queue.approve([seen], bench.op());
        assert.equal((await bench.claim()).claim.id, 1);
      },
    );

    scenario('set the retries and the time of a task in the file', async (bench) => {
      await bench.put(1);
      await bench.run('error');
      await bench.put(1, {}, { retryCount: 0 });
      assert.equal((await bench.state(1)).retryCount, 0);
      await bench.put(1, {}, { retryCount: 3 });
      assert.equal((await bench.why(1)).shown, 'dead');
      await bench.put(1, {}, { retryCount: 1, scheduledAt: bench.now + HOUR });
      assert.equal((await bench.why(1)).shown, 'scheduled');
    });

    scenario('add a task at the end, with an id that was never used', async (bench) => {
      await bench.put(3);
      await bench.put(7);
      await bench.subject.remove(7);
      const cells = { prompt: 'Added, with "quotes"\nand lines', working_dir: '/place/a', priority: 'high' };
      assert.equal((await bench.queue.add({ cells }, bench.op())).id, 8);
      const { definition } = await bench.claim();
      assert.deepEqual([definition.id, definition.prompt, definition.priority], [8, cells.prompt, 'high']);
    });

    scenario('be told of changes until they have heard enough', async (bench) => {
      const enough = new AbortController();
      const heard = new EventTarget();
      bench.queue.watch(() => heard.dispatchEvent(new Event('change')), enough.signal);
      const told = once(heard, 'change');
      await bench.put(1);
      await told;
      enough.abort();
    });
  });
}
