import assert from 'node:assert/strict';
import { isProblem } from '../../../../src/domain/problem';
import { RedisConnection } from '../../../../src/queue/redis/connection';
import { RedisKeys } from '../../../../src/queue/redis/keys';
import { RedisLog } from '../../../../src/queue/redis/redisLog';
import { applyEntry } from '../../../../src/queue/redis/redisState';
import { ALL } from '../../../../src/queue/redis/scripts';
import { until } from '../../../support/until';
import { startRedis, type RedisServer } from '../../../support/redis/redisServer';

describe('The log of a queue in Redis', () => {
  let redis: RedisServer;
  let connection: RedisConnection;
  let log: RedisLog;

  beforeEach(async () => {
    redis = await startRedis();
    connection = await RedisConnection.open({ host: '127.0.0.1', port: redis.port, db: 0 });
    const machine = { id: 'here', isAlive: () => true };
    log = new RedisLog({ connection, keys: new RedisKeys('q'), name: 'The queue', machine });
    await log.look();
  });

  afterEach(async () => {
    connection.close();
    await redis.stop();
  });

  it('says of a change that takes too long each time that it does, and takes the next one', async () => {
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
  });

  it('reports settings again that could not be kept', async () => {
    const kept: string[] = [];
    let isFull = false;
    const settingsChanged = (settings: string): Promise<void> => {
      if (isFull) return Promise.reject(new Error('ENOSPC: no space left on device'));
      kept.push(settings);
      return Promise.resolve();
    };
    const machine = { id: 'there', isAlive: () => true };
    const keys = new RedisKeys('q');
    const other = new RedisLog({ connection, keys, name: 'The queue', machine, settingsChanged });
    await other.look();
    const entry = { settings: 'maxPerHour: 1' };
    assert.ok(await log.append({ entry, at: log.now(), owners: [], archive: [] }));
    isFull = true;
    await assert.rejects(other.look(), /ENOSPC/);
    isFull = false;
    await other.look();
    assert.deepEqual(kept, ['', 'maxPerHour: 1']);
  });

  it('archives more attempts in one change than a function takes arguments', async () => {
    const archive = Array.from({ length: 150_000 }, (_, index) => String(index));
    assert.equal(await log.append({ entry: { archived: true }, at: log.now(), owners: [], archive }), true);
    const { archive: key } = new RedisKeys('q');
    const ends = await connection.call(async (client) => [
      await client.llen(key),
      await client.lindex(key, -1),
    ]);
    assert.deepEqual(ends, [150_000, '149999']);
  });

  it('has each event in its past, also if it is compacted for the first time while that is read', async () => {
    const entry = { events: [{ kind: 'resumed', at: log.now() }] } as const;
    assert.ok(await log.append({ entry, at: log.now(), owners: [], archive: [] }));
    applyEntry(log.state, entry);
    const run = connection.run.bind(connection);
    let reads = 0;
    connection.run = async (script, keys, args) => {
      if (script === ALL) {
        reads += 1;
        if (reads === 1) await log.compact(Infinity);
      }
      return run(script, keys, args);
    };
    const read = async (): Promise<string[]> => {
      const kinds: string[] = [];
      for await (const { events } of log.past(0)) for (const { kind } of events) kinds.push(kind);
      return kinds;
    };
    assert.deepEqual(await read(), ['resumed']);
    await log.compact(-60_000);
    assert.deepEqual(await read(), [], 'its chapter was removed');
  });

  it('keeps the state with which the kept part of its past starts', async () => {
    const write = async (why: string, settings = ''): Promise<void> => {
      const entry = { events: [{ kind: 'held', why, at: log.now() }], settings } as const;
      assert.ok(await log.append({ entry, at: log.now(), owners: [], archive: [] }));
      applyEntry(log.state, entry);
    };
    const settings = `# ${'x'.repeat(10_000)}`;
    for (const why of ['first', 'second', 'third']) {
      await write(why, settings);
      await log.compact(Infinity);
    }
    const since = log.now();
    await until('some time has passed', () => log.now() > since + 5);
    for (const why of ['fourth', 'fifth']) {
      await write(why);
      await log.compact(log.now() - since);
    }
    const found: string[] = [];
    for await (const { events } of log.past(since))
      for (const event of events) if (event.kind === 'held' && event.at > since) found.push(event.why);
    assert.deepEqual(found, ['fourth', 'fifth']);
  });
});
