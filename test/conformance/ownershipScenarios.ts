import assert from 'node:assert/strict';
import { Fenced, isProblem } from '../../src/domain/problem';
import { HOUR, PERSON, workerOf, type Bench } from './bench';
import type { Scenario } from './queueConformance';

/** Who has a task, and who had it. */
export function describeOwnership(scenario: Scenario): void {
  describe('keeps one owner at a time', () => {
    scenario('a task that is claimed through one opening is running in the other', async (bench) => {
      await bench.put(1);
      await bench.claim();
      const other = await bench.subject.another();
      const snapshot = await other.read();
      assert.equal(snapshot.claims[0]?.id, 1);
      assert.equal((await other.claim(bench.want({ pid: 2 }), bench.op())).kind, 'idle');
    });

    scenario('an owner that was taken for dead is refused everything', async (bench) => {
      await bench.put(1);
      const old = await bench.claim({ pid: 7 });
      bench.machine.kill(7);
      await bench.recover();
      const fresh = await bench.claim({ pid: 8 });
      assert.ok(fresh.claim.token > old.claim.token);
      await assert.rejects(bench.queue.renew(old.claim, 0), Fenced);
      await assert.rejects(bench.queue.start(old.claim, { pid: 70, startedAt: 'x' }, bench.op()), Fenced);
      await assert.rejects(bench.finish(old, 'success'), Fenced);
      await assert.rejects(bench.queue.release(old.claim, 'stopped', bench.op()), Fenced);
      assert.equal((await bench.state(1)).status, 'pending', 'nothing of it counted');
      await bench.finish(fresh, 'success');
      assert.equal((await bench.queue.attempts({ outcome: 'success' })).length, 1);
    });

    scenario('a call that is repeated is answered as before and does nothing again', async (bench) => {
      await bench.put(1);
      await bench.put(2);
      const want = bench.want();
      const first = await bench.queue.claim(want, 'once');
      assert.deepEqual(await bench.queue.claim(want, 'once'), first);
      assert.ok(first.kind === 'claimed');
      await bench.queue.start(first.claim, { pid: 70, startedAt: 'x' }, 'begun');
      await bench.queue.start(first.claim, { pid: 70, startedAt: 'x' }, 'begun');
      const end = { ...(await bench.endOf(first, 'error')), definition: first.definition };
      await bench.queue.finish(first.claim, end, 'ended');
      await bench.queue.finish(first.claim, end, 'ended');
      assert.equal((await bench.queue.attempts({})).length, 1);
      assert.equal((await bench.state(1)).retryCount, 1);
      await bench.queue.hold({ by: 'person', why: 'now' }, 'held');
      await bench.queue.resume('resumed');
      await bench.queue.hold({ by: 'person', why: 'now' }, 'held');
      assert.equal((await bench.queue.read()).held, null);
    });

    scenario('a finish that claimed the next is repeated with the same next', async (bench) => {
      await bench.put(1);
      await bench.put(2);
      const first = await bench.claim();
      const end = { ...(await bench.endOf(first, 'success')), definition: first.definition };
      const next = await bench.queue.finish(first.claim, end, 'both', bench.want());
      assert.deepEqual(await bench.queue.finish(first.claim, end, 'both', bench.want()), next);
      assert.equal((await bench.queue.read()).claims.length, 1);
      assert.equal((await bench.queue.attempts({})).length, 1);
    });

    scenario('a row that is added twice by one call is there once', async (bench) => {
      const cells = { prompt: 'Added', working_dir: '/place/a' };
      const added = await bench.queue.add({ cells }, 'add');
      assert.deepEqual(await bench.queue.add({ cells }, 'add'), added);
      assert.notEqual((await bench.queue.add({ cells }, 'another')).id, added.id);
      assert.equal(added.power, (await bench.state(added.id)).power);
      assert.equal((await bench.queue.read()).tasks.length, 2);
    });

    scenario('a row that would not be understood is not added', async (bench) => {
      const cells = { prompt: 'Added', working_dir: '/place/a', priority: 'urgent' };
      await assert.rejects(bench.queue.add({ cells }, bench.op()), (error) => isProblem(error, 'usage'));
      const unknown = { prompt: 'Added', working_dir: '/place/a', colour: 'red' };
      await assert.rejects(bench.queue.add({ cells: unknown }, bench.op()), (error) =>
        isProblem(error, 'usage'),
      );
      assert.deepEqual((await bench.queue.read()).tasks, []);
    });

    scenario('a run whose owner died is told once, and goes on in its session', async (bench) => {
      await bench.put(1);
      const { claim } = await bench.claim({ pid: 7 });
      assert.deepEqual(await bench.recover(), [], 'nobody has died');
      bench.machine.kill(7);
      const [one, other] = await Promise.all([
        bench.recover(),
        (await bench.subject.another()).recover(
          { settings: bench.settings, timeZone: 'UTC', random: 0.5 },
          bench.op(),
        ),
      ]);
      assert.equal(one.length + other.length, 1);
      const again = await bench.claim({ pid: 8 });
      assert.deepEqual([again.claim.session, again.claim.resume], [claim.session, 'lost']);
      assert.equal((await bench.state(1)).retryCount, 0);
      assert.equal((await bench.queue.attempts({ outcome: 'lost' })).length, 1);
    });

    scenario('a run is not taken while its claude still lives', async (bench) => {
      await bench.put(1);
      const { claim } = await bench.claim({ pid: 7 });
      await bench.queue.start(claim, { pid: 70, startedAt: 'x' }, bench.op());
      bench.machine.kill(7);
      assert.deepEqual(await bench.recover(), []);
      await bench.idle({ pid: 8 });
      bench.machine.kill(70);
      assert.equal((await bench.recover()).length, 1);
    });

    scenario('runs that are lost one after another count from the second on', async (bench) => {
      await bench.put(1);
      for (const [pid, retryCount] of [
        [7, 0],
        [8, 1],
        [9, 2],
      ] as const) {
        await bench.claim({ pid });
        bench.machine.kill(pid);
        await bench.recover();
        assert.equal((await bench.state(1)).retryCount, retryCount);
        bench.clock.advance(HOUR);
      }
      await bench.claim({ pid: 10 });
      bench.machine.kill(10);
      await bench.recover();
      assert.equal((await bench.state(1)).status, 'failed');
    });

    scenario('a task that was cancelled before its owner died is cancelled, not lost', async (bench) => {
      await bench.put(1);
      await bench.claim({ pid: 7 });
      await bench.queue.command(1, 'cancel', bench.op());
      bench.machine.kill(7);
      await bench.recover();
      assert.equal((await bench.state(1)).status, 'cancelled');
    });

    scenario('what a person has taken is theirs until they give it back', async (bench) => {
      await bench.put(1);
      await bench.put(2);
      const { claim } = await bench.claim({ owner: PERSON, override: { unattendedRules: true } });
      assert.equal((await bench.why(1)).text, 'you');
      bench.machine.kill(1);
      assert.deepEqual(await bench.recover(), []);
      assert.equal((await bench.claim({ pid: 2 })).claim.id, 2, 'a worker takes another task meanwhile');
      await bench.queue.release(claim, 'person', bench.op());
      assert.equal((await bench.why(1)).shown, 'waiting');
    });

    scenario('a task that is given back unrun does not count as a start', async (bench) => {
      bench.settings = { ...bench.settings, maxPerHour: 1 };
      await bench.put(1);
      const { claim } = await bench.claim();
      await bench.queue.release(claim, 'stopped', bench.op());
      assert.deepEqual((await bench.queue.read()).starts, []);
      assert.equal((await bench.claim()).claim.id, 1);
    });

    scenario('a task that was run before its time and given back keeps its time', async (bench) => {
      await bench.put(1);
      await bench.run('error');
      const { dueAt } = await bench.state(1);
      const { claim } = await bench.claim({ id: 1, override: { time: true } });
      await bench.queue.release(claim, 'stopped', bench.op());
      assert.equal((await bench.state(1)).dueAt, dueAt);
      await bench.idle();
    });

    scenario('a worker of another machine is refused while one works here', async (bench) => {
      await bench.put(1);
      await bench.put(2);
      await bench.claim({ owner: workerOf(5, 'elsewhere') });
      await assert.rejects(bench.ask(), (error) => isProblem(error, 'other-machine'));
    });

    scenario('a worker that has enlisted is at work until it leaves', async (bench) => {
      const worker = { owner: workerOf(5), since: bench.now };
      assert.deepEqual(await bench.queue.enlist(worker, { alone: true }, 'once'), { kind: 'enlisted' });
      assert.deepEqual(await bench.queue.enlist(worker, { alone: true }, 'once'), { kind: 'enlisted' });
      const other = await bench.subject.another();
      assert.deepEqual((await other.read()).workers, [worker]);
      await bench.queue.leave(worker.owner, bench.op());
      await bench.queue.leave(worker.owner, bench.op());
      assert.deepEqual((await other.read()).workers, []);
    });

    scenario('of two workers that begin at once, each to be alone, one is enlisted', async (bench) => {
      const other = await bench.subject.another();
      const workers = [5, 6].map((pid) => ({ owner: workerOf(pid), since: bench.now }));
      const answers = await Promise.all(
        workers.map((worker, index) =>
          (index === 0 ? bench.queue : other).enlist(worker, { alone: true }, bench.op()),
        ),
      );
      const there = answers.findIndex(({ kind }) => kind === 'enlisted');
      assert.deepEqual(answers[1 - there], { kind: 'taken', by: workers[there] });
      assert.deepEqual((await bench.queue.read()).workers, [workers[there]]);
    });

    scenario('a worker that need not be alone enlists beside the others', async (bench) => {
      const [first, second] = [5, 6].map((pid) => ({ owner: workerOf(pid), since: bench.now }));
      assert.ok(first !== undefined && second !== undefined);
      await bench.queue.enlist(first, { alone: false }, bench.op());
      await bench.queue.enlist(second, { alone: false }, bench.op());
      assert.deepEqual((await bench.queue.read()).workers, [first, second]);
    });

    scenario('a worker that died, or is another machine’s, is nobody to be alone from', async (bench) => {
      const since = bench.now;
      await bench.queue.enlist({ owner: workerOf(5), since }, { alone: true }, bench.op());
      await bench.queue.enlist({ owner: workerOf(6, 'elsewhere'), since }, { alone: false }, bench.op());
      bench.machine.kill(5);
      assert.deepEqual((await bench.queue.read()).workers, []);
      const fresh = { owner: workerOf(7), since };
      const answer = await bench.queue.enlist(fresh, { alone: true }, bench.op());
      assert.equal(answer.kind, 'enlisted');
      assert.deepEqual((await bench.queue.read()).workers, [fresh]);
    });

    scenario('the history of a queue at which a worker is at work is not put away', async (bench) => {
      const worker = { owner: workerOf(5), since: bench.now };
      await bench.queue.enlist(worker, { alone: true }, bench.op());
      await assert.rejects(bench.queue.reset(), (error) => isProblem(error, 'already-running'));
      assert.deepEqual((await bench.queue.read()).workers, [worker]);
      bench.machine.kill(5);
      await bench.queue.reset();
    });

    scenario('workers that are asked to stop are told, later ones are not', async (bench) => {
      await bench.put(1);
      const since = bench.now;
      const { claim } = await bench.claim();
      await stopAndLook(bench, 'after-task');
      assert.deepEqual(await bench.queue.renew(claim, since), {}, 'what runs may come to its end');
      assert.equal((await bench.idle({ since, pid: 2 })).stop, 'after-task');
      await stopAndLook(bench, 'now');
      assert.deepEqual(await bench.queue.renew(claim, since), { stop: 'stopped' });
      await bench.queue.release(claim, 'stopped', bench.op());
      bench.clock.advance(1);
      assert.equal((await bench.claim({ pid: 3 })).claim.id, 1);
    });
  });
}

async function stopAndLook(bench: Bench, how: 'after-task' | 'now'): Promise<void> {
  await bench.queue.stop(how, bench.op());
  assert.equal((await bench.queue.read()).stop?.how, how);
}
