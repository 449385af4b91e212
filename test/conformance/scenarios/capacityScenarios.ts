import assert from 'node:assert/strict';
import type { GateView } from '../../../src/domain/gate/gate';
import { readSettings } from '../../../src/domain/settings/settings';
import { DAY, HOUR, MINUTE, type Harness } from '../harness';
import type { Scenario } from '../queueConformance';

/** Scenarios of the account's usage windows. */
export function describeCapacity(scenario: Scenario): void {
  describe('limits tasks by the account’s usage windows', () => {
    scenario('keeps the last fifth for critical tasks and for tasks that the user names', async (harness) => {
      harness.settings = readSettings(
        [{ source: 'config.yaml', scope: 'queue', values: { reserve: 0.2 } }],
        {},
      ).settings;
      await harness.put(1);
      await harness.put(2, { priority: 'critical' });
      await harness.put(3, { priority: 'low' });
      const gate = windowsOf(harness, 0.9);
      assert.deepEqual(await harness.drain({ gate }), [2]);
      const { why, askAgainAt, atLimit, passesByItself } = await harness.idle({ gate });
      assert.equal(
        why.text,
        '90 % of the 5-hour usage window is used: the rest is reserved for critical tasks until 12:00',
      );
      assert.deepEqual([askAgainAt, atLimit, passesByItself], [harness.now + 2 * HOUR, true, true]);
      harness.clock.advance(2 * HOUR);
      assert.deepEqual(await harness.drain({ gate }), [1, 3], 'the new window is empty');
    });

    scenario(
      'runs leftover-capacity tasks last, and only on usage that the window would lose',
      async (harness) => {
        await harness.put(1, { priority: 'high', tags: ['spare'] });
        await harness.put(2, { priority: 'low' });
        assert.equal((await harness.idle({ id: 1, priorities: ['high'] })).askAgainAt, null);
        const gate = windowsOf(harness, 0.4);
        assert.deepEqual(await harness.drain({ gate }), [2]);
        const { why, askAgainAt, passesByItself } = await harness.idle({ gate });
        assert.equal(
          why.text,
          'leftover capacity: waits for the last hour of a 5-hour usage window, from 11:00',
        );
        assert.deepEqual([askAgainAt, passesByItself], [harness.now + HOUR, false]);
        harness.clock.advance(HOUR);
        await harness.put(3, { priority: 'low' });
        const claimed = await harness.claim({ gate });
        assert.equal(claimed.claim.id, 3);
        await harness.finish(claimed, 'success');
        const last = await harness.claim({ gate });
        assert.deepEqual([last.claim.id, last.claim.priority], [1, 'low']);
      },
    );

    scenario(
      'starts leftover-capacity tasks as soon as an attempt has reported the windows',
      async (harness) => {
        await harness.put(1, { tags: ['spare'] });
        const unknown = await harness.idle();
        assert.match(unknown.why.text, /^leftover capacity: usage is not known yet/);
        harness.clock.advance(MINUTE);
        const early = await harness.idle({ gate: windowsOf(harness, 0.4) });
        assert.match(
          early.why.text,
          /^leftover capacity: waits for the last hour/,
          'nothing else has changed',
        );
        const gate = windowsOf(harness, 0.4, 0.5 * HOUR);
        assert.deepEqual(await harness.drain({ gate }), [1]);
      },
    );
  });
}

/** An open gate: the week is half gone by, and a third of it used. */
function windowsOf({ now }: Harness, utilization: number, left = 2 * HOUR): GateView {
  const reported = { utilization, asOf: now };
  return {
    closures: [],
    usage: [
      { ...reported, window: 'five_hour', resetAt: now + left },
      { ...reported, window: 'seven_day', utilization: 0.33, resetAt: now + 3.5 * DAY },
    ],
  };
}
