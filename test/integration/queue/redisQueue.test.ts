import assert from 'node:assert/strict';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { openRedisQueue } from '../../../src/queue/openQueue';
import type { SharedQueue } from '../../../src/queue/sharedQueue';
import { startRedis, type RedisServer } from '../../support/redis/redisServer';

describe("A queue in Redis, by Redis's own clock", () => {
  let redis: RedisServer;
  const opened: SharedQueue[] = [];

  async function open(): Promise<SharedQueue> {
    const rows = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };
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
