import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { RedisQueue } from '../../../src/queue/redis/redisQueue';
import { findFreePort, REDIS_FOLDER } from '../../support/redis/redisServer';
import { until } from '../../support/until';

const SCRIPT = resolve(__dirname, '../../../docs/redis-server.sh');
const ROWS = { timeZone: 'UTC', folder: null, home: '/home/me', allowBypass: false };
const MACHINE = { id: 'here', isAlive: () => true };

describe('The Redis that docs/redis-server.sh makes', () => {
  let folder: string;
  const env = { ...process.env, PATH: [REDIS_FOLDER, process.env['PATH'] ?? ''].join(delimiter) };
  const pidOf = (): number => Number(readFileSync(join(folder, 'redis.pid'), 'utf8'));

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'claude-task-queue-script-')), 'redis');
  });

  afterEach(() => {
    if (existsSync(join(folder, 'redis.pid'))) process.kill(pidOf(), 'SIGKILL');
    rmSync(resolve(folder, '..'), { recursive: true, force: true });
  });

  it('has a queue for its user over TLS, and still has it after kill -9 and a restart', async () => {
    const port = await findFreePort();
    execFileSync('sh', [SCRIPT, folder, '127.0.0.1', String(port), 'team'], { env, stdio: 'pipe' });
    const server = {
      ...{ host: '127.0.0.1', port, db: 0, username: 'queue' },
      password: readFileSync(join(folder, 'password'), 'utf8').trim(),
      tls: { ca: readFileSync(join(folder, 'ca.pem'), 'utf8') },
    };
    const open = (): Promise<RedisQueue> =>
      RedisQueue.open({ server, queue: 'team', machine: MACHINE, rows: () => ROWS });
    const queue = await open();
    await queue.add({ fields: { prompt: 'Keep me', working_dir: '/w' } }, 'once');
    await queue.close();
    const file = join(folder, 'appendonlydir', 'appendonly.aof.1.incr.aof');
    await until('the task is on the disk', () => readFileSync(file, 'utf8').includes('Keep me'));
    process.kill(pidOf(), 'SIGKILL');
    execFileSync('redis-server', ['redis.conf'], { cwd: folder, env, stdio: 'pipe' });
    await until('Redis has read its file', async () => {
      const again = await open().catch(() => null);
      if (again === null) return false;
      const { tasks } = await again.read();
      await again.close();
      assert.deepEqual(
        tasks.map(({ definition }) => definition.prompt),
        ['Keep me'],
      );
      return true;
    });
  });
});
