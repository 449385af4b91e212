import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fenced, isProblem } from '../../../src/domain/problem';
import type { ProcessOwner } from '../../../src/domain/queue/view';
import type { ProcessIdentity } from '../../../src/domain/task/processIdentity';
import type { RedisQueue } from '../../../src/queue/redis/redisQueue';
import type { Claimed } from '../../../src/queue/taskQueue';
import { TcpProxy } from '../../support/redis/tcpProxy';
import { until } from '../../support/until';
import { MACHINE, RULES, request, successOf } from '../faultQueue';
import { startRedisChild } from '../program';
import { RedisGround } from './redisFaults';
import { again, claim, draftOf, LEASES, NOBODY, readShared } from './redisPlace';

/** A call that changes the queue, and whether it was done once. */
interface Call {
  readonly name: string;
  readonly run: (queue: RedisQueue, claimed: Claimed) => Promise<unknown>;
}

const CALLS: readonly Call[] = [
  { name: 'add', run: (queue) => queue.add(draftOf('new'), 'op') },
  { name: 'addAll', run: (queue) => queue.addAll([draftOf('new'), draftOf('newer')], 'op') },
  { name: 'edit', run: (queue) => queue.edit(2, { prompt: 'Edited' }, 'op') },
  { name: 'remove', run: (queue) => queue.remove([3], 'op') },
  { name: 'move', run: (queue) => queue.move(3, 2, 'op') },
  { name: 'claim', run: (queue) => claim(queue, 'worker', 'op') },
  { name: 'start', run: (queue, { claim: held }) => queue.start(held, NOBODY, 'op') },
  { name: 'renew', run: (queue, { claim: held }) => queue.renew(held, 0) },
  { name: 'finish', run: (queue, held) => queue.finish(held.claim, successOf(held), 'op') },
  {
    name: 'finish and claim',
    run: (queue, held) => queue.finish(held.claim, successOf(held), 'op', request('worker')),
  },
  { name: 'release', run: (queue, { claim: held }) => queue.release(held, 'stopped', 'op') },
  { name: 'recover', run: (queue) => queue.recover(RULES, 'op') },
  { name: 'hold', run: (queue) => queue.hold({ by: 'person', why: 'Away.' }, 'op') },
  { name: 'writeSettings', run: (queue) => queue.writeSettings('max_running: 2', 'op') },
  {
    name: 'reset',
    run: async (queue, held) => {
      await queue.finish(held.claim, successOf(held), 'op');
      await queue.reset();
    },
  },
];

/** Calls that return what they took away: nothing when they are repeated. */
const ANSWERED_ONCE = ['recover', 'remove'];

describe('A queue in Redis whose connection is cut', () => {
  const ground = new RedisGround();
  let proxy: TcpProxy;

  beforeEach(async () => {
    proxy = await TcpProxy.open(ground.redis.port);
  });

  afterEach(() => proxy.close());

  /** Does a call, cut where `cut` says, and again. Returns what there is then, without what depends on the time. */
  async function stateAfter(call: Call, cut: (() => Promise<void>) | null): Promise<object> {
    ground.newQueue();
    const queue = await ground.open({}, proxy.port);
    const other = await ground.open();
    await other.addAll([draftOf('one'), draftOf('two'), draftOf('three')], 'add');
    const held = await claim(queue, 'first');
    const isCut = cut?.();
    const answer = await again(() => call.run(queue, held));
    if (call.name !== 'reset') {
      // The same call again, when all is well: it is answered, and not done again.
      const repeated = await call.run(queue, held);
      if (!ANSWERED_ONCE.includes(call.name)) assert.deepEqual(repeated, answer);
    }
    await isCut;
    assert.deepEqual(await readShared(queue), await readShared(other));
    return withoutTimes(await readShared(other));
  }

  for (const call of CALLS) {
    it(`does ${call.name} once, if the reply is cut at its beginning, in its middle or before the call`, async () => {
      const calm = await stateAfter(call, null);
      const atReply = (): Promise<void> => proxy.cutAtNextReply();
      const inReply = (): Promise<void> => proxy.cutAfter(5, 'toClient');
      const inCall = (): Promise<void> => proxy.cutAfter(40, 'toServer');
      for (const cut of [atReply, inReply, inCall]) assert.deepEqual(await stateAfter(call, cut), calm);
    });
  }

  it('answers a change whose reply was cut, and has made it once', async () => {
    const queue = await ground.open({}, proxy.port);
    const isCut = proxy.cutAtNextReply();
    assert.equal((await queue.add(draftOf('one'), 'add')).id, 1);
    await isCut;
    assert.equal((await queue.read()).tasks.length, 1);
    const isCutAgain = proxy.cutAtNextReply();
    const [removed] = await queue.remove([1], 'remove');
    await isCutAgain;
    assert.equal(removed?.id, 1);
  });

  it('says that a change may have been made if Redis does not come back', async () => {
    const queue = await ground.open({}, proxy.port);
    const isCut = proxy.cutAtNextReply();
    const added = queue.add(draftOf('one'), 'add');
    await isCut;
    await proxy.close();
    await assert.rejects(
      added,
      (error) => isProblem(error, 'redis-away') && error.message.includes('may have been made'),
    );
    proxy = await TcpProxy.open(ground.redis.port);
  });

  it('calls the watcher again, which sees what happened meanwhile', async () => {
    const queue = await ground.open({}, proxy.port);
    const other = await ground.open();
    const over = new AbortController();
    let calls = 0;
    queue.watch(() => {
      calls += 1;
    }, over.signal);
    await until('the watcher has started', () => calls > 0);
    proxy.cut();
    const before = calls;
    await other.add(draftOf('one'), 'add');
    await until('the watcher is called again', () => calls > before);
    assert.equal((await again(() => queue.read())).tasks.length, 1);
    const after = calls;
    await other.add(draftOf('two'), 'add-two');
    await until('the watcher is called for the next change', () => calls > after);
    over.abort();
  });

  it('makes a half-open connection again', async () => {
    const queue = await ground.open({}, proxy.port);
    proxy.forget();
    await assert.rejects(queue.read(), (error) => isProblem(error, 'redis-away'));
    assert.deepEqual((await again(() => queue.read())).tasks, []);
  });

  it('refuses the owner of a claim before its lease ends, when others may take the task', async () => {
    const queue = await ground.open({ leaseTimes: { ...LEASES, leaseMs: 3_600_000 } }, proxy.port);
    await queue.add(draftOf('one'), 'add');
    const held = await claim(queue, 'first');
    await proxy.close();
    const ended = await until('the claim has ended', () =>
      queue.renew(held.claim, 0).then(
        () => null,
        (error: unknown) => (isProblem(error, 'redis-away') ? null : error),
      ),
    );
    assert.ok(ended instanceof Fenced);
    proxy = await TcpProxy.open(ground.redis.port);
  });
});

