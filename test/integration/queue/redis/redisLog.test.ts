import assert from 'node:assert/strict';
import { isProblem } from '../../../../src/domain/problem';
import { RedisConnection } from '../../../../src/queue/redis/connection';
import { RedisKeys } from '../../../../src/queue/redis/keys';
import { RedisLog } from '../../../../src/queue/redis/redisLog';
import { startRedis } from '../../../support/redis/redisServer';

describe('The log of a queue in Redis', () => {
  it('says of a change that takes too long each time that it does, and takes the next one', async () => {
    const redis = await startRedis();
    const connection = await RedisConnection.open({ host: '127.0.0.1', port: redis.port, db: 0 });
    try {
      const machine = { id: 'here', isAlive: () => true };
      const log = new RedisLog({ connection, keys: new RedisKeys('q'), name: 'The queue', machine });
      await log.look();
      const append = (at: number): Promise<boolean> =>
        log.append({ entry: { settings: '' }, at, owners: [], archive: [] });
      const late = log.now() - 60_000;
      assert.deepEqual([await append(late), await append(late)], [false, false]);
      await assert.rejects(
        append(late),
        (error) => isProblem(error, 'queue-busy') && /longer than 5 s.*smaller parts/.test(error.message),
      );
      assert.equal(await append(log.now()), true);
      assert.equal(await append(late), false);
    } finally {
      connection.close();
      await redis.stop();
    }
  });
});
