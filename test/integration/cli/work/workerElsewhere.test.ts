import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import type { ProcessOwner } from '../../../../src/domain/queue/view';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import { RedisKeys } from '../../../../src/queue/redis/keys';
import { nameOwner } from '../../../../src/queue/redis/leases';
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

const RECLAIMED =
  'Reclaimed task 1 (worker 14551 on mars is gone). Leftover processes on mars can only be ended there.';

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

  /** Ends the lease of the worker. Others renewed theirs until `pulse`. */
  async function die({ pulse }: { readonly pulse: number }): Promise<void> {
    await mars.close();
    const keys = new RedisKeys('default');
    const client = new Redis(redis.url);
    await client.zadd(keys.leases, 1, nameOwner(OWNER));
    await client.hset(keys.pulse, { from: 1, at: pulse });
    client.disconnect();
  }

  it('that does not stop is named with its machine, where its process id is valid', async () => {
    await register();
    await run();
    const { code, out } = await call('stop', '--now');
    assert.equal(code, 1);
    assert.equal(
      out,
      [
        'Asked the workers of this queue to stop now. Running: 1. Waiting at most 10 s for that.',
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
    assert.match(out, /Running: 1\. .*\nAll running tasks have ended\.$/);
    assert.ok(waits >= 3);
  });

  it('that may run a task leaves it no need of the user here, where it is not approved, until it dies', async () => {
    await mars.add(draftOf('two'), 'add-two');
    await register();
    await run();
    const why = 'not approved on this machine; worker 14551 on mars may run it';
    assert.match((await call('why', '2')).out, new RegExp(why));
    assert.match((await call('list')).out, new RegExp(`^ *2 .*${why}`, 'm'));
    assert.doesNotMatch((await call('report')).out, /Needs you/);
    await die({ pulse: Date.now() });
    assert.match((await call('why', '2')).out, /not approved on this machine$/m);
    assert.match((await call('report')).out, /Needs you/);
  });

  it('that died is named with its machine, whose processes nobody here knows', async () => {
    await run();
    await die({ pulse: Date.now() });
    const { out } = await call('status');
    assert.ok(
      out
        .split('\n')
        .includes(
          `Task 1 is left over from worker 14551 on mars, which died. Leftover processes can only be ended there. The next worker recovers the task. To recover it now, run "claude-queue --redis ${redis.url} stop --now".`,
        ),
      out,
    );
    assert.match(
      (await call('why', '1')).out,
      /worker 14551 on mars died during the attempt; the next worker recovers the task/,
    );
  });

  it('that died loses its task to "stop --now", which does not say that nothing is left of it', async () => {
    await run();
    await die({ pulse: Date.now() });
    const { code, out } = await call('stop', '--now');
    assert.equal(code, 0);
    assert.equal(out.split('\n')[1], RECLAIMED);
  });

  it('that died while nobody else was there loses its task to "stop --now", as "status" said', async () => {
    await register();
    await run();
    await die({ pulse: 1 });
    assert.match((await call('status')).out, /^Task 1 is left over from worker 14551 on mars, which died\./m);
    const { code, out } = await call('stop', '--now');
    assert.equal(code, 0);
    assert.equal(out, `No worker is running.\n${RECLAIMED}`);
    assert.doesNotMatch((await call('status')).out, /left over/);
  });

  it('that died while nobody else was there loses a task that is cancelled', async () => {
    await run();
    await die({ pulse: 1 });
    const { code, out } = await call('cancel', '1');
    assert.equal(code, 0);
    assert.equal(out, `${RECLAIMED}\nTask 1 is cancelled.`);
  });

  it('that died is unregistered by the next worker, which reports it', async () => {
    await register();
    await die({ pulse: 1 });
    const here = await openAt(redis.port, 'default');
    const { owner } = request('7');
    assert.ok(owner.kind === 'process');
    await here.register({ owner, since: 0 }, { alone: false }, 'register-here');
    const { workers, died, outbox } = await here.read();
    await here.close();
    assert.deepEqual(
      [workers.map(({ owner: { worker } }) => worker), died, outbox.map(({ notice }) => notice.kind)],
      [['7'], [], ['worker-died']],
    );
  });
});
