import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { isProblem } from '../../../src/domain/problem';
import { defaults } from '../../../src/domain/settings/settings';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { openRedisQueue } from '../../../src/queue/openQueue';
import type { NumberedSheet, RowsChange } from '../../../src/queue/redis/rowChanges';
import { RedisQueue } from '../../../src/queue/redis/redisQueue';
import { RedisKeys } from '../../../src/queue/redis/keys';
import type { SharedQueue } from '../../../src/queue/sharedQueue';
import { request } from '../../faults/faultQueue';
import { startRedis, type RedisServer } from '../../support/redis/redisServer';

describe("A queue in Redis, by Redis's own clock", () => {
  let redis: RedisServer;
  const opened: SharedQueue[] = [];

  async function open({ allowBypass = false } = {}): Promise<SharedQueue> {
    const rows = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass };
    const queue = await openRedisQueue({
      server: { host: '127.0.0.1', port: redis.port, db: 0 },
      queue: 'test',
      machine: { id: 'here', isAlive: (identity) => systemProcesses.isAlive(identity) },
      rows: () => rows,
    });
    opened.push(queue);
    return queue;
  }

  beforeEach(async () => {
    redis = await startRedis();
  });

  afterEach(async () => {
    for (const queue of opened.splice(0)) await queue.close();
    await redis.stop();
  });

  it('shows others what a process adds with its first call', async () => {
    const [first, other] = [await open(), await open()];
    await first.add({ fields: { prompt: 'Write the tests.', working_dir: '/place' } }, 'add');
    const [task] = (await other.read()).tasks;
    assert.equal(task?.definition.prompt, 'Write the tests.');
    assert.ok(Math.abs(Date.now() - task.state.firstSeenAt) < 60_000);
  });

  it('replaces its settings once, however often the same call is made', async () => {
    const [first, other] = [await open(), await open()];
    await first.writeSettings('maxPerHour: 1\n', 'once');
    await other.writeSettings('maxPerHour: 2\n', 'later');
    await first.writeSettings('maxPerHour: 1\n', 'once');
    assert.equal(await other.readSettings(), 'maxPerHour: 2\n');
  });

  it('removes a row that no id names by its place, and no other', async () => {
    const queue = await open();
    const rows = [
      ['1', '/place', 'One'],
      ['x', '/place', 'No id'],
      ['2', '/place', 'Two'],
      ['2', '/place', 'Two again'],
    ];
    const table = { columns: ['id', 'working_dir', 'prompt'], rows };
    await queue.importRows(table, { renumber: false }, 'import');
    await assert.rejects(queue.remove([2], 'two'), /Remove the others first, with "claude-queue rm --row N"/);
    for (const row of [1, 5])
      await assert.rejects(queue.removeUnnamed(row, `row ${String(row)}`), (error) =>
        isProblem(error, 'conflict'),
      );
    assert.equal((await queue.removeUnnamed(2, 'no id'))['id'], 'x');
    await queue.removeUnnamed(2, 'no id');
    assert.equal((await queue.removeUnnamed(2, 'first two'))['prompt'], 'Two');
    const { tasks, problems } = await queue.read();
    assert.deepEqual(
      [tasks.map(({ definition }) => definition.prompt), problems],
      [['One', 'Two again'], []],
    );
  });

  it('keeps all rows of a running task, also where several have its id', async () => {
    const queue = await open();
    await queue.add({ fields: { prompt: 'One', working_dir: '/place' } }, 'add');
    assert.equal((await queue.claim(request('worker'), 'claim')).kind, 'claimed');
    assert.ok(queue instanceof RedisQueue);
    const double = ({ freeKey, columns }: NumberedSheet): RowsChange => ({
      changes: [{ kind: 'put', key: freeKey, texts: columns.map((name) => (name === 'id' ? '1' : '')) }],
    });
    await queue.changeRows(double, 'double');
    await assert.rejects(queue.removeUnnamed(2, 'remove'), (error) => isProblem(error, 'already-running'));
  });

  it('shows and runs a row that was not valid where it was written, once it is valid', async () => {
    const importing = await open();
    const columns = ['id', 'working_dir', 'prompt', 'permission_mode'];
    const table = { columns, rows: [['1', '/place', 'Write it.', 'bypassPermissions']] };
    await importing.importRows(table, { renumber: false }, 'import');
    const before = await importing.read();
    assert.deepEqual([before.tasks.length, before.problems.length], [0, 1]);
    const other = await open({ allowBypass: true });
    const [shown] = (await other.read()).tasks;
    assert.equal(shown?.state.status, 'pending');
    const claimed = await other.claim(
      { ...request('worker'), settings: { ...defaults, allowBypass: true } },
      'claim',
    );
    assert.equal(claimed.kind, 'claimed');
    assert.equal((await importing.read()).problems.length, 1);
  });

  it('changes nothing if the user may not run a later part of a call', async () => {
    const queue = await open();
    await queue.add({ fields: { prompt: 'One.', working_dir: '/place' } }, 'first');
    const admin = new Redis(redis.port);
    for (const right of ['set', 'zadd', 'rpush']) {
      await admin.call('ACL', 'SETUSER', 'default', `-${right}`);
      const refused = queue.add({ fields: { prompt: 'Two.', working_dir: '/place' } }, right);
      await assert.rejects(refused, (error) => isProblem(error, 'redis-refused'));
      await admin.call('ACL', 'SETUSER', 'default', `+${right}`);
      assert.equal((await (await open()).read()).tasks.length, 1);
    }
    admin.disconnect();
    await queue.add({ fields: { prompt: 'Two.', working_dir: '/place' } }, 'second');
    assert.equal((await (await open()).read()).tasks.length, 2);
  });

  it('is read by a user who may not write, also while it is unknown whether an owner lives', async () => {
    const queue = await open();
    await queue.add({ fields: { prompt: 'One.', working_dir: '/place' } }, 'add');
    await queue.claim(request('worker'), 'claim');
    await queue.close();
    const admin = new Redis(redis.port);
    const keys = new RedisKeys('test');
    for (const owner of await admin.zrange(keys.leases, '0', '-1')) await admin.zadd(keys.leases, '2', owner);
    await admin.hset(keys.pulse, { from: 1, at: 1 });
    await admin.call('ACL', 'SETUSER', 'default', '-hset');
    admin.disconnect();
    assert.equal((await (await open()).read()).claims[0]?.ownerDied, undefined);
  });

  it('is read while Redis refuses changes, also while it is unknown whether an owner lives', async () => {
    const queue = await open();
    await queue.add({ fields: { prompt: 'One.', working_dir: '/place' } }, 'add');
    const { owner } = request('worker');
    assert.ok(owner.kind === 'process');
    await queue.claim({ ...request('worker'), owner: { ...owner, machine: 'there' } }, 'claim');
    await queue.close();
    const admin = new Redis(redis.port);
    const keys = new RedisKeys('test');
    for (const name of await admin.zrange(keys.leases, '0', '-1')) await admin.zadd(keys.leases, '2', name);
    await admin.hset(keys.pulse, { from: 1, at: 1 });
    await admin.config('SET', 'maxmemory', '1');
    assert.equal((await (await open()).read()).claims[0]?.ownerDied, undefined);
    assert.deepEqual(await (await open()).readLost(), []);
    await admin.config('SET', 'maxmemory', '0');
    admin.disconnect();
  });

  it('adds thousands of tasks in one call', async () => {
    const drafts = Array.from({ length: 5_000 }, (_, index) => ({
      fields: { prompt: `Part ${index}`, working_dir: '/place' },
    }));
    const added = await (await open()).addAll(drafts, 'add');
    assert.equal(added.at(-1)?.id, 5_000);
    const { tasks } = await (await open()).read();
    assert.equal(tasks.at(-1)?.definition.prompt, 'Part 4999');
  });
});
