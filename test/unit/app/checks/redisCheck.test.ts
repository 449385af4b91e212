import assert from 'node:assert/strict';
import { judgeClock, judgeServer } from '../../../../src/app/checks/redisCheck';
import type { ServerFacts } from '../../../../src/queue/sharedQueue';

const SAFE: ServerFacts = {
  name: 'Redis 7.0.15',
  now: 0,
  version: '7.0.15',
  evictionPolicy: 'noeviction',
  persistence: 'always',
  refuses: null,
};

const statesOf = (facts: Partial<ServerFacts>): string[] =>
  judgeServer({ ...SAFE, ...facts }).map(({ state }) => state);

describe('The check of a Redis server', () => {
  it('finds nothing wrong with one that keeps everything', () => {
    assert.deepEqual(statesOf({}), ['fine', 'fine', 'fine']);
  });

  it('finds a problem in a version before 7.0', () => {
    assert.deepEqual(statesOf({ version: '6.2.14', name: 'Redis 6.2.14' }), ['problem', 'fine', 'fine']);
  });

  it('notes a server that is not Redis', () => {
    assert.deepEqual(statesOf({ name: 'valkey 8.0.1' }), ['note', 'fine', 'fine']);
  });

  it('finds a problem in an eviction policy by which tasks are lost, and says what to set', () => {
    const [, eviction] = judgeServer({ ...SAFE, evictionPolicy: 'allkeys-lru' });
    assert.equal(eviction?.state, 'problem');
    assert.match(eviction.message, /maxmemory-policy to noeviction/);
  });

  it('finds a problem where a restart loses tasks, and a note where a crash can lose a second', () => {
    const persistence = (['never', 'snapshots', 'by-the-system', 'everysec'] as const).map(
      (one) => statesOf({ persistence: one })[2],
    );
    assert.deepEqual(persistence, ['problem', 'problem', 'problem', 'note']);
  });

  it('finds a problem in each reason for which it refuses changes', () => {
    const refusals = (['replica', 'full', 'disk'] as const).map((refuses) => {
      const found = judgeServer({ ...SAFE, refuses })[3];
      return [found?.state, found?.message.split('.')[0], found?.fix];
    });
    assert.deepEqual(refusals, [
      ['problem', 'This Redis is a replica, which accepts no changes', 'other-server'],
      ['problem', 'The memory of Redis is full: it refuses changes', undefined],
      ['problem', 'Redis could not write to its disk the last time', undefined],
    ]);
  });

  it('says how far the clock of this machine is from that of Redis', () => {
    const judged = [0, 4_999, -5_000, 3_600_000].map((aheadMs) => judgeClock(1e12, 1e12 + aheadMs));
    assert.deepEqual(judged, [
      { state: 'fine', message: "This machine's clock agrees with that of Redis." },
      { state: 'fine', message: "This machine's clock agrees with that of Redis." },
      {
        state: 'note',
        message:
          "This machine's clock is 5 s behind that of Redis. Tasks start by Redis's clock. Correct the clock that is wrong.",
        fix: 'clock',
      },
      {
        state: 'problem',
        message:
          "This machine's clock is 1 h ahead of that of Redis. Tasks start by Redis's clock. Correct the clock that is wrong.",
        fix: 'clock',
      },
    ]);
    assert.equal(judgeClock(null, 1e12).state, 'note');
  });

  it('notes what the user may not ask', () => {
    assert.deepEqual(statesOf({ version: null, evictionPolicy: null, persistence: null }), [
      'note',
      'note',
      'note',
    ]);
  });

  it('has a fix for what an address or a setting of Redis changes', () => {
    const fixesOf = (facts: Partial<ServerFacts>): unknown[] =>
      judgeServer({ ...SAFE, ...facts }).flatMap(({ state, fix }) => (state === 'fine' ? [] : [fix]));
    assert.deepEqual(fixesOf({ version: null, evictionPolicy: null, persistence: null }), [
      'allow',
      'allow',
      'allow',
    ]);
    assert.deepEqual(fixesOf({ version: '6.2.14' }), ['other-server']);
    assert.deepEqual(fixesOf({ name: 'valkey 8.0.1' }), ['other-server']);
    assert.deepEqual(fixesOf({ evictionPolicy: 'allkeys-lru' }), ['keep-keys']);
    const persistence = (['never', 'snapshots', 'by-the-system', 'everysec'] as const).flatMap((one) =>
      fixesOf({ persistence: one }),
    );
    assert.deepEqual(persistence, ['every-second', 'every-second', 'every-second', 'always']);
  });
});
