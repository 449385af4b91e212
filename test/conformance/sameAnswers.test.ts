import * as fc from 'fast-check';
import { fuzzed, isLong, seed } from '../support/fuzz';
import { anyMove, type Move } from './scenarios/moves';
import { startsFor } from './scenarios/playTime';
import { Differential } from './differential';
import { FileSystemUnderTest } from './fileSystemUnderTest';
import { RedisSystemUnderTest } from './redisSystemUnderTest';
import type { OpenSystemUnderTest } from './systemUnderTest';
import { startRedis, type RedisServer } from '../support/redis/redisServer';

const HOUR_MS = 3_600_000;

/** Plays random calls on the model and on this store. */
function play(open: OpenSystemUnderTest): () => Promise<void> {
  return async () => {
    const begins = startsFor(isLong ? HOUR_MS : 15_000);
    const playMoves = async (moves: readonly Move[]): Promise<void> => {
      if (!begins()) return;
      const differential = await Differential.open(open);
      try {
        for (const move of moves) await differential.play(move);
      } finally {
        await differential.close();
      }
    };
    const anyMoves = fc.array(anyMove, { minLength: 20, maxLength: 60, size: 'max' });
    await fc.assert(fc.asyncProperty(anyMoves, playMoves), fuzzed(20, 1_000));
  };
}

describe(`The same calls have the same answers (FUZZ_SEED=${String(seed)})`, function () {
  if (isLong) this.timeout(2 * HOUR_MS);
  let redis: RedisServer;

  before(async () => {
    redis = await startRedis();
  });

  after(() => redis.stop());

  it(
    'from a queue in a file and the model',
    play((clock, machine) => FileSystemUnderTest.open(clock, machine)),
  );

  it(
    'from a queue in Redis and the model',
    play((clock, machine) => RedisSystemUnderTest.open(redis, clock, machine)),
  );
});
