import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TaskQueue } from '../../../../src/queue/taskQueue';
import { request } from '../../../faults/faultQueue';
import { RedisGround } from '../../../faults/redis/redisFaults';
import { LEASES } from '../../../faults/redis/redisPlace';
import { until } from '../../../support/until';

describe('A worker of a queue in Redis', () => {
  const ground = new RedisGround();
  const asked = request('first');
  const { owner } = asked;
  let queue: TaskQueue;
  let other: TaskQueue;

  beforeEach(async () => {
    queue = await ground.open({ leaseTimes: LEASES });
    other = await ground.open({ leaseTimes: LEASES });
    assert.ok(owner.kind === 'process');
    await queue.register({ owner, since: 0 }, { alone: false }, 'register');
  });

  /** It asks for tasks until others see it. */
  async function untilSeen(): Promise<void> {
    await until('the worker is seen', async () => {
      await queue.claim(asked, randomUUID());
      return (await other.read()).workers.length === 1;
    });
  }

  it('that others took for dead while it was frozen is registered again when it continues', async () => {
    assert.ok(owner.kind === 'process');
    await other.leave(owner, 'dead');
    assert.deepEqual((await other.read()).workers, []);
    await untilSeen();
    await other.stop('after-task', 'stop');
    assert.equal((await queue.read()).stopping.length, 1);
  });

  it('is registered again in the queue that replaced a removed one', async () => {
    await ground.client.flushall();
    await untilSeen();
  });

  it('that left stays away', async () => {
    assert.ok(owner.kind === 'process');
    await queue.leave(owner, 'leave');
    await queue.claim(asked, 'claim');
    assert.deepEqual((await other.read()).workers, []);
  });
});
