import assert from 'node:assert/strict';
import { Fenced, isProblem } from '../../../src/domain/problem';
import { approvalOf } from '../../../src/domain/task/approval';
import { HOUR, PERSON, workerOf, type Harness } from '../harness';
import type { RegisteredWorker } from '../../../src/domain/queue/view';
import type { Machines, Scenario } from '../queueConformance';

/** Scenarios of claims and their owners. */
export function describeOwnership(scenario: Scenario, machines: Machines): void {
  describe('keeps one owner at a time', () => {
    scenario('a task claimed through one handle is running in the other', async (harness) => {
      await harness.put(1);
      await harness.claim();
      const other = await harness.subject.another();
      const snapshot = await other.read();
      assert.equal(snapshot.claims[0]?.id, 1);
      assert.equal((await other.claim(harness.request({ pid: 2 }), harness.op())).kind, 'idle');
    });

    scenario('a task that is asked for by its id as all tasks are read, and no other', async (harness) => {
      for (const id of [1, 2, 3]) await harness.put(id);
      await harness.claim();
      const { tasks } = await harness.queue.read();
      assert.deepEqual(await harness.queue.find([3, 1, 4]), [tasks[0], tasks[2]]);
      assert.equal(tasks[0]?.claim?.id, 1);
    });

    scenario('an owner that lost its claim as dead is refused every call', async (harness) => {
      await harness.put(1);
      const old = await harness.claim({ pid: 7 });
      harness.machine.kill(7);
      await harness.recover();
      const fresh = await harness.claim({ pid: 8 });
      assert.ok(fresh.claim.token > old.claim.token);
      await assert.rejects(harness.queue.renew(old.claim, 0), Fenced);
      await assert.rejects(harness.queue.start(old.claim, { pid: 70, startedAt: 'x' }, harness.op()), Fenced);
      await assert.rejects(harness.finish(old, 'success'), Fenced);
      await assert.rejects(harness.queue.release(old.claim, 'stopped', harness.op()), Fenced);
      assert.equal((await harness.state(1)).status, 'pending', 'nothing of it counted');
      await harness.finish(fresh, 'success');
      assert.equal((await harness.queue.attempts({ outcome: 'success' })).length, 1);
    });

    scenario('a repeated call gets the same answer and changes nothing', async (harness) => {
      await harness.put(1);
      await harness.put(2);
      const request = harness.request();
      const first = await harness.queue.claim(request, 'once');
      assert.deepEqual(await harness.queue.claim(request, 'once'), first);
      assert.ok(first.kind === 'claimed');
      await harness.queue.start(first.claim, { pid: 70, startedAt: 'x' }, 'started');
      await harness.queue.start(first.claim, { pid: 70, startedAt: 'x' }, 'started');
      const end = { ...(await harness.endOf(first, 'error')), definition: first.definition };
      await harness.queue.finish(first.claim, end, 'ended');
      await harness.queue.finish(first.claim, end, 'ended');
      assert.equal((await harness.queue.attempts({})).length, 1);
      assert.equal((await harness.state(1)).retryCount, 1);
      await harness.queue.hold({ by: 'person', why: 'now' }, 'held');
      await harness.queue.resume('resumed');
      await harness.queue.hold({ by: 'person', why: 'now' }, 'held');
      assert.deepEqual((await harness.queue.read()).holds, []);
    });

    scenario('a repeated finish returns the same claimed task', async (harness) => {
      await harness.put(1);
      await harness.put(2);
      const first = await harness.claim();
      const end = { ...(await harness.endOf(first, 'success')), definition: first.definition };
      const next = await harness.queue.finish(first.claim, end, 'both', harness.request());
      assert.deepEqual(await harness.queue.finish(first.claim, end, 'both', harness.request()), next);
      assert.equal((await harness.queue.read()).claims.length, 1);
      assert.equal((await harness.queue.attempts({})).length, 1);
    });

    scenario('a repeated call gives out no row that was edited or removed since', async (harness) => {
      for (const id of [1, 2]) await harness.put(id);
      const approvals = new Set([approvalOf(await harness.state(1)), approvalOf(await harness.state(2))]);
      harness.approvedRows = { trusted: false, approvals };
      const request = harness.request();
      const first = await harness.queue.claim(request, 'once');
      assert.ok(first.kind === 'claimed' && first.claim.id === 1);
      await harness.put(1, { prompt: 'Something else' });
      const second = await harness.queue.claim(request, 'once');
      assert.ok(second.kind === 'claimed' && second.claim.id === 2);
      assert.deepEqual(await harness.queue.claim(request, 'once'), second);
      const end = { ...(await harness.endOf(second, 'error')), definition: second.definition };
      await harness.put(1);
      const third = await harness.queue.finish(second.claim, end, 'both', harness.request());
      assert.ok(third?.kind === 'claimed' && third.claim.id === 1);
      await harness.put(1, { prompt: 'Something else' });
      const idle = await harness.queue.finish(second.claim, end, 'both', harness.request());
      assert.ok(idle?.kind === 'idle');
      assert.deepEqual((await harness.queue.read()).claims, []);
      assert.equal((await harness.queue.attempts({})).length, 1);
    });

    scenario('a row added twice by one call is in the file once', async (harness) => {
      const cells = { prompt: 'Added', working_dir: '/place/a' };
      const added = await harness.queue.add({ fields: cells }, 'add');
      assert.deepEqual(await harness.queue.add({ fields: cells }, 'add'), added);
      assert.notEqual((await harness.queue.add({ fields: cells }, 'another')).id, added.id);
      assert.equal(added.power, (await harness.state(added.id)).power);
      assert.equal((await harness.queue.read()).tasks.length, 2);
    });

    scenario('an invalid row is not added', async (harness) => {
      const cells = { prompt: 'Added', working_dir: '/place/a', priority: 'urgent' };
      await assert.rejects(harness.queue.add({ fields: cells }, harness.op()), (error) =>
        isProblem(error, 'usage'),
      );
      const unknown = { prompt: 'Added', working_dir: '/place/a', colour: 'red' };
      await assert.rejects(harness.queue.add({ fields: unknown }, harness.op()), (error) =>
        isProblem(error, 'usage'),
      );
      assert.deepEqual((await harness.queue.read()).tasks, []);
    });

    scenario('an attempt whose owner died is reported once, and its session resumes', async (harness) => {
      await harness.put(1);
      const { claim } = await harness.claim({ pid: 7 });
      assert.deepEqual(await harness.recover(), [], 'nobody has died');
      harness.machine.kill(7);
      const [one, other] = await Promise.all([
        harness.recover(),
        (await harness.subject.another()).recover(
          { settings: harness.settings, timeZone: 'UTC', random: 0.5 },
          harness.op(),
        ),
      ]);
      assert.equal(one.length + other.length, 1);
      const again = await harness.claim({ pid: 8 });
      assert.deepEqual([again.claim.session, again.claim.resume], [claim.session, 'lost']);
      assert.equal((await harness.state(1)).retryCount, 0);
      assert.equal((await harness.queue.attempts({ outcome: 'lost' })).length, 1);
    });

    scenario('an attempt is not recovered while its claude still runs', async (harness) => {
      await harness.put(1);
      const { claim } = await harness.claim({ pid: 7 });
      await harness.queue.start(claim, { pid: 70, startedAt: 'x' }, harness.op());
      harness.machine.kill(7);
      assert.deepEqual(await harness.recover(), []);
      await harness.idle({ pid: 8 });
      harness.machine.kill(70);
      assert.equal((await harness.recover()).length, 1);
    });

    scenario('the end of an attempt claims no task before that of a dead worker', async (harness) => {
      harness.settings = { ...harness.settings, maxRunning: 2 };
      for (const id of [1, 2, 3]) await harness.put(id);
      const lost = await harness.claim({ pid: 7 });
      const ended = await harness.claim({ pid: 8 });
      assert.deepEqual(await harness.queue.readLost(), []);
      harness.machine.kill(7);
      assert.deepEqual(
        (await harness.queue.readLost()).map(({ mark }) => mark),
        [lost.claim.mark],
      );
      const end = { ...(await harness.endOf(ended, 'success')), definition: ended.definition };
      assert.equal(
        await harness.queue.finish(ended.claim, end, harness.op(), harness.request({ pid: 8 })),
        undefined,
      );
      await harness.recover();
      assert.deepEqual(await harness.queue.readLost(), []);
      assert.equal((await harness.claim({ pid: 8 })).claim.id, 1);
    });

    scenario('lost attempts in a row count from the second on', async (harness) => {
      await harness.put(1);
      for (const [pid, retryCount] of [
        [7, 0],
        [8, 1],
        [9, 2],
      ] as const) {
        await harness.claim({ pid });
        harness.machine.kill(pid);
        await harness.recover();
        assert.equal((await harness.state(1)).retryCount, retryCount);
        harness.clock.advance(HOUR);
      }
      await harness.claim({ pid: 10 });
      harness.machine.kill(10);
      await harness.recover();
      assert.equal((await harness.state(1)).status, 'failed');
    });

    scenario('a task that was cancelled before its owner died is cancelled, not lost', async (harness) => {
      await harness.put(1);
      await harness.claim({ pid: 7 });
      await harness.queue.command(1, 'cancel', harness.op());
      harness.machine.kill(7);
      await harness.recover();
      assert.equal((await harness.state(1)).status, 'cancelled');
    });

    scenario('a task that the user took stays theirs until they return it', async (harness) => {
      await harness.put(1);
      await harness.put(2);
      const { claim } = await harness.claim({ owner: PERSON, override: { unattendedRules: true } });
      assert.equal((await harness.why(1)).text, 'you');
      harness.machine.kill(1);
      assert.deepEqual(await harness.recover(), []);
      assert.equal((await harness.claim({ pid: 2 })).claim.id, 2, 'a worker takes another task meanwhile');
      await harness.queue.release(claim, 'person', harness.op());
      assert.equal((await harness.why(1)).state, 'waiting');
    });

    scenario('a task that is returned without an attempt does not count as a start', async (harness) => {
      harness.settings = { ...harness.settings, maxPerHour: 1 };
      await harness.put(1);
      const { claim } = await harness.claim();
      await harness.queue.release(claim, 'stopped', harness.op());
      assert.deepEqual((await harness.queue.read()).starts, []);
      assert.equal((await harness.claim()).claim.id, 1);
    });

    scenario('a task that is returned before its scheduled time keeps that time', async (harness) => {
      await harness.put(1);
      await harness.run('error');
      const { dueAt } = await harness.state(1);
      const { claim } = await harness.claim({ id: 1, override: { time: true } });
      await harness.queue.release(claim, 'stopped', harness.op());
      assert.equal((await harness.state(1)).dueAt, dueAt);
      await harness.idle();
    });

    if (machines === 'one') {
      scenario('a worker is refused while a worker of another machine has a task', async (harness) => {
        await harness.put(1);
        await harness.put(2);
        await harness.claim({ owner: workerOf(5, 'elsewhere') });
        await assert.rejects(harness.ask(), (error) => isProblem(error, 'other-machine'));
      });
    } else {
      scenario('workers of two machines have different tasks', async (harness) => {
        await harness.put(1);
        await harness.put(2);
        const there = await harness.claim({ owner: workerOf(5, 'elsewhere') });
        const here = await harness.claim({ settings: { ...harness.settings, maxRunning: 2 } });
        assert.deepEqual([there.claim.id, here.claim.id], [1, 2]);
      });
    }

    scenario('a registered worker is running until it unregisters', async (harness) => {
      const worker = { owner: workerOf(5), since: harness.now };
      assert.deepEqual(await harness.queue.register(worker, { alone: true }, 'once'), { kind: 'enlisted' });
      assert.deepEqual(await harness.queue.register(worker, { alone: true }, 'once'), { kind: 'enlisted' });
      const other = await harness.subject.another();
      assert.deepEqual((await other.read()).workers, [worker]);
      await harness.queue.leave(worker.owner, harness.op());
      await harness.queue.leave(worker.owner, harness.op());
      assert.deepEqual((await other.read()).workers, []);
    });

    scenario('of two workers that start at once with --alone, one is registered', async (harness) => {
      const other = await harness.subject.another();
      const workers = [5, 6].map((pid) => ({ owner: workerOf(pid), since: harness.now }));
      const answers = await Promise.all(
        workers.map((worker, index) =>
          (index === 0 ? harness.queue : other).register(worker, { alone: true }, harness.op()),
        ),
      );
      const there = answers.findIndex(({ kind }) => kind === 'enlisted');
      assert.deepEqual(answers[1 - there], { kind: 'taken', by: workers[there] });
      assert.deepEqual((await harness.queue.read()).workers, [workers[there]]);
    });

    scenario('a worker without --alone registers beside others', async (harness) => {
      const [first, second] = [5, 6].map((pid) => ({ owner: workerOf(pid), since: harness.now }));
      assert.ok(first !== undefined && second !== undefined);
      await harness.queue.register(first, { alone: false }, harness.op());
      await harness.queue.register(second, { alone: false }, harness.op());
      assert.deepEqual((await harness.queue.read()).workers, [first, second]);
    });

    scenario(
      'a dead worker, or one of another machine, does not stop a worker with --alone',
      async (harness) => {
        const since = harness.now;
        await harness.queue.register({ owner: workerOf(5), since }, { alone: true }, harness.op());
        await harness.queue.register(
          { owner: workerOf(6, 'elsewhere'), since },
          { alone: false },
          harness.op(),
        );
        harness.machine.kill(5);
        assert.deepEqual(await listHere(harness), []);
        const fresh = { owner: workerOf(7), since };
        const answer = await harness.queue.register(fresh, { alone: true }, harness.op());
        assert.equal(answer.kind, 'enlisted');
        assert.deepEqual(await listHere(harness), [fresh]);
      },
    );

    scenario('a start of the timer counts dead workers and their claims as no worker', async (harness) => {
      const startedAlone = async (): Promise<boolean> => {
        await harness.queue.recordTimerStart(harness.op());
        return (await harness.queue.read()).timer?.noWorkerSince !== undefined;
      };
      await harness.put(1);
      await harness.queue.recordTimer({ by: 'crontab', crons: ['0 * * * *'] }, harness.op());
      const worker = { owner: workerOf(5), since: harness.now };
      await harness.queue.register(worker, { alone: false }, harness.op());
      assert.equal(await startedAlone(), false, 'a worker is registered');
      harness.machine.kill(5);
      assert.equal(await startedAlone(), true, 'it died');
      assert.deepEqual((await harness.queue.read()).died, [worker], 'its death is still reported');
      await harness.claim({ pid: 7 });
      assert.equal(await startedAlone(), false, 'a task runs');
      harness.machine.kill(7);
      assert.equal(await startedAlone(), true, 'its owner died');
    });

    scenario('the history is not archived while a worker is running', async (harness) => {
      const worker = { owner: workerOf(5), since: harness.now };
      await harness.queue.register(worker, { alone: true }, harness.op());
      await assert.rejects(harness.queue.reset(), (error) => isProblem(error, 'already-running'));
      assert.deepEqual((await harness.queue.read()).workers, [worker]);
      harness.machine.kill(5);
      await harness.queue.reset();
    });

    scenario('a request to stop reaches the running workers, not later ones', async (harness) => {
      await harness.put(1);
      const since = harness.now;
      const { claim } = await harness.claim();
      await stopAndLook(harness, 'after-task');
      assert.deepEqual(await harness.queue.renew(claim, since), {}, 'what runs may come to its end');
      assert.equal((await harness.idle({ since, pid: 2 })).stop, 'after-task');
      await stopAndLook(harness, 'now');
      assert.deepEqual(await harness.queue.renew(claim, since), { stop: 'stopped' });
      await harness.queue.release(claim, 'stopped', harness.op());
      harness.clock.advance(1);
      assert.equal((await harness.claim({ pid: 3 })).claim.id, 1);
    });
  });
}

async function stopAndLook(harness: Harness, how: 'after-task' | 'now'): Promise<void> {
  await harness.queue.stop(how, harness.op());
  assert.equal((await harness.queue.read()).stop?.how, how);
}

/** Workers of this machine. Of those of another machine, one store knows whether they live, and another does not. */
async function listHere(harness: Harness): Promise<readonly RegisteredWorker[]> {
  return (await harness.queue.read()).workers.filter(({ owner }) => owner.machine === 'here');
}
