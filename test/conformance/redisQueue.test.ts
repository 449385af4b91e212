import { startRedis, type RedisServer } from '../support/redis/redisServer';
import { exerciseQueue } from './queueConformance';
import { RedisSystemUnderTest } from './redisSystemUnderTest';

describe('Redis', () => {
  let redis: RedisServer;

  before(async () => {
    redis = await startRedis();
  });

  after(() => redis.stop());

  exerciseQueue(
    'A queue in Redis',
    (clock, machine) => RedisSystemUnderTest.open(redis, clock, machine),
    'several',
  );
});
