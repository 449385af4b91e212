import assert from 'node:assert/strict';
import type { AllDoneNotice } from '../../../src/domain/queue/notices';
import { HOUR, repeat, settingsWith, workerOf, type Harness } from '../harness';
import type { Scenario } from '../queueConformance';

/** Scenarios of the notice that everything is done. */
export function describeAllDone(scenario: Scenario): void {
  describe('raises a notice when everything is done', () => {
    scenario(
      '"all done" is raised with its totals once nothing is left that runs by itself',
      async (harness) => {
        await harness.put(1, { maxRetries: 1 });
        await harness.put(2);
        await harness.put(3);
        await harness.put(4, { dependencies: [1] });
        const since = harness.now;
        await harness.run('error');
        await harness.run('success');
        assert.equal(await allDone(harness), undefined);
        harness.clock.advance(HOUR);
        await harness.run('review');
        await harness.idle();
        assert.deepEqual(await allDone(harness), {
          kind: 'all-done',
          since,
          until: harness.now,
          completed: 1,
          failed: 1,
          review: 1,
          left: 1,
          costUsd: 0,
          isCostOpen: true,
        });
      },
    );

    scenario(
      '"all done" counts as left what depends on a task in review, not what depends on a scheduled one',
      async (harness) => {
        await harness.put(1);
        await harness.put(2, {}, { scheduledAt: harness.now + HOUR });
        await harness.put(3, { dependencies: [2] });
        await harness.put(4, { dependencies: [5] });
        await harness.put(5, { dependencies: [1] });
        await harness.run('success');
        await harness.run('review');
        await harness.idle();
        const notice = await allDone(harness);
        assert.deepEqual([notice?.completed, notice?.review, notice?.left], [1, 1, 1]);
      },
    );

    scenario('"all done" is not raised for the runs of a repeating task alone', async (harness) => {
      await harness.put(1, { repeat: repeat('30m') });
      for (let runs = 0; runs < 2; runs += 1) {
        await harness.run('success');
        await harness.idle();
        assert.equal(await allDone(harness), undefined);
        harness.clock.advance(HOUR);
      }
      const since = harness.clock.now();
      await harness.put(2, { priority: 'high' });
      await harness.run('success');
      await harness.run('success');
      await harness.idle();
      const notice = await allDone(harness);
      assert.deepEqual([notice?.completed, notice?.since], [2, since]);
    });

    scenario('"all done" counts a task that the user cancelled as it ran, or later', async (harness) => {
      for (const id of [1, 2]) await harness.put(id);
      const claimed = await harness.claim();
      await harness.queue.command(1, 'cancel', harness.op());
      await harness.finish(claimed, 'cancelled', { reason: 'cancelled' });
      await harness.run('review');
      await harness.queue.command(2, 'cancel', harness.op());
      await harness.idle();
      const notice = await allDone(harness);
      assert.deepEqual([notice?.completed, notice?.review, notice?.cancelled], [0, 0, 2]);
    });

    scenario('"all done" counts a task whose row is gone by its last attempt', async (harness) => {
      for (const id of [1, 2, 3]) await harness.put(id);
      await harness.run('success');
      await harness.run('permanent');
      await harness.subject.remove(1);
      await harness.subject.remove(2);
      await harness.run('success');
      await harness.idle();
      const notice = await allDone(harness);
      assert.deepEqual([notice?.completed, notice?.failed, notice?.review], [2, 1, 0]);
    });

    scenario(
      '"all done" is not raised while a task waits for a retry, or the queue is paused',
      async (harness) => {
        await harness.put(1);
        await harness.run('error');
        await harness.idle();
        assert.equal(await allDone(harness), undefined);
        harness.clock.advance(HOUR);
        await harness.run('success');
        await harness.queue.hold({ by: 'person', why: 'Away.' }, harness.op());
        await harness.idle();
        assert.equal(await allDone(harness), undefined);
        await harness.queue.resume(harness.op());
        await harness.idle();
        assert.notEqual(await allDone(harness), undefined);
      },
    );

    scenario(
      '"all done" is not raised while a task is ready for another worker, or waits for the end of quiet hours',
      async (harness) => {
        await harness.put(1, { priority: 'critical' });
        await harness.put(2, { priority: 'low' });
        await harness.run('success');
        await harness.idle({ priorities: ['critical'] });
        assert.equal(await allDone(harness), undefined);
        harness.settings = settingsWith({ quietHours: [{ from: '00:00', to: '24:00' }] });
        await harness.idle();
        assert.equal(await allDone(harness), undefined);
      },
    );

    scenario('"all done" is not raised while a retry waits for the end of quiet hours', async (harness) => {
      await harness.put(1);
      await harness.run('error');
      harness.settings = settingsWith({ quietHours: [{ from: '00:00', to: '24:00' }] });
      await harness.idle();
      assert.equal(await allDone(harness), undefined);
    });

    scenario('"all done" is raised although a task waits for leftover capacity', async (harness) => {
      await harness.put(1);
      await harness.put(2, { tags: ['spare'] });
      await harness.run('success');
      await harness.idle();
      assert.notEqual(await allDone(harness), undefined);
    });

    scenario(
      '"all done" is not raised while a task that is not approved here is ready for a worker elsewhere',
      async (harness) => {
        const owner = workerOf(2, 'elsewhere');
        await harness.queue.register({ owner, since: harness.now }, { alone: false }, harness.op());
        await harness.put(1);
        await harness.put(2);
        await harness.run('success', {}, { owner });
        harness.approvedRows = { trusted: false, approvals: new Set() };
        await harness.idle();
        assert.equal(await allDone(harness), undefined);
        await harness.queue.leave(owner, harness.op());
        await harness.idle();
        const notice = await allDone(harness);
        assert.deepEqual([notice?.completed, notice?.left], [1, 1]);
      },
    );

    scenario(
      '"all done" counts rows that are not valid as left, unless their task has ended',
      async (harness) => {
        for (const id of [1, 2]) {
          await harness.put(id);
          await harness.run('success');
        }
        for (const id of [2, 3]) await harness.put(id, { dependencies: [id] });
        await harness.idle();
        const notice = await allDone(harness);
        assert.deepEqual([notice?.completed, notice?.left], [2, 1]);
      },
    );

    scenario('"all done" is not raised for claims that were released without an attempt', async (harness) => {
      await harness.put(1);
      const { claim: held } = await harness.claim();
      await harness.queue.release(held, 'postponed', harness.op());
      await harness.queue.command(1, 'cancel', harness.op());
      await harness.idle();
      assert.equal(await allDone(harness), undefined);
    });

    scenario('"all done" counts each attempt once although the clock is set back', async (harness) => {
      await harness.put(1, { maxRetries: 1 });
      await harness.run('error');
      await harness.idle();
      await harness.put(2);
      const claimed = await harness.claim();
      harness.clock.advance(-HOUR);
      await harness.finish(claimed, 'success');
      await harness.idle();
      const notice = await allDone(harness);
      assert.deepEqual([notice?.completed, notice?.failed], [1, 0]);
      harness.clock.advance(1);
      await harness.put(3);
      await harness.run('review');
      await harness.idle();
      const next = await allDone(harness);
      assert.deepEqual([next?.completed, next?.failed, next?.review], [0, 0, 1]);
    });

    scenario('"all done" is raised once for the same attempts', async (harness) => {
      await harness.put(1);
      await harness.run('success');
      await harness.idle();
      const first = await allDone(harness);
      harness.clock.advance(HOUR);
      await harness.idle();
      assert.deepEqual(await allDone(harness), first);
    });
  });
}

async function allDone(harness: Harness): Promise<AllDoneNotice | undefined> {
  const { outbox } = await harness.queue.read();
  return outbox.map(({ notice }) => notice).find((notice) => notice.kind === 'all-done');
}
