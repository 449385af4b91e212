import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { OPEN_GATE } from '../../../src/domain/gate/gate';
import { defaults } from '../../../src/domain/settings/settings';
import { openRedisQueue } from '../../../src/queue/openQueue';
import { RedisKeys } from '../../../src/queue/redis/keys';
import type { SharedQueue } from '../../../src/queue/sharedQueue';
import { startRedis, type RedisServer } from '../../support/redis/redisServer';
import { CliHarness, type Answer } from './cliHarness';
import { startAttempt } from './fileQueue';

const MARS = 'mars/0123456789ab';
const RUN = { pid: 4242, startedAt: 'then' };

describe('A queue in Redis that another machine uses too', () => {
  let redis: RedisServer;
  let cli: CliHarness;
  let mars: SharedQueue;
  const call = (...args: string[]): Promise<Answer> => cli.call('--redis', redis.url, ...args);

  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.stop());

  beforeEach(async () => {
    cli = new CliHarness();
    const rows = { timeZone: 'UTC', folder: cli.workspace, home: '/home/me', allowBypass: false };
    mars = await openRedisQueue({
      server: { host: '127.0.0.1', port: redis.port, db: 0 },
      queue: 'default',
      machine: { id: MARS, isAlive: () => true },
      rows: () => rows,
    });
    await mars.add({ fields: { prompt: 'Write it.', working_dir: cli.workspace } }, 'add');
  });
  afterEach(async () => {
    await mars.close();
    const admin = new Redis(redis.port);
    await admin.flushall();
    admin.disconnect();
    cli.remove();
  });

  /** As after a worker on mars was killed and its lease has ended. */
  async function endLeases(): Promise<void> {
    const { leases, pulse } = new RedisKeys('default');
    const admin = new Redis(redis.port);
    await admin.del(leases);
    // Others have renewed their leases without a gap since then.
    await admin.hset(pulse, { from: 0, at: Date.now() });
    admin.disconnect();
  }

  it('leaves a task to the worker that is running it there, until that one is dead', async () => {
    await startAttempt(cli, mars, RUN, MARS);
    for (const command of ['done', 'fail', 'release']) {
      const { code, err } = await call(command, '1');
      assert.deepEqual([code, err], [1, 'Task 1 is not yours: worker 42 on mars is running 1.']);
    }
    assert.equal((await mars.read()).claims.length, 1);
    await mars.close();
    await endLeases();
    assert.equal((await call('release', '1')).out, 'Task 1 is back in the queue.');
  });

  it('says where the output of a task is that runs there, and does not offer to follow it', async () => {
    await startAttempt(cli, mars, RUN, MARS);
    assert.deepEqual((await call('log', '1')).out.split('\n'), [
      'Its output is not shown: it stays on mars, where the worker runs.',
      'Task 1 is running.',
    ]);
  });

  it('names its user in an attempt that they made there, also if it was ended here', async () => {
    const request = {
      ...{ owner: { kind: 'person', machine: MARS } as const, override: { unattendedRules: true } },
      ...{
        since: mars.now(),
        gate: OPEN_GATE,
        approvedRows: { trusted: true, approvals: new Set<string>() },
      },
      ...{ settings: defaults, timeZone: 'UTC', freshSession: 'a' },
    };
    assert.equal((await mars.claim(request, 'take')).kind, 'claimed');
    assert.equal((await call('done', '1')).out, 'Task 1 is done.');
    const { out } = await call('history', '1');
    assert.match(out, /^started .*, with the user on mars for \d+ m?s$/m);
    assert.match(out, /^ran on +mars$/m);
  });
});