describe('A process that was frozen for longer than its lease', () => {
  const ground = new RedisGround();

  it('keeps a task that it starts while another process recovers it, and only one of them has it', async () => {
    const proxy = await TcpProxy.open(ground.redis.port);
    let holds: 'nothing' | 'next' | 'its decision' = 'nothing';
    // Asked while the other process decides: what it writes then is held back.
    const isAlive = (identity: ProcessIdentity): boolean => {
      if (holds === 'next') {
        proxy.stall('toServer');
        holds = 'its decision';
      }
      return MACHINE.isAlive(identity);
    };
    // It renews no lease by itself, as if it were frozen.
    const frozen = await ground.open({ leaseTimes: { ...LEASES, renewEveryMs: 600_000 } });
    const machine = { ...MACHINE, isAlive };
    const other = await ground.open({ leaseTimes: LEASES, machine }, proxy.port);
    const over = new AbortController();
    other.watch(() => undefined, over.signal);
    await frozen.add(draftOf('one'), 'add');
    const held = await claim(frozen, 'first');
    await until('its lease has ended', async () => (await other.read()).claims[0]?.ownerDied === true);
    holds = 'next';
    const lost = other.recover(RULES, 'recover');
    await until('the other process has decided', () => holds === 'its decision');
    await frozen.start(held.claim, NOBODY, 'start');
    proxy.heal();
    assert.deepEqual(await lost, []);
    assert.deepEqual(await frozen.renew(held.claim, 0), {});
    over.abort();
    await proxy.close();
  });
});

describe('A queue in Redis that nobody reached for longer than a lease', () => {
  const ground = new RedisGround();

  it('has the task of an owner that was refused again, although its process lives on', async () => {
    const proxy = await TcpProxy.open(ground.redis.port);
    const owner = await ground.open({ leaseTimes: LEASES }, proxy.port);
    await owner.add(draftOf('one'), 'add');
    const held = await claim(owner, 'first');
    proxy.stall();
    await until('the owner is refused', () =>
      owner.renew(held.claim, 0).then(
        () => false,
        (error: unknown) => error instanceof Fenced,
      ),
    );
    proxy.heal();
    const isMarked = async (): Promise<boolean> => {
      const { claims } = await again(() => owner.read());
      return claims.some(({ ownerDied }) => ownerDied === true);
    };
    assert.equal(await isMarked(), true);
    const [lost] = await again(() => owner.recover(RULES, 'recover'));
    assert.equal(lost?.claim.mark, held.claim.mark);
    assert.equal((await again(() => owner.attempts({})))[0]?.reason, 'redis-away');
    const next = await claim(owner, 'second');
    assert.deepEqual([next.claim.id, next.claim.attempt], [1, 2]);
    assert.equal(await isMarked(), false);
    await proxy.close();
  });

  it('leaves living owners their claims', async () => {
    const proxy = await TcpProxy.open(ground.redis.port);
    const owner = await ground.open({ leaseTimes: LEASES }, proxy.port);
    await owner.add(draftOf('one'), 'add');
    const held = await claim(owner, 'first');
    proxy.stall();
    await until('the lease has ended', async () => {
      const [, end] = await ground.client.zrange(ground.keys.leases, '0', '0', 'WITHSCORES');
      const [seconds] = await ground.client.time();
      return Number(end) < (Number(seconds) - 1) * 1_000;
    });
    // Nobody has renewed a lease yet when this one asks.
    const other = await ground.open({ leaseTimes: LEASES });
    assert.deepEqual(await other.recover(RULES, 'recover'), []);
    proxy.heal();
    await again(() => owner.finish(held.claim, successOf(held), 'finish'));
    await proxy.close();
  });
});

