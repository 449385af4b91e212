import assert from 'node:assert/strict';
import type { ProcessOwner } from '../../../../src/domain/queue/view';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import type { ClaimRef, TaskQueue } from '../../../../src/queue/taskQueue';
import { MACHINE, request } from '../../../faults/faultQueue';
import { draftOf, NOBODY, openAt } from '../../../faults/redis/redisPlace';
import { startRedis, type RedisServer } from '../../../support/redis/redisServer';
import { CliHarness, type Answer } from '../cliHarness';

const MARS = 'mars/0123456789ab';
/** A worker on mars, which is the process of the test. */
const OWNER: ProcessOwner = {
  ...{ kind: 'process', worker: '14551', machine: MARS },
  process: systemProcesses.self(),
};

describe('A worker of another machine', () => {
  const pid = String(process.pid);
  let cli: CliHarness;
  let redis: RedisServer;
  let mars: TaskQueue;
  const call = (...args: string[]): Promise<Answer> => cli.call('--redis', redis.url, ...args);

  beforeEach(async () => {
    cli = new CliHarness();
    cli.env['CLAUDE_QUEUE_STOP_GRACE'] = '100ms';
    redis = await startRedis();
    mars = await openAt(redis.port, 'default', { machine: { ...MACHINE, id: MARS } });
    await mars.add(draftOf('one'), 'add');
  });

  afterEach(async () => {
    await mars.close();
    await redis.stop();
    cli.remove();
  });

  async function register(): Promise<void> {
    await mars.register({ owner: OWNER, since: 0 }, { alone: false }, 'register');
  }

  /** Lets the worker run the task. */
  async function run(): Promise<ClaimRef> {
    const claimed = await mars.claim({ ...request('14551'), owner: OWNER }, 'claim');
    assert.ok(claimed.kind === 'claimed');
    await mars.start(claimed.claim, NOBODY, 'start');
    return claimed.claim;
  }

  it('that does not stop is named with its machine, where its process id is valid', async () => {
    await register();
    await run();
    const { code, out } = await call('stop', '--now');
    assert.equal(code, 1);
    assert.equal(
      out,
      [
        'Asked the workers of this queue to stop now. Running: 1.',
        `Worker 14551 on mars does not respond; task 1 is still running. On mars, end it with "kill -9 ${pid}", then its leftover processes with "claude-queue --redis ${redis.url} stop --now".`,
      ].join('\n'),
    );
  });

  it('that does not stop is named without a task too', async () => {
    await register();
    const { code, out } = await call('stop', '--now');
    assert.equal(code, 1);
    assert.equal(
      out.split('\n')[1],
      `Worker 14551 on mars does not respond. On mars, end it with "kill -9 ${pid}".`,
    );
  });

  it('that runs one task without being registered is waited for', async () => {
    const ref = await run();
    let waits = 0;
    cli.onSleep = async () => {
      waits += 1;
      if (waits === 3) await mars.release(ref, 'stopped', 'release');
    };
    const { code, out } = await call('stop', '--now');
    assert.equal(code, 0);
    assert.match(out, /Running: 1\.\nAll running tasks have ended\.$/);
    assert.ok(waits >= 3);
  });
});
