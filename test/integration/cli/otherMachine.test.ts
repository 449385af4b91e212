import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { OPEN_GATE } from '../../../src/domain/gate/gate';
import type { Attempt, Verdict } from '../../../src/domain/task/attempt';
import { decide } from '../../../src/domain/task/decide';
import { defaults } from '../../../src/domain/settings/settings';
import { openRedisQueue } from '../../../src/queue/openQueue';
import { RedisKeys } from '../../../src/queue/redis/keys';
import type { SharedQueue } from '../../../src/queue/sharedQueue';
import { attemptOf } from '../../conformance/harness';
import { startRedis, type RedisServer } from '../../support/redis/redisServer';
import { CliHarness, type Answer } from './cliHarness';
import { firstTask, startAttempt } from './fileQueue';

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

  /** A worker on mars runs the task, which ends with this. */
  async function endAttempt(
    verdict: Pick<Verdict, 'outcome' | 'reason' | 'message'>,
    facts: Partial<Attempt>,
  ): Promise<void> {
    await startAttempt(cli, mars, RUN, MARS);
    const { definition, state, claim } = await firstTask(mars);
    assert.ok(claim);
    const change = decide(definition, state, verdict, {
      ...{ now: mars.now(), random: 0.5, settings: defaults, timeZone: 'UTC' },
    });
    const attempt = {
      ...attemptOf({ kind: 'claimed', claim, definition, state }, change, mars.now(), verdict),
      ...facts,
    };
    await mars.finish(claim, { change, attempt, definition }, 'end');
  }

  it('leaves a task to the worker that is running it there, until that one is dead', async () => {
    await startAttempt(cli, mars, RUN, MARS);
    for (const command of ['done', 'fail', 'release']) {
      const { code, err } = await call(command, '1');
      assert.deepEqual([code, err], [1, 'Task 1 is not yours: worker 42 on mars is running task 1.']);
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

  it('knows the newest attempts and decides them again although the clock here is behind', async () => {
    await endAttempt({ outcome: 'success', reason: 'done', message: 'It is done.' }, {});
    cli.now = mars.now() - 10 * 60_000;
    const recent = await call('history', '--since', '1m');
    assert.match(recent.out, /1 success/);
    assert.match((await call('report', '--since', '1m')).out, /1 success/);
    assert.equal((await call('why', '1', '--at', '1ms')).err, '');
    const { starts } = /(?<starts>\d+) start/.exec((await call('replay')).out)?.groups ?? {};
    assert.equal(starts, '1');
  });

  it('names it with a worker that died there', async () => {
    const owner = { kind: 'process', worker: '42', machine: MARS, process: cli.self() } as const;
    await mars.register({ owner, since: mars.now() }, { alone: false }, 'enlist');
    assert.match((await call('status')).out, /: 1 task\. Worker 42 on mars is running\. /);
    await mars.close();
    await endLeases();
    assert.match((await call('status')).out, /No worker is running\. Worker 42 on mars died\./);
    assert.match((await call('check')).out, /Worker 42 on mars died\./);
  });

  it('names it with what an attempt left there', async () => {
    await endAttempt(
      { outcome: 'success', reason: 'done', message: 'It is done.' },
      { output: 'task-1-attempt-1.jsonl', diff: { files: 1, insertions: 2, deletions: 0 } },
    );
    const command = `claude-queue --redis ${redis.url} diff 1`;
    const { out } = await call('show', '1');
    assert.match(out, /^output +state\/outputs\/task-1-attempt-1\.jsonl on mars$/m);
    assert.equal(/^changed +(.*)$/m.exec(out)?.[1], `+2 -0 in 1 file: "${command}" on mars`);
    for (const words of [['review'], ['report']]) {
      const shown = (await call(...words)).out.replaceAll(/\s+/g, ' ');
      assert.ok(shown.includes(`${command} (on mars)`), shown);
    }
    const { tasks } = JSON.parse((await call('review', '--json')).out) as {
      readonly tasks: readonly { readonly commands: readonly string[] }[];
    };
    assert.ok(tasks[0]?.commands.includes(command));
  });

  it('is named where a tool is allowed here, as it may take the task again', async () => {
    await endAttempt(
      { outcome: 'review', reason: 'denied', message: 'Refused.' },
      { denials: [{ tool: 'Bash', detail: 'git push', rule: 'Bash(git push)' }] },
    );
    assert.deepEqual((await call('allow', '1', '--all')).out.split('\n'), [
      'Allowed for task 1: Bash(git push)',
      'Task 1 is pending again. This applies on this machine until its row changes.',
      'Its last attempt ran on mars, which may take the task again: allow it there too.',
    ]);
  });
});
