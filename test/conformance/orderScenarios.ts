import assert from 'node:assert/strict';
import { DAY, HOUR, MINUTE, repeat } from './bench';
import type { Scenario } from './queueConformance';

/** Who is next. */
export function describeOrder(scenario: Scenario): void {
  describe('gives out tasks in order', () => {
    scenario('by priority, and within one priority by their place in the file', async (bench) => {
      await bench.put(1, { priority: 'low' });
      await bench.put(2);
      await bench.put(3, { priority: 'critical' });
      await bench.put(4);
      await bench.put(5, { priority: 'high' });
      assert.deepEqual(await bench.drain(), [3, 5, 2, 4, 1]);
    });

    scenario(
      'a medium task that has waited four hours before a new high one that stands above it',
      async (bench) => {
        await bench.put(9);
        bench.clock.advance(4 * HOUR);
        await bench.put(1, { priority: 'high' });
        assert.equal((await bench.claim()).claim.id, 9, 'promoted ones go first in their class');
      },
    );

    scenario('a medium task that has waited a minute less after it', async (bench) => {
      await bench.put(9);
      bench.clock.advance(4 * HOUR - MINUTE);
      await bench.put(1, { priority: 'high' });
      assert.equal((await bench.claim()).claim.id, 1);
    });

    scenario('a low task as medium after a day, and as high four hours later', async (bench) => {
      await bench.put(9, { priority: 'low' });
      bench.clock.advance(DAY);
      await bench.put(1);
      await bench.put(2, { priority: 'high' });
      assert.deepEqual(await bench.drain(), [2, 9, 1]);

      await bench.put(3, { priority: 'low' });
      bench.clock.advance(28 * HOUR);
      await bench.put(4, { priority: 'high' });
      assert.deepEqual(await bench.drain(), [3, 4]);
    });

    scenario('without ageing where priorities are strict', async (bench) => {
      bench.settings = { ...bench.settings, strict: true };
      await bench.put(9, { priority: 'low' });
      bench.clock.advance(10 * DAY);
      await bench.put(1);
      assert.deepEqual(await bench.drain(), [1, 9]);
    });

    scenario('counting the wait from created_at where a row has it', async (bench) => {
      await bench.put(1, { priority: 'high' });
      await bench.put(2, { createdAt: bench.now - 5 * HOUR });
      assert.deepEqual(await bench.drain(), [2, 1]);
    });

    scenario('counting the wait of a scheduled task from its time on', async (bench) => {
      await bench.put(9, {}, { scheduledAt: bench.now + 3 * HOUR });
      bench.clock.advance(5 * HOUR);
      await bench.put(1, { priority: 'high' });
      assert.deepEqual(await bench.drain(), [1, 9]);
    });

    scenario(
      'counting the wait of a repeating task from its time on, also when it is tried again',
      async (bench) => {
        await bench.put(1, { repeat: repeat('weekly') });
        await bench.run('success');
        bench.clock.advance(7 * DAY);
        await bench.run('error');
        bench.clock.advance(HOUR);
        await bench.put(2, { priority: 'high' });
        assert.deepEqual(await bench.drain(), [2, 1], 'it has waited for an hour, not for a week');
        bench.clock.advance(2 * DAY);
        await bench.queue.command(1, 'retry', bench.op());
        await bench.put(3, { priority: 'high' });
        assert.deepEqual(await bench.drain(), [3, 1], 'nor since its last run when a person wants it again');
      },
    );

    scenario('a task that a limit stopped before others of its priority', async (bench) => {
      await bench.put(1);
      await bench.put(2);
      const signal = { kind: 'five_hour', resetAt: bench.now + HOUR, message: 'limit' } as const;
      await bench.run('success');
      await bench.run('limit', { signal });
      await bench.put(1, { prompt: 'Do 1 once more' }, { status: 'pending' });
      await bench.put(3, { priority: 'high' });
      bench.clock.advance(HOUR);
      assert.deepEqual(await bench.drain(), [3, 2, 1]);
    });

    scenario('a task whose worker was stopped before others of its priority', async (bench) => {
      await bench.put(1);
      await bench.put(2);
      const claimed = await bench.claim({ id: 2 });
      await bench.finish(claimed, 'cancelled', { reason: 'stopped' });
      assert.deepEqual(await bench.drain(), [2, 1]);
    });

    scenario('as the rows stand now: moving a row moves the task', async (bench) => {
      await bench.put(1);
      await bench.put(2);
      await bench.subject.remove(1);
      await bench.put(1);
      assert.deepEqual(await bench.drain(), [2, 1]);
    });
  });
}
