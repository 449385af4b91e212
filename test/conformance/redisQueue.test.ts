import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startRedis, type RedisServer } from '../support/redis/redisServer';
import { exerciseQueue } from './queueConformance';
import { RedisSystemUnderTest } from './redisSystemUnderTest';

const USER = { username: 'queue', password: 'secret' };

/** The user that docs/redis-server.sh makes, for queues of any name. */
function readUser(): string {
  const script = readFileSync(resolve(__dirname, '../../docs/redis-server.sh'), 'utf8');
  const [line] = /^user queue .*$/m.exec(script) ?? [];
  assert.ok(line !== undefined);
  return line.replace('$(cat password)', USER.password).replace('{$queue}', '{*}');
}

describe('Redis, for a user with the rights that the docs name', () => {
  let redis: RedisServer;

  before(async () => {
    redis = await startRedis({ acl: [readUser()] });
  });

  after(() => redis.stop());

  exerciseQueue(
    'A queue in Redis',
    (clock, machine) => RedisSystemUnderTest.open(redis, clock, machine, USER),
    'several',
  );
});
