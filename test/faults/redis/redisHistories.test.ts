import assert from 'node:assert/strict';
import { checkReplay } from '../../support/queue/replayed';
import { Fenced, isProblem, Problem } from '../../../src/domain/problem';
import { TcpProxy } from '../../support/redis/tcpProxy';
import { until } from '../../support/until';
import { request, successOf } from '../faultQueue';
import { holdOften, RedisGround } from './redisFaults';
import { claim, draftOf, NOBODY, readShared } from './redisPlace';

describe('A queue in Redis whose keys were removed', () => {
  const ground = new RedisGround();

  it('is empty for every process, and refuses the end of what was claimed', async () => {
    const [one, other] = [await ground.open(), await ground.open()];
    await one.add(draftOf('one'), 'add');
    const claimed = await claim(one, 'one');
    await ground.empty();
    await assert.rejects(one.renew(claimed.claim, 0), Fenced);
    await assert.rejects(one.finish(claimed.claim, successOf(claimed), 'finish'), Fenced);
    for (const queue of [one, other]) assert.deepEqual((await queue.read()).tasks, []);
  });

  it('does not repeat a claim that is gone', async () => {
    const queue = await ground.open();
    await queue.add(draftOf('one'), 'add');
    await claim(queue, 'one');
    await ground.empty();
    const again = await queue.claim(request('one'), 'one-claim');
    assert.equal(again.kind, 'idle');
  });

  it('has another revision', async () => {
    const queue = await ground.open();
    await queue.add(draftOf('one'), 'add');
    const { revision } = await queue.read();
    await ground.empty();
    assert.ok((await queue.read()).revision > revision);
  });

  it('reports later changes to a watcher from before', async () => {
    const [one, other] = [await ground.open(), await ground.open()];
    await one.addAll([draftOf('one')], 'add');
    await holdOften(one, 5);
    const over = new AbortController();
    let seen: readonly string[] = [];
    let reading = Promise.resolve();
    other.watch(() => {
      reading = reading.then(async () => {
        seen = (await other.read()).tasks.map(({ definition }) => definition.prompt);
      });
    }, over.signal);
    await until('the watcher has started', () => seen.includes('one'));
    await ground.empty();
    await one.add(draftOf('new'), 'add-new');
    await until('the watcher sees the new task', () => seen.includes('new'));
    over.abort();
    await reading;
  });
});

describe('A queue in Redis that was restored from a backup', () => {
  const ground = new RedisGround();

  it('refuses the end of a claim whose token was given again', async () => {
    const [one, other] = [await ground.open(), await ground.open()];
    await one.add(draftOf('one'), 'add');
    const backup = await ground.dump();
    const lost = await claim(one, 'one');
    await ground.restore(backup);
    const now = await claim(other, 'other');
    assert.equal(now.claim.token, lost.claim.token);
    await assert.rejects(one.renew(lost.claim, 0), Fenced);
    await assert.rejects(one.start(lost.claim, NOBODY, 'start'), Fenced);
    await assert.rejects(one.finish(lost.claim, successOf(lost), 'finish'), Fenced);
    await assert.rejects(one.release(lost.claim, 'stopped', 'release'), Fenced);
    await other.finish(now.claim, successOf(now), 'other-finish');
    assert.deepEqual(await readShared(one), await readShared(other));
  });

  it('is read as it is by a process that knew another history of the same length', async () => {
    const [one, other] = [await ground.open(), await ground.open()];
    await one.add(draftOf('one'), 'add');
    const backup = await ground.dump();
    await one.add(draftOf('lost'), 'add-lost');
    await ground.restore(backup);
    await other.add(draftOf('kept'), 'add-kept');
    const { tasks } = await one.read();
    assert.deepEqual(
      tasks.map(({ definition }) => definition.prompt),
      ['one', 'kept'],
    );
  });
});

describe('A queue in Redis of which a key was removed', () => {
  const ground = new RedisGround();

  for (const key of ['log', 'head', 'baseHead', 'base'] as const) {
    it(`is refused without its ${key}, or is as it was`, async () => {
      const one = await ground.open({ leastCompacted: 4 });
      await one.addAll([draftOf('one'), draftOf('two')], 'add');
      await holdOften(one, 8);
      await ground.client.del(ground.keys[key]);
      await assert.rejects(ground.open(), (error) => isProblem(error, 'state-damaged'));
      const answer = await one.add(draftOf('more'), 'more').catch((error: unknown) => error);
      if (answer instanceof Problem) assert.equal(answer.reason, 'state-damaged');
      else assert.equal((await one.read()).tasks.length, 3);
    });
  }
});

