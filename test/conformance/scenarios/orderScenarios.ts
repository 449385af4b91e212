import assert from 'node:assert/strict';
import { DAY, HOUR, MINUTE, repeat } from '../harness';
import type { Scenario } from '../queueConformance';

/** Scenarios of the order of tasks. */
export function describeOrder(scenario: Scenario): void {
  describe('claims tasks in order', () => {
    scenario('by priority, and within one priority by their place in the file', async (harness) => {
      await harness.put(1, { priority: 'low' });
      await harness.put(2);
      await harness.put(3, { priority: 'critical' });
      await harness.put(4);
      await harness.put(5, { priority: 'high' });
      assert.deepEqual(await harness.drain(), [3, 5, 2, 4, 1]);
    });

    scenario(
      'a medium task that has waited four hours before a new high one that is above it',
      async (harness) => {
        await harness.put(9);
        harness.clock.advance(4 * HOUR);
        await harness.put(1, { priority: 'high' });
        assert.equal((await harness.claim()).claim.id, 9, 'promoted ones go first in their class');
      },
    );

    scenario('a medium task that has waited a minute less after it', async (harness) => {
      await harness.put(9);
      harness.clock.advance(4 * HOUR - MINUTE);
      await harness.put(1, { priority: 'high' });
      assert.equal((await harness.claim()).claim.id, 1);
    });

    scenario('a low task as medium after a day, and as high four hours later', async (harness) => {
      await harness.put(9, { priority: 'low' });
      harness.clock.advance(DAY);
      await harness.put(1);
      await harness.put(2, { priority: 'high' });
      assert.deepEqual(await harness.drain(), [2, 9, 1]);

      await harness.put(3, { priority: 'low' });
      harness.clock.advance(28 * HOUR);
      await harness.put(4, { priority: 'high' });
      assert.deepEqual(await harness.drain(), [3, 4]);
    });

    scenario('without ageing where priorities are strict', async (harness) => {
      harness.settings = { ...harness.settings, strict: true };
      await harness.put(9, { priority: 'low' });
      harness.clock.advance(10 * DAY);
      await harness.put(1);
      assert.deepEqual(await harness.drain(), [1, 9]);
    });

    scenario('counting the wait from created_at if a row has it', async (harness) => {
      await harness.put(1, { priority: 'high' });
      await harness.put(2, { createdAt: harness.now - 5 * HOUR });
      assert.deepEqual(await harness.drain(), [2, 1]);
    });

    scenario('counting the wait of a scheduled task from its scheduled time', async (harness) => {
      await harness.put(9, {}, { scheduledAt: harness.now + 3 * HOUR });
      harness.clock.advance(5 * HOUR);
      await harness.put(1, { priority: 'high' });
      assert.deepEqual(await harness.drain(), [1, 9]);
    });

    scenario('counting the wait of a repeating task from its due time, also for a retry', async (harness) => {
      await harness.put(1, { repeat: repeat('weekly') });
      await harness.run('success');
      harness.clock.advance(7 * DAY);
      await harness.run('error');
      harness.clock.advance(HOUR);
      await harness.put(2, { priority: 'high' });
      assert.deepEqual(await harness.drain(), [2, 1], 'it has waited for an hour, not for a week');
      harness.clock.advance(2 * DAY);
      await harness.queue.command(1, 'retry', harness.op());
      await harness.put(3, { priority: 'high' });
      assert.deepEqual(
        await harness.drain(),
        [3, 1],
        'its wait counts from the retry, not from its last run',
      );
    });

    scenario('a task that a limit interrupted before others of its priority', async (harness) => {
      await harness.put(1);
      await harness.put(2);
      const signal = { kind: 'five_hour', resetAt: harness.now + HOUR, message: 'limit' } as const;
      await harness.run('success');
      await harness.run('limit', { signal });
      await harness.put(1, { prompt: 'Do 1 once more' }, { status: 'pending' });
      await harness.put(3, { priority: 'high' });
      harness.clock.advance(HOUR);
      assert.deepEqual(await harness.drain(), [3, 2, 1]);
    });

    scenario('a task whose worker was stopped, before others of its priority', async (harness) => {
      await harness.put(1);
      await harness.put(2);
      const claimed = await harness.claim({ id: 2 });
      await harness.finish(claimed, 'cancelled', { reason: 'stopped' });
      assert.deepEqual(await harness.drain(), [2, 1]);
    });

    scenario('in the current order of the rows: moving a row moves the task', async (harness) => {
      await harness.put(1);
      await harness.put(2);
      await harness.subject.remove(1);
      await harness.put(1);
      assert.deepEqual(await harness.drain(), [2, 1]);
    });
  });
}
