import assert from 'node:assert/strict';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { isProblem } from '../../../../src/domain/problem';
import { RedisQueue } from '../../../../src/queue/redis/redisQueue';
import { RedisGateText } from '../../../../src/queue/redis/redisGateText';
import type { RedisServer as ServerOptions } from '../../../../src/queue/redisServer';
import { MACHINE } from '../../../faults/faultQueue';
import { draftOf } from '../../../faults/redis/redisPlace';
import { findFreePort, startRedis, type RedisServer } from '../../../support/redis/redisServer';
import { until } from '../../../support/until';

const ROWS = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };

describe('A Redis that refuses', () => {
  let redis: RedisServer;
  let admin: Redis;
  const opened: RedisQueue[] = [];

  before(async () => {
    redis = await startRedis();
    admin = new Redis(redis.url);
  });

  after(async () => {
    admin.disconnect();
    await redis.stop();
  });

  afterEach(async () => {
    for (const queue of opened.splice(0)) await queue.close();
  });

  async function open(server: Omit<ServerOptions, 'host' | 'port'>): Promise<RedisQueue> {
    const where = { host: '127.0.0.1', port: redis.port, ...server };
    const queue = await RedisQueue.open({ server: where, queue: 'test', machine: MACHINE, rows: () => ROWS });
    opened.push(queue);
    return queue;
  }

  it('its database is not replaced by another one', async () => {
    await assert.rejects(open({ db: 99 }), (error) => {
      assert.ok(isProblem(error, 'redis-refused'));
      assert.equal(
        error.message,
        `Redis at 127.0.0.1:${String(redis.port)} does not open database 99 (ERR DB index is out of range). Correct the number in the address, or let the user run SELECT.`,
      );
      return true;
    });
  });

  it('its database is not replaced by another one after a lost connection either', async () => {
    await admin.call('ACL', 'SETUSER', 'ann', 'on', '>secret', '~*', '+@all');
    const queue = await open({ db: 3, username: 'ann', password: 'secret' });
    await queue.add(draftOf('one'), 'add');
    await admin.call('ACL', 'SETUSER', 'ann', '-select');
    await admin.call('CLIENT', 'KILL', 'USER', 'ann');
    // The first call may still meet the lost connection.
    await until('the database is refused', async () => {
      const failure: unknown = await queue.read().catch((error: unknown) => error);
      assert.ok(isProblem(failure));
      return failure.reason === 'redis-refused';
    });
    await admin.call('ACL', 'SETUSER', 'ann', '+select');
    await until('the task is read again', async () => {
      const read = queue.read().catch(() => null);
      return (await read)?.tasks.length === 1;
    });
  });

  it('says when it is checked that it is a replica, or that its disk took no snapshot', async () => {
    const queue = await open({ db: 0 });
    const refuses = async (): Promise<unknown> => (await queue.readServer()).refuses;
    assert.equal(await refuses(), null);
    await admin.call('REPLICAOF', '127.0.0.1', String(await findFreePort()));
    assert.equal(await refuses(), 'replica');
    await admin.call('REPLICAOF', 'NO', 'ONE');
    const fileName = 'dump.rdb';
    mkdirSync(join(redis.folder, fileName));
    await admin.call('BGSAVE');
    await until('the snapshot has failed', async () => (await refuses()) === 'disk');
    rmdirSync(join(redis.folder, fileName));
    await admin.call('BGSAVE');
    await until('a later snapshot is written', async () => (await refuses()) === null);
  });

  describe('since its memory is full', () => {
    before(() => admin.config('SET', 'maxmemory', '1mb'));
    after(() => admin.config('SET', 'maxmemory', '0'));

    it('has not made the change, and is not said to have', async () => {
      const queue = await open({ db: 0 });
      await assert.rejects(queue.add(draftOf('one'), 'add'), (error) => {
        assert.ok(isProblem(error, 'redis-away'));
        assert.match(error.message, /refuses \(OOM .*\)\. No task starts until it accepts\.$/);
        return true;
      });
    });

    it('says so when it is checked', async () => {
      const queue = await open({ db: 0 });
      assert.equal((await queue.readServer()).refuses, 'full');
    });

    it('is named as what keeps the gate from being written', async () => {
      const server = { host: '127.0.0.1', port: redis.port, db: 0 };
      const text = new RedisGateText(server, 'claude-queue:{full}:gate:a');
      await assert.rejects(text.swap(null, 'open'), /refuses \(OOM /);
    });
  });
});

it('The certificate of a Redis is named if it is not accepted, with what to do', async () => {
  const redis = await startRedis({ tls: true });
  try {
    const server = { host: '127.0.0.1', port: redis.port, db: 0, tls: {} };
    await assert.rejects(
      RedisQueue.open({ server, queue: 'test', machine: MACHINE, rows: () => ROWS }),
      (error) => {
        assert.ok(isProblem(error, 'redis-away'));
        assert.match(
          error.message,
          /^The certificate of Redis at .* is not accepted \(.+\)\. Name the file .* CLAUDE_QUEUE_REDIS_CA_FILE, /,
        );
        return true;
      },
    );
  } finally {
    await redis.stop();
  }
});
