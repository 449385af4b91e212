import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createGate, type Gate } from '../../../../src/account/gate';
import type { Host } from '../../../../src/app/context/host';
import { QueueContext } from '../../../../src/app/context/queueContext';
import { createLiveness, createSharedStore } from '../../../../src/app/context/sharedGate';
import type { Starter } from '../../../../src/domain/gate/gate';
import { defaults } from '../../../../src/domain/settings/settings';
import { systemClock } from '../../../../src/platform/clock';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import type { RedisServer as Address } from '../../../../src/queue/redisServer';
import { RedisKeys } from '../../../../src/queue/redis/keys';
import { RedisGateText } from '../../../../src/queue/redis/redisGateText';
import { start } from '../../../support/machine/processes';
import { startRedis, type RedisServer } from '../../../support/redis/redisServer';
import { TcpProxy } from '../../../support/redis/tcpProxy';
import { exerciseGate, HOUR_MS, LIMIT } from '../../account/gateRules';

const MINUTE_MS = 60_000;
const KEY = new RedisKeys('team').gate('abc');
const starter = (id: number, machine: string): Starter => ({
  task: { queue: 'team', id },
  worker: '7',
  machine,
  process: { pid: 7, startedAt: 'then' },
});

describe('The gate of an account in Redis', () => {
  let redis: RedisServer;
  let client: Redis;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shared-gate-'));
    redis = await startRedis();
    client = new Redis(redis.url);
    client.on('error', () => undefined);
  });
  beforeEach(() => client.flushall());
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    client.disconnect();
    await redis.stop();
  });

  const textOf = (account: string, port = redis.port): RedisGateText => {
    const server: Address = { host: '127.0.0.1', port, db: 0 };
    return new RedisGateText(server, new RedisKeys('team').gate(account));
  };

  /** Opens the gate as one machine has it, with a connection of its own. */
  function open(machine = 'here', port = redis.port): Gate {
    const text = textOf('abc', port);
    const isAlive = createLiveness({ id: machine, isAlive: () => false });
    return createGate({
      store: createSharedStore(text, machine),
      clock: text,
      rules: () => defaults,
      isAlive,
    });
  }

  /** Closes the gate until `until`, relative to Redis's time. */
  async function closeUntil(until: number): Promise<void> {
    const [seconds] = await client.time();
    const now = Number(seconds) * 1000;
    const block = { kind: 'five_hour', since: now - 2 * HOUR_MS, until: now + until, message: 'limit' };
    await client.set(KEY, JSON.stringify({ version: 1, value: { closures: [block], usage: [] } }));
  }

  /** Does something while the clock of this machine is ahead. */
  async function ahead<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const { now } = Date;
    Date.now = () => now() + ms;
    try {
      return await work();
    } finally {
      Date.now = now;
    }
  }

  const kinds = async (gate: Gate): Promise<string[]> => (await gate.view()).closures.map(({ kind }) => kind);

  exerciseGate('as in any store', () => ({
    open: (account) => createSharedStore(textOf(account), 'here'),
    put: async (text) => {
      await client.set(KEY, text);
    },
    get: async () => (await client.get(KEY)) ?? '',
    lastWrite: async () =>
      /calls=(\d+)/.exec(/cmdstat_set:\S*/.exec(await client.info('commandstats'))?.[0] ?? '')?.[1],
    hasEmpty: false,
  }));

  it('closed by one machine is closed for the others at their next view', async () => {
    const [one, other] = [open('one'), open('other')];
    assert.deepEqual(await kinds(other), []);
    const [seconds] = await client.time();
    await one.report({ signal: { ...LIMIT, resetAt: Number(seconds) * 1000 + HOUR_MS }, usage: [] });
    assert.deepEqual(await kinds(other), ['five_hour']);
    assert.equal(await other.admit(starter(1, 'other')), false);
  });

  it('admits one probe after a reset, though the clocks of two machines are an hour apart', async () => {
    await closeUntil(-5 * MINUTE_MS);
    const [fast, right] = [open('fast'), open('right')];
    assert.equal(await ahead(HOUR_MS, () => fast.admit(starter(1, 'fast'))), true);
    assert.equal(await right.admit(starter(2, 'right')), false);
    assert.equal(await ahead(-HOUR_MS, () => open('slow').admit(starter(3, 'slow'))), false);
  });

  it('admits nothing before a reset, though the clock of a machine is an hour ahead', async () => {
    await closeUntil(30 * MINUTE_MS);
    assert.equal(await ahead(HOUR_MS, () => open().admit(starter(1, 'here'))), false);
  });

  it('admits one of twelve machines that ask at once', async () => {
    await closeUntil(-5 * MINUTE_MS);
    const machines = Array.from({ length: 12 }, (_, at) => `m${at}`);
    const admitted = await Promise.all(machines.map((name, at) => open(name).admit(starter(at + 1, name))));
    assert.equal(admitted.filter(Boolean).length, 1);
  });

  it('stays open for other machines when one is not signed in or offline', async () => {
    const [one, other] = [open('one'), open('other')];
    await one.report({ signal: { kind: 'sign-in', resetAt: null, message: 'Please run /login' }, usage: [] });
    await one.report({ signal: { kind: 'offline', resetAt: null, message: 'refused' }, usage: [] });
    await other.report({ signal: { kind: 'billing', resetAt: null, message: 'balance' }, usage: [] });
    assert.deepEqual(await kinds(other), ['billing']);
    assert.deepEqual((await kinds(one)).sort(), ['billing', 'offline', 'sign-in']);
    await other.reopen();
    assert.deepEqual((await kinds(one)).sort(), ['offline', 'sign-in']);
  });

  it('is that of every user of the queue who is signed in with the account, and of no file queue', async () => {
    const auth = { loggedIn: true, method: 'claude.ai', orgId: 'x', email: 'ann@example.org' };
    const rest = { billing: 'subscription', billingChoice: 'auto', unusedKeys: [] } as const;
    const gateFor = (name: string, redisUrl: string | undefined): Promise<Gate> => {
      const home = join(folder, name);
      const host: Host = {
        env: { HOME: home, XDG_STATE_HOME: join(home, 'state'), XDG_CONFIG_HOME: home },
        cwd: folder,
        clock: systemClock,
        random: () => 0.5,
        createId: randomUUID,
        processes: systemProcesses,
        timeZone: 'UTC',
        warn: (message) => assert.fail(message),
      };
      const redisOption = redisUrl === undefined ? {} : { redis: redisUrl };
      const context = new QueueContext({ queue: join(folder, 'prompts.csv'), ...redisOption }, host);
      return context.openGateOf({ auth, ...rest, accountKey: 'abc' });
    };
    const url = `${redis.url}/0?queue=team`;
    const gate = await gateFor('ann', url);
    await gate.report({ signal: { ...LIMIT, resetAt: null }, usage: [] });
    assert.deepEqual(await kinds(await gateFor('bob', url)), ['five_hour']);
    assert.deepEqual(await kinds(await gateFor('bob', url.replace('team', 'other'))), []);
    assert.deepEqual(await kinds(await gateFor('ann', undefined)), []);
  });

  describe('that others wrote', () => {
    const put = (block: object): Promise<unknown> =>
      client.set(KEY, JSON.stringify({ version: 1, value: { closures: [block], usage: [] } }));

    it('has no text that controls a terminal', async () => {
      const message = 'a\u001b]0;title\u0007\n\u202eb';
      await put({ kind: 'billing', since: 1, until: null, message, model: '\u001b[2Jopus' });
      const [block] = (await open().view()).closures;
      assert.deepEqual([block?.message, block?.model], ['a b', 'opus']);
    });

    it('is refused if it is too long, or no text', async () => {
      await put({ kind: 'billing', since: 1, until: null, message: 'x'.repeat(5_000_000) });
      await assert.rejects(open().view(), { reason: 'state-damaged' });
      await client.del(KEY);
      await client.rpush(KEY, 'x');
      await assert.rejects(open().view(), { reason: 'redis-refused', message: /WRONGTYPE/ });
    });

    it('is not waited for without end if it never compares as it was read', async () => {
      const stored = JSON.stringify({ version: 1, value: { closures: [], usage: [], defaultModel: '#' } });
      await client.set(KEY, Buffer.from(stored.replace('#', '\u00ff'), 'latin1'));
      await assert.rejects(
        open().report({ signal: LIMIT, usage: [{ window: 'five_hour', utilization: 1, resetAt: 1 }] }),
        {
          reason: 'queue-busy',
          message: /gate:abc of Redis at 127\.0\.0\.1:\d+ could not be written/,
        },
      );
    });
  });

  describe('over a connection', () => {
    let proxy: TcpProxy;
    beforeEach(async () => {
      proxy = await TcpProxy.open(redis.port);
    });
    afterEach(() => proxy.close());

    for (const [what, direction, changes] of [
      ['in the reply to a write writes once', 'toClient', 1],
      ['before a write was sent writes again', 'toServer', 2],
    ] as const) {
      it(`cut ${what}`, async () => {
        const store = createSharedStore(textOf('abc', proxy.port), 'here');
        // Redis has the scripts after this.
        await store.update((gate) => ({ ...gate, defaultModel: 'haiku' }));
        let made = 0;
        const cuts: Promise<void>[] = [];
        await store.update((gate) => {
          made += 1;
          if (made === 1) cuts.push(proxy.cutAfter(0, direction));
          return { ...gate, defaultModel: 'opus' };
        });
        await Promise.all(cuts);
        assert.equal(made, changes);
        assert.equal((await store.read()).defaultModel, 'opus');
      });
    }

    it('that was lost is open again at the next use', async () => {
      const gate = open('here', proxy.port);
      await gate.view();
      proxy.cut();
      await gate.view().catch(() => undefined);
      assert.deepEqual(await kinds(gate), []);
    });
  });

  describe('in a process of its own', () => {
    const codeFor = (port: number): string => `
      const { RedisGateText } = require(${JSON.stringify(join(__dirname, '../../../../src/queue/redis/redisGateText.ts'))});
      const text = new RedisGateText({ host: '127.0.0.1', port: ${port}, db: 0 }, 'key');
      process.on('exit', () => console.log(process.uptime() < 30));
      text.swap(null, 'x').then(() => text.read()).then(console.log);`;

    it('lets the process end without being closed', async () => {
      const args = ['--require', require.resolve('tsx/cjs'), '-e', codeFor(redis.port)];
      const env = { PATH: process.env['PATH'] ?? '' };
      const { code, stdout, stderr } = await start(process.execPath, args, {
        cwd: join(__dirname, '../../../..'),
        env,
      }).ended;
      assert.deepEqual([code, stdout, stderr], [0, 'x\ntrue\n', '']);
    });
  });

  it('cannot be used while Redis is away, and can be again afterwards', async () => {
    const gate = open();
    await gate.view();
    redis.kill('SIGKILL');
    await redis.ended();
    const away = { reason: 'redis-away', message: /Redis at 127\.0\.0\.1:\d+ does not answer/ };
    await assert.rejects(gate.view(), away);
    await assert.rejects(gate.admit(starter(1, 'here')), away);
    await assert.rejects(gate.report({ signal: LIMIT, usage: [] }), away);
    await redis.restart();
    assert.deepEqual(await kinds(gate), []);
  });
});
