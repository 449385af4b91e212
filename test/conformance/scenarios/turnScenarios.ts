import assert from 'node:assert/strict';
import { DAY, HOUR, PERSON } from '../harness';
import type { Scenario } from '../queueConformance';

/** Scenarios of the order with several tenants, and with workers that take only some tasks. */
export function describeTurns(scenario: Scenario): void {
  describe('serves tenants and workers', () => {
    scenario('in turn, however many rows a tenant has', async (harness) => {
      for (const id of [1, 2, 3]) await harness.put(id, { user: 'ann' });
      for (const id of [4, 5]) await harness.put(id, { user: 'bob' });
      await harness.put(6);
      assert.deepEqual(await harness.drain(), [1, 4, 6, 2, 5, 3], 'rows without a user are a tenant too');
    });

    scenario('with the tenant’s most urgent task in its turn', async (harness) => {
      await harness.put(1, { user: 'ann' });
      await harness.put(2, { user: 'bob', priority: 'low' });
      await harness.put(3, { user: 'ann', priority: 'critical' });
      await harness.put(4, { user: 'ann', priority: 'critical' });
      assert.deepEqual(await harness.drain(), [3, 2, 4, 1], 'the first turn goes by class');
    });

    scenario('in turn also after the queue was reopened', async (harness) => {
      for (const id of [1, 2]) await harness.put(id, { user: 'ann' });
      for (const id of [3, 4]) await harness.put(id, { user: 'bob' });
      await harness.run('success');
      const { turns } = await (await harness.subject.another()).read();
      assert.deepEqual([...turns.keys()], ['ann']);
      assert.deepEqual(await harness.drain(), [3, 2, 4]);
    });

    scenario('without using up a tenant’s turn when the user takes a task', async (harness) => {
      await harness.put(1, { user: 'ann' });
      await harness.put(2, { user: 'ann' });
      await harness.put(3, { user: 'bob' });
      const byHand = await harness.claim({ owner: PERSON, override: { unattendedRules: true } });
      assert.equal(byHand.claim.id, 1);
      assert.equal((await harness.claim()).claim.id, 2);
    });

    scenario('with --users first, and others when none of theirs is ready', async (harness) => {
      await harness.put(1, { user: 'ann', priority: 'critical' });
      await harness.put(2, { user: 'bob' });
      await harness.put(3, { user: 'bob', priority: 'low' });
      assert.deepEqual(await harness.drain({ users: ['bob'] }), [2, 3, 1]);
    });

    scenario('of the others only those that a worker may steal from', async (harness) => {
      await harness.put(1, { user: 'ann' });
      await harness.put(2, { user: 'bob' });
      await harness.put(3, { user: 'cleo' });
      await harness.put(4);
      assert.deepEqual(await harness.drain({ users: ['bob'], stealFrom: ['cleo', ''] }), [2, 3, 4]);
      await harness.idle({ users: ['bob'], stealFrom: [] });
      assert.deepEqual(await harness.drain({ users: ['bob'] }), [1]);
    });

    scenario('with one of the tags of a pool only', async (harness) => {
      await harness.put(1);
      await harness.put(2, { tags: ['web', 'docs'] });
      await harness.put(3, { tags: ['api'], priority: 'critical' });
      await harness.put(4, { tags: ['docs'], priority: 'critical' });
      assert.deepEqual(await harness.drain({ tags: ['web', 'docs'] }), [4, 2]);
      const idle = await harness.idle({ tags: ['web'] });
      assert.deepEqual(idle.why.causes, [{ kind: 'nothing-left', tags: ['web'] }]);
      assert.deepEqual(await harness.drain(), [3, 1]);
    });

    scenario('with the priorities of a pool only', async (harness) => {
      await harness.put(1);
      await harness.put(2, { priority: 'high' });
      await harness.put(3, { priority: 'critical' });
      assert.deepEqual(await harness.drain({ priorities: ['critical', 'high'] }), [3, 2]);
      assert.deepEqual(await harness.drain(), [1]);
    });

    scenario('with tasks that waiting has promoted into the pool', async (harness) => {
      await harness.put(1);
      await harness.put(2, { priority: 'low' });
      await harness.idle({ priorities: ['high'] });
      harness.clock.advance(4 * HOUR);
      const claimed = await harness.claim({ priorities: ['high'] });
      assert.deepEqual([claimed.claim.id, claimed.claim.priority], [1, 'high']);
      await harness.finish(claimed, 'success');
      harness.clock.advance(2 * DAY);
      assert.deepEqual(
        await harness.drain({ priorities: ['low'] }),
        [2],
        'and the pool of its own does so still',
      );
    });
  });
}