describe('A process that looks at a queue in Redis which nobody reached for longer than a lease', () => {
  const ground = new RedisGround();
  const machine = { ...MACHINE, id: 'elsewhere' };

  /** Another process has a claim, and no lease was renewed for longer than its own. */
  async function cutOff(): Promise<{
    readonly proxy: TcpProxy;
    readonly owner: RedisQueue;
    claimed: Claimed;
  }> {
    const proxy = await TcpProxy.open(ground.redis.port);
    const owner = await ground.open({ leaseTimes: LEASES }, proxy.port);
    await owner.add(draftOf('one'), 'add');
    const claimed = await claim(owner, 'first');
    const self = { ...claimed.claim.owner };
    assert.ok(self.kind === 'process');
    await owner.register({ owner: self, since: 0 }, { alone: false }, 'register');
    await until('a lease was renewed', () => ground.client.exists(ground.keys.pulse));
    proxy.stall();
    await until('the lease has ended', async () => {
      const [, end] = await ground.client.zrange(ground.keys.leases, '0', '0', 'WITHSCORES');
      const [seconds] = await ground.client.time();
      return Number(end) < (Number(seconds) - 1) * 1_000;
    });
    return { proxy, owner, claimed };
  }

  it('does not see a living owner as dead, nor unregisters it', async () => {
    const { proxy, owner, claimed } = await cutOff();
    const other = await ground.open({ leaseTimes: LEASES, machine });
    const looks = [other.read(), other.readLost()] as const;
    const { owner: here } = request('second');
    assert.ok(here.kind === 'process');
    const late: ProcessOwner = { ...here, machine: machine.id };
    const registers = other.register({ owner: late, since: 0 }, { alone: false }, 'second');
    proxy.heal();
    const [{ claims, died }, lost] = await Promise.all(looks);
    assert.deepEqual([claims.map(({ ownerDied }) => ownerDied), died, lost], [[undefined], [], []]);
    await registers;
    const { workers } = await other.read();
    assert.ok(workers.some(({ owner: one }) => one.worker === 'first'));
    await again(() => owner.finish(claimed.claim, successOf(claimed), 'finish'));
    await proxy.close();
  });

  it('sees a dead owner as dead, and so does every later process at once', async () => {
    const { proxy } = await cutOff();
    const other = await ground.open({ leaseTimes: LEASES, machine });
    const isDead = async (queue: RedisQueue): Promise<boolean> =>
      (await queue.read()).claims[0]?.ownerDied === true;
    assert.equal(await isDead(other), true);
    // As if that was long ago.
    await ground.client.hset(ground.keys.pulse, { at: 1, from: 1, known: Date.now() });
    const later = await ground.open({ leaseTimes: { ...LEASES, settleMs: 3_600_000 }, machine });
    assert.equal(await isDead(later), true);
    // A renewal starts the time anew, in which the dead stay dead.
    assert.equal((await later.recover(RULES, 'recover')).length, 1);
    await proxy.close();
  });
});

describe('A process with a queue in Redis', () => {
  const ground = new RedisGround();

  it('ends by itself after it has closed the queue', async () => {
    const child = startRedisChild({
      port: ground.redis.port,
      queue: ground.name,
      name: 'visitor',
      play: 'visit',
    });
    const { code, stdout, stderr } = await child.ended;
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^claimed [^]*^through /m);
    assert.equal(stderr, '');
  });

  it('ends by itself after it has lost Redis permanently', async () => {
    const proxy = await TcpProxy.open(ground.redis.port);
    const sign = join(ground.redis.folder, 'away');
    const child = startRedisChild({
      port: proxy.port,
      queue: ground.name,
      name: 'loser',
      play: 'lose',
      sign,
    });
    await child.waitForLine(/^claimed /);
    await proxy.close();
    writeFileSync(sign, '');
    const { code, stdout, stderr } = await child.ended;
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^away [^]*^through /m);
    assert.equal(stderr, '');
  });
});

/** The same in each run: times are replaced. */
function withoutTimes(state: object): object {
  return JSON.parse(
    JSON.stringify(state, (_key, value: unknown) =>
      typeof value === 'number' && value > 1e12 ? 'time' : value,
    ),
  ) as object;
}
