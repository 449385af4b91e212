import assert from 'node:assert/strict';
import { DAY, HOUR, MINUTE, PERSON, repeat } from '../harness';
import type { Scenario } from '../queueConformance';

/** Scenarios of a task after an attempt. */
export function describeOutcomes(scenario: Scenario): void {
  describe('after an attempt', () => {
    scenario('an attempt names the machine of its owner, also where it was lost', async (harness) => {
      await harness.put(1);
      const lost = await harness.claim({ pid: 7 });
      harness.machine.kill(7);
      await harness.recover();
      await harness.finish(await harness.claim({ pid: 8 }), 'success');
      const { machine } = lost.claim.owner;
      const attempts = await harness.queue.attempts({});
      assert.deepEqual(
        attempts.map((one) => [one.outcome, one.machine]),
        [
          ['success', machine],
          ['lost', machine],
        ],
      );
    });

    scenario(
      'its repeated end returns the task that it claimed if it asks for none any more',
      async (harness) => {
        for (const id of [1, 2]) await harness.put(id);
        const first = await harness.claim();
        const end = { ...(await harness.endOf(first, 'success')), definition: first.definition };
        const next = await harness.queue.finish(first.claim, end, 'both', harness.request());
        assert.equal(next?.kind, 'claimed');
        for (const _ of ['first', 'repeated'])
          assert.equal(await harness.queue.finish(first.claim, end, 'both'), undefined);
        assert.deepEqual((await harness.queue.read()).claims, []);
        assert.equal((await harness.queue.attempts({})).length, 1);
      },
    );

    scenario(
      'its repeated end counts also where the task that it claimed has ended since',
      async (harness) => {
        for (const id of [1, 2]) await harness.put(id);
        const first = await harness.claim();
        const end = { ...(await harness.endOf(first, 'success')), definition: first.definition };
        const next = await harness.queue.finish(first.claim, end, 'both', harness.request());
        assert.ok(next?.kind === 'claimed');
        await harness.queue.release(next.claim, 'stopped', 'ended');
        assert.equal(await harness.queue.finish(first.claim, end, 'both', harness.request()), undefined);
        assert.deepEqual((await harness.queue.read()).claims, []);
      },
    );

    scenario('an attempt has the number of a claim that was returned before it started', async (harness) => {
      await harness.put(1);
      for (let claims = 0; claims < 2; claims += 1) {
        const { claim } = await harness.claim();
        await harness.queue.release(claim, 'stopped', harness.op());
        assert.equal(claim.attempt, 1);
      }
      assert.equal((await harness.run('error')).claim.attempt, 1);
      assert.equal((await harness.claim({ id: 1, override: { time: true } })).claim.attempt, 2);
    });

    scenario('an attempt has a number of its own after the user returned the task', async (harness) => {
      await harness.put(1);
      const { claim } = await harness.claim({ owner: PERSON, override: { unattendedRules: true } });
      await harness.queue.release(claim, 'person', harness.op());
      assert.equal((await harness.claim()).claim.attempt, 2);
    });

    scenario('that succeeded: completed, and recorded in the history', async (harness) => {
      await harness.put(1);
      await harness.run('success');
      assert.equal((await harness.state(1)).status, 'completed');
      const [attempt, ...others] = await harness.queue.attempts({ id: 1 });
      assert.equal(attempt?.outcome, 'success');
      assert.equal(attempt.number, 1);
      assert.deepEqual(others, []);
      assert.deepEqual(await harness.queue.attempts({ outcome: 'error' }), []);
    });

    scenario('that changed files: known until one in another session changes none', async (harness) => {
      await harness.put(1, { repeat: repeat('12h') });
      const changed = async (): Promise<boolean> => (await harness.state(1)).changed === true;
      await harness.run('success', { files: 0 });
      assert.equal(await changed(), false);
      harness.clock.advance(12 * HOUR);
      await harness.run('limit', { files: 2 });
      assert.equal(await changed(), true);
      harness.clock.advance(12 * HOUR);
      await harness.run('success', { files: 0 });
      assert.equal(await changed(), true);
      harness.clock.advance(12 * HOUR);
      await harness.run('success', { files: 0 });
      assert.equal(await changed(), false);
    });

    scenario('of a repeating task: pending until its next time', async (harness) => {
      await harness.put(1, { repeat: repeat('12h') });
      await harness.run('success');
      const { status, dueAt, retryCount } = await harness.state(1);
      assert.deepEqual(
        { status, dueAt, retryCount },
        { status: 'pending', dueAt: harness.now + 12 * HOUR, retryCount: 0 },
      );
      assert.equal((await harness.idle()).askAgainAt, harness.now + 12 * HOUR);
      harness.clock.advance(12 * HOUR);
      assert.equal((await harness.claim()).claim.attempt, 2);
    });

    scenario(
      "of a task that repeats by cron: pending again at the expression's next time",
      async (harness) => {
        await harness.put(1, { repeat: repeat('30 9 * * 1-5') });
        await harness.run('success');
        assert.equal((await harness.state(1)).dueAt, Date.parse('2026-03-03T09:30:00Z'));
      },
    );

    scenario(
      'that failed: retried after a back-off that doubles, until no retries are left',
      async (harness) => {
        await harness.put(1);
        await harness.run('error');
        assert.equal((await harness.why(1)).state, 'retrying');
        assert.equal((await harness.idle()).askAgainAt, harness.now + 30_000);
        harness.clock.advance(30_000);
        await harness.run('error');
        assert.equal((await harness.idle()).askAgainAt, harness.now + 60_000);
        harness.clock.advance(60_000);
        await harness.run('error');
        const { status, retryCount } = await harness.state(1);
        assert.deepEqual({ status, retryCount }, { status: 'failed', retryCount: 3 });
        assert.equal((await harness.why(1)).state, 'dead');
        await harness.idle();
      },
    );

    scenario(
      'that failed for the last time, of a repeating task: its next time starts with all retries',
      async (harness) => {
        await harness.put(1, { repeat: repeat('daily'), maxRetries: 1 });
        const { change } = await harness.endOf(await harness.claim(), 'error');
        assert.equal(change.givenUp, true);
        assert.deepEqual([change.status, change.retryCount, change.dueAt], ['pending', 0, harness.now + DAY]);
      },
    );

    scenario(
      'that hit a transient failure: not counted five times in a row, counted the sixth time',
      async (harness) => {
        await harness.put(1);
        for (let time = 1; time <= 5; time += 1) {
          await harness.run('transient');
          assert.equal((await harness.state(1)).retryCount, 0);
          harness.clock.advance(2 * HOUR);
        }
        await harness.run('transient');
        assert.equal((await harness.state(1)).retryCount, 1);
      },
    );

    scenario(
      'that hit a usage limit: waits for the reset, counts no retry, resumes its session',
      async (harness) => {
        await harness.put(1);
        await harness.run('error');
        harness.clock.advance(30_000);
        const resetAt = harness.now + 3 * HOUR + 20_000;
        const first = await harness.run('limit', {
          signal: { kind: 'five_hour', resetAt, message: 'limit' },
        });
        const { status, retryCount, dueAt } = await harness.state(1);
        assert.deepEqual({ status, retryCount, dueAt }, { status: 'pending', retryCount: 1, dueAt: resetAt });
        harness.clock.advance(3 * HOUR + MINUTE);
        const { claim } = await harness.claim();
        assert.equal(claim.session, first.claim.session);
        assert.equal(claim.resume, 'limit');
      },
    );

    scenario(
      'that hit a limit without a reset time: waits 4.5 hours, or until the user resumes',
      async (harness) => {
        await harness.put(1);
        await harness.run('limit', { signal: { kind: 'unknown', resetAt: null, message: 'limit' } });
        assert.equal((await harness.idle()).askAgainAt, harness.now + 4.5 * HOUR);
        await harness.queue.resume(harness.op());
        assert.equal((await harness.claim()).claim.resume, 'limit');
      },
    );

    scenario('that the account blocked: pending, unchanged', async (harness) => {
      await harness.put(1);
      await harness.run('blocked', { signal: { kind: 'sign-in', resetAt: null, message: 'sign in' } });
      const { status, retryCount } = await harness.state(1);
      assert.deepEqual({ status, retryCount }, { status: 'pending', retryCount: 0 });
    });

    scenario('that failed permanently: failed at once', async (harness) => {
      await harness.put(1);
      await harness.run('permanent');
      assert.equal((await harness.state(1)).status, 'failed');
    });

    scenario('that needs review: dependents wait until the user accepts', async (harness) => {
      await harness.put(1);
      await harness.put(2, { dependencies: [1] });
      await harness.run('review');
      assert.equal((await harness.why(1)).state, 'review');
      assert.equal((await harness.why(2)).state, 'blocked');
      await harness.idle();
      await harness.queue.command(1, 'accept', harness.op());
      assert.deepEqual(await harness.drain(), [2]);
    });

    scenario('that needs review, of a repeating task: keeps its schedule', async (harness) => {
      await harness.put(1, { repeat: repeat('daily') });
      await harness.run('review');
      const { status, dueAt } = await harness.state(1);
      assert.deepEqual({ status, dueAt }, { status: 'pending', dueAt: harness.now + DAY });
    });

    scenario('whose worker was stopped: pending, nothing counted, resumes its session', async (harness) => {
      await harness.put(1);
      const first = await harness.run('cancelled', { reason: 'stopped' });
      const { claim } = await harness.claim();
      assert.deepEqual([claim.session, claim.resume], [first.claim.session, 'stopped']);
      assert.equal((await harness.state(1)).retryCount, 0);
    });

    scenario('whose session is too large: continues in a new session', async (harness) => {
      await harness.put(1);
      const first = await harness.run('cancelled', { reason: 'stopped', contextTokens: 200_000 });
      const { claim } = await harness.claim();
      assert.notEqual(claim.session, first.claim.session);
      assert.deepEqual([claim.resume, claim.handOver], ['stopped', first.claim.session]);
      // It did not even start: anyone who opens the queue next knows all the same.
      await harness.queue.release(claim, 'stopped', harness.op());
      const queue = await harness.subject.another();
      const { tasks } = await queue.read();
      assert.deepEqual([tasks[0]?.state.session, tasks[0]?.state.handOver], [null, first.claim.session]);
      const third = await harness.run('limit', { contextTokens: 10 });
      assert.equal(third.claim.handOver, first.claim.session);
      await harness.queue.resume(harness.op());
      assert.equal((await harness.run('success')).claim.session, third.claim.session);
      const { session, handOver } = await harness.state(1);
      assert.deepEqual([session, handOver], [null, undefined]);
    });

    scenario('the next task can be claimed in the same step', async (harness) => {
      await harness.put(1);
      await harness.put(2);
      const first = await harness.claim();
      const end = { ...(await harness.endOf(first, 'success')), definition: first.definition };
      const next = await harness.queue.finish(first.claim, end, harness.op(), harness.request());
      assert.equal(next?.kind === 'claimed' && next.claim.id, 2);
    });

    scenario(
      'that made way: the other task starts in the same step, its own resumes afterwards',
      async (harness) => {
        await harness.put(1, { priority: 'low' });
        const first = await harness.claim();
        await harness.put(2, { priority: 'critical', user: 'ann' });
        await harness.put(3, { priority: 'high', user: 'bob' });
        const { change, attempt } = await harness.endOf(first, 'cancelled', { reason: 'made-way' });
        const note = { kind: 'made-way', for: 3 } as const;
        const end = { change, attempt: { ...attempt, note }, definition: first.definition };
        const next = await harness.queue.finish(first.claim, end, harness.op(), harness.request({ id: 3 }));
        assert.equal(next?.kind === 'claimed' && next.claim.id, 3, 'whose turn it is does not count');
        const { status, session, retryCount, lastNote } = await harness.state(1);
        assert.deepEqual([status, session, retryCount], ['pending', first.claim.session, 0]);
        assert.deepEqual(lastNote, note);
        assert.equal((await harness.why(1)).text, 'made way for 3');
        const [recorded] = await harness.queue.attempts({ id: 1 });
        assert.deepEqual(recorded?.note, note);
      },
    );

    scenario('an attempt that resumes nothing has a new session', async (harness) => {
      await harness.put(1, { repeat: repeat('30m') });
      const first = await harness.run('success');
      harness.clock.advance(30 * MINUTE);
      const second = await harness.claim();
      assert.notEqual(second.claim.session, first.claim.session);
      assert.equal(second.claim.resume, undefined);
    });
  });
}
