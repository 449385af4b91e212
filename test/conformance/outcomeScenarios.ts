import assert from 'node:assert/strict';
import { DAY, HOUR, MINUTE, repeat } from './bench';
import type { Scenario } from './queueConformance';

/** What the end of an attempt does to its task. */
export function describeOutcomes(scenario: Scenario): void {
  describe('after an attempt', () => {
    scenario('that succeeded: completed, and told in the history', async (bench) => {
      await bench.put(1);
      await bench.run('success');
      assert.equal((await bench.state(1)).status, 'completed');
      const [attempt, ...others] = await bench.queue.attempts({ id: 1 });
      assert.equal(attempt?.outcome, 'success');
      assert.equal(attempt.number, 1);
      assert.deepEqual(others, []);
      assert.deepEqual(await bench.queue.attempts({ outcome: 'error' }), []);
    });

    scenario('of a repeating task: pending again after its interval', async (bench) => {
      await bench.put(1, { repeat: repeat('12h') });
      await bench.run('success');
      const { status, dueAt, retryCount } = await bench.state(1);
      assert.deepEqual(
        { status, dueAt, retryCount },
        { status: 'pending', dueAt: bench.now + 12 * HOUR, retryCount: 0 },
      );
      assert.equal((await bench.idle()).askAgainAt, bench.now + 12 * HOUR);
      bench.clock.advance(12 * HOUR);
      assert.equal((await bench.claim()).claim.attempt, 2);
    });

    scenario("of a task that repeats by cron: pending again at the expression's next time", async (bench) => {
      await bench.put(1, { repeat: repeat('30 9 * * 1-5') });
      await bench.run('success');
      assert.equal((await bench.state(1)).dueAt, Date.parse('2026-03-03T09:30:00Z'));
    });

    scenario(
      'that failed: again after a back-off that doubles, until its retries are used up',
      async (bench) => {
        await bench.put(1);
        await bench.run('error');
        assert.equal((await bench.why(1)).shown, 'retrying');
        assert.equal((await bench.idle()).askAgainAt, bench.now + 30_000);
        bench.clock.advance(30_000);
        await bench.run('error');
        assert.equal((await bench.idle()).askAgainAt, bench.now + 60_000);
        bench.clock.advance(60_000);
        await bench.run('error');
        const { status, retryCount } = await bench.state(1);
        assert.deepEqual({ status, retryCount }, { status: 'failed', retryCount: 3 });
        assert.equal((await bench.why(1)).shown, 'dead');
        await bench.idle();
      },
    );

    scenario(
      'that failed for the last time, of a repeating task: next time it starts afresh',
      async (bench) => {
        await bench.put(1, { repeat: repeat('daily'), maxRetries: 1 });
        const { change } = await bench.endOf(await bench.claim(), 'error');
        assert.equal(change.givenUp, true);
        assert.deepEqual([change.status, change.retryCount, change.dueAt], ['pending', 0, bench.now + DAY]);
      },
    );

    scenario(
      'that met a passing failure: not counted five times, counted the sixth time in a row',
      async (bench) => {
        await bench.put(1);
        for (let time = 1; time <= 5; time += 1) {
          await bench.run('transient');
          assert.equal((await bench.state(1)).retryCount, 0);
          bench.clock.advance(2 * HOUR);
        }
        await bench.run('transient');
        assert.equal((await bench.state(1)).retryCount, 1);
      },
    );

    scenario(
      'that met the limit: waits for the reset, no retry burnt, resumed in its session',
      async (bench) => {
        await bench.put(1);
        await bench.run('error');
        bench.clock.advance(30_000);
        const resetAt = bench.now + 3 * HOUR + 20_000;
        const first = await bench.run('limit', { signal: { kind: 'five_hour', resetAt, message: 'limit' } });
        const { status, retryCount, dueAt } = await bench.state(1);
        assert.deepEqual({ status, retryCount, dueAt }, { status: 'pending', retryCount: 1, dueAt: resetAt });
        bench.clock.advance(3 * HOUR + MINUTE);
        const { claim } = await bench.claim();
        assert.equal(claim.session, first.claim.session);
        assert.equal(claim.resume, 'limit');
      },
    );

    scenario(
      'that met a limit without a reset: waits four and a half hours, or until a person resumes',
      async (bench) => {
        await bench.put(1);
        await bench.run('limit', { signal: { kind: 'unknown', resetAt: null, message: 'limit' } });
        assert.equal((await bench.idle()).askAgainAt, bench.now + 4.5 * HOUR);
        await bench.queue.resume(bench.op());
        assert.equal((await bench.claim()).claim.resume, 'limit');
      },
    );

    scenario('that was blocked by the account: pending, unchanged', async (bench) => {
      await bench.put(1);
      await bench.run('blocked', { signal: { kind: 'sign-in', resetAt: null, message: 'sign in' } });
      const { status, retryCount } = await bench.state(1);
      assert.deepEqual({ status, retryCount }, { status: 'pending', retryCount: 0 });
    });

    scenario('that failed for good: failed at once', async (bench) => {
      await bench.put(1);
      await bench.run('permanent');
      assert.equal((await bench.state(1)).status, 'failed');
    });

    scenario('that wants an eye: dependents wait until a person accepts', async (bench) => {
      await bench.put(1);
      await bench.put(2, { dependencies: [1] });
      await bench.run('review');
      assert.equal((await bench.why(1)).shown, 'review');
      assert.equal((await bench.why(2)).shown, 'blocked');
      await bench.idle();
      await bench.queue.command(1, 'accept', bench.op());
      assert.deepEqual(await bench.drain(), [2]);
    });

    scenario('that wants an eye, of a repeating task: keeps its schedule', async (bench) => {
      await bench.put(1, { repeat: repeat('daily') });
      await bench.run('review');
      const { status, dueAt } = await bench.state(1);
      assert.deepEqual({ status, dueAt }, { status: 'pending', dueAt: bench.now + DAY });
    });

    scenario(
      'whose worker was only stopped: pending, nothing counted, resumed in its session',
      async (bench) => {
        await bench.put(1);
        const first = await bench.run('cancelled', { reason: 'stopped' });
        const { claim } = await bench.claim();
        assert.deepEqual([claim.session, claim.resume], [first.claim.session, 'stopped']);
        assert.equal((await bench.state(1)).retryCount, 0);
      },
    );

    scenario(
      'whose session has grown too large: resumed in a new one that takes its place',
      async (bench) => {
        await bench.put(1);
        const first = await bench.run('cancelled', { reason: 'stopped', contextTokens: 200_000 });
        const { claim } = await bench.claim();
        assert.notEqual(claim.session, first.claim.session);
        assert.deepEqual([claim.resume, claim.handOver], ['stopped', first.claim.session]);
        // It did not even begin: whoever opens the queue next knows all the same.
        await bench.queue.release(claim, 'stopped', bench.op());
        const queue = await bench.subject.another();
        const { tasks } = await queue.read();
        assert.deepEqual([tasks[0]?.state.session, tasks[0]?.state.handOver], [null, first.claim.session]);
        const third = await bench.run('limit', { contextTokens: 10 });
        assert.equal(third.claim.handOver, first.claim.session);
        await bench.queue.resume(bench.op());
        assert.equal((await bench.run('success')).claim.session, third.claim.session);
        const { session, handOver } = await bench.state(1);
        assert.deepEqual([session, handOver], [null, undefined]);
      },
    );

    scenario('the next one can be claimed in the same step', async (bench) => {
      await bench.put(1);
      await bench.put(2);
      const first = await bench.claim();
      const end = { ...(await bench.endOf(first, 'success')), definition: first.definition };
      const next = await bench.queue.finish(first.claim, end, bench.op(), bench.want());
      assert.equal(next?.kind === 'claimed' && next.claim.id, 2);
    });

    scenario('a new attempt without a resume has a session of its own', async (bench) => {
      await bench.put(1, { repeat: repeat('30m') });
      const first = await bench.run('success');
      bench.clock.advance(30 * MINUTE);
      const second = await bench.claim();
      assert.notEqual(second.claim.session, first.claim.session);
      assert.equal(second.claim.resume, undefined);
    });
  });
}