describe('Compaction of a queue in Redis', () => {
  const ground = new RedisGround();

  it('leaves a process that is far behind with the same state', async () => {
    const behind = await ground.open();
    const writer = await ground.open({ leastCompacted: 3 });
    await writer.addAll([draftOf('one'), draftOf('two')], 'add');
    await behind.read();
    for (let turn = 0; turn < 10; turn += 1) {
      await holdOften(writer, 7);
      assert.deepEqual(await readShared(behind), await readShared(writer));
    }
    assert.ok((await ground.client.xlen(ground.keys.log)) < 20, 'the log was compacted');
    const claimed = await (await ground.open()).read();
    assert.equal(claimed.tasks.length, 2);
  });

  it('keeps each event in the past once, for as long as the history is kept', async () => {
    let keptMs = Infinity;
    const one = await ground.open({ leastCompacted: 3, keepHistoryMs: () => keptMs });
    for (let turn = 0; turn < 6; turn += 1) {
      await one.add(draftOf('task'), `add-${String(turn)}`);
      const claimed = await claim(one, `claim-${String(turn)}`);
      await until('it is later than the claim', () => one.now() > claimed.claim.at);
      await one.finish(claimed.claim, successOf(claimed), `finish-${String(turn)}`);
      await holdOften(one, 2);
      await one.resume(`resume-${String(turn)}`);
    }
    assert.ok((await ground.client.zcard(ground.keys.chapters)) > 2, 'the log was compacted');
    assert.equal(await checkReplay(one), 6);
    const last = (await one.attempts({}))[0]?.startedAt ?? 0;
    const moment = await (await ground.open()).lookBack(last);
    assert.ok(moment.kind === 'known');
    assert.deepEqual(
      moment.snapshot.claims.map(({ id }) => id),
      [6],
    );
    // A chapter that ends now is old too.
    keptMs = -60_000;
    await holdOften(one, 12);
    assert.equal(await ground.client.zcard(ground.keys.chapters), 0);
    assert.deepEqual(await ground.client.keys(`${ground.keys.chapters}:*`), []);
  });

  it('by two processes at once loses nothing', async () => {
    const options = { leastCompacted: 2, keepHistoryMs: () => 0 };
    const queues = [await ground.open(options), await ground.open(options), await ground.open(options)];
    await Promise.all(
      queues.map(async (queue, index) => {
        for (let turn = 0; turn < 30; turn += 1)
          await queue.add(draftOf('task'), `add-${String(index)}-${String(turn)}`);
      }),
    );
    const [first, ...others] = await Promise.all(queues.map((queue) => readShared(queue)));
    for (const other of others) assert.deepEqual(other, first);
    assert.equal((await (await ground.open()).read()).tasks.length, 90);
  });

  it('does not let the change fail after which it was not possible', async () => {
    const proxy = await TcpProxy.open(ground.redis.port);
    const other = await ground.open();
    await other.add(draftOf('one'), 'add');
    const claimed = await claim(other, 'one');
    await other.finish(claimed.claim, successOf(claimed), 'finish');
    let cut = Promise.resolve();
    const keepHistoryMs = (): number => {
      cut = proxy.close();
      return -60_000;
    };
    const one = await ground.open({ leastCompacted: 1, keepHistoryMs }, proxy.port);
    assert.equal((await one.add(draftOf('two'), 'two')).id, 2);
    await cut;
    assert.equal((await other.read()).tasks.length, 2);
    assert.equal((await other.attempts({})).length, 1, 'nothing was archived');
  });

  it('may end between the removal of old attempts and the new base', async () => {
    const one = await ground.open({ leastCompacted: 3, keepHistoryMs: () => 0 });
    await one.add(draftOf('one'), 'add');
    const claimed = await claim(one, 'one');
    await one.finish(claimed.claim, successOf(claimed), 'finish');
    // The base cannot be written while a string is in its place.
    const { base, baseHead, log } = ground.keys;
    await ground.client.set(baseHead, '999:ffff');
    await holdOften(one, 6);
    await ground.client.del(baseHead);
    assert.equal(await ground.client.exists(base), 0);
    assert.ok((await ground.client.xlen(log)) > 6);
    assert.deepEqual(await readShared(await ground.open()), await readShared(one));
    assert.deepEqual(await one.attempts({}), []);
    const archived = await ground.client.lrange(ground.keys.archive, 0, -1);
    assert.equal(archived.length, 1, 'the attempt is in the archive, once');
  });
});
