import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isProblem } from '../../../src/domain/problem';
import type { RedisQueue } from '../../../src/queue/redis/redisQueue';
import { MACHINE, RULES } from '../faultQueue';
import { RedisGround } from './redisFaults';
import { draftOf, NOBODY } from './redisPlace';

/** Contents of keys that this program did not write. */
const HOSTILE: readonly string[] = [
  '',
  'abc',
  '0:',
  '1:\u0000',
  '-5:aaaa',
  '99999999999999999999999:aaaa',
  '9007199254740993:aaaa',
  `7:${'x'.repeat(100_000)}`,
];

const PARTS: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '{"of":"queue","field":"__proto__","value":{"a":1}}',
  '{"of":"queue","field":"tasks","value":{}}',
  '{"of":"rows","value":[[1,"x"]]}',
  '{"of":"rest","settings":7,"lastKey":0}',
  '{"of":"rest","settings":"","lastKey":1e300}',
  '{"of":"columns","value":"id"}',
];

const ENTRIES: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '{"events":{}}',
  '{"events":[null]}',
  '{"events":[{"kind":"claimed","at":1}]}',
  '{"events":[{"kind":"finished","at":1,"id":1,"token":1,"change":null,"attempt":{}}]}',
  '{"events":[{"kind":"started","at":1,"id":1,"token":1,"run":{"pid":1,"startedAt":"1"}}]}',
  '{"events":[{"kind":"seen","at":null,"rows":[]}]}',
  '{"rows":[{"kind":"put","key":-1,"texts":[]}]}',
  '{"rows":[{"kind":"put","key":1,"texts":[7]}]}',
  '{"rows":[{"kind":"constructor"}]}',
  '{"settings":{}}',
  '{"retired":"x"}',
];

describe('Keys of a queue in Redis with hostile contents', () => {
  const ground = new RedisGround();

  const isClear = (error: unknown): boolean =>
    isProblem(error, 'state-damaged') || isProblem(error, 'redis-refused');

  /** A new process and one that has the queue open either work or report a problem. */
  async function exercise(one: RedisQueue): Promise<void> {
    const tries = [
      () => one.read(),
      () => one.add(draftOf('more'), randomUUID()),
      () => one.recover(RULES, randomUUID()),
      () => ground.open(),
    ];
    for (const attempt of tries) {
      const answer = await Promise.resolve(attempt()).catch((error: unknown) => error);
      assert.ok(!(answer instanceof Error) || isClear(answer), String(answer));
    }
  }

  for (const key of ['log', 'head', 'base', 'baseHead', 'leases', 'pulse', 'archive'] as const) {
    it(`report a clear problem in ${key}, of any type`, async () => {
      const place = ground.keys[key];
      const makers = [
        ...HOSTILE.map((text) => () => ground.client.set(place, text)),
        () => ground.client.set(place, Buffer.from([0x31, 0x3a, 0xff, 0xfe])),
        () => ground.client.hset(place, { at: 'x', from: 'y' }),
        () => ground.client.sadd(place, 'x'),
        () => ground.client.zadd(place, 'inf', 'x'),
        ...PARTS.map((text) => () => ground.client.rpush(place, text)),
        () => ground.client.xadd(place, '1-1', 'a', 'b'),
        () => ground.client.xadd(place, '18446744073709551615-0', 'n', 'a', 'e', 'b'),
      ];
      const one = await ground.open();
      for (const make of makers) {
        await ground.empty();
        await one.add(draftOf('one'), randomUUID());
        await ground.client.del(place);
        await make();
        await exercise(one);
      }
    });
  }

  it('report a clear problem in each entry', async () => {
    const { log, head } = ground.keys;
    for (const text of ENTRIES) {
      await ground.empty();
      const one = await ground.open();
      await one.add(draftOf('one'), randomUUID());
      await ground.client.xadd(log, '2-0', 'n', 'aa', 'e', text);
      await ground.client.set(head, '2:aa');
      await assert.rejects(one.read(), (error) => isProblem(error, 'state-damaged'), text);
      await exercise(one);
    }
  });

  it('report a clear problem in the parts of the base', async () => {
    const { base, baseHead, head } = ground.keys;
    for (const text of PARTS) {
      await ground.empty();
      await ground.client.rpush(base, text);
      await ground.client.mset({ [baseHead]: '5:aa', [head]: '5:aa' });
      if (text.includes('__proto__')) assert.deepEqual((await (await ground.open()).read()).tasks, []);
      else await assert.rejects(ground.open(), (error) => isProblem(error, 'state-damaged'), text);
    }
    assert.equal(Reflect.get({}, 'a'), undefined);
  });

  it('report a clear problem if a claim has no task', async () => {
    const { log, head } = ground.keys;
    const one = await ground.open();
    await one.add(draftOf('one'), 'add');
    const owner = { kind: 'process', worker: 'w', machine: MACHINE.id, process: NOBODY };
    const held = { id: 9, power: 'x', token: 1, attempt: 1, owner, at: 1, session: 's', mark: 'm' };
    const entry = { events: [{ kind: 'claimed', at: 1, claim: held }] };
    await ground.client.xadd(log, '2-0', 'n', 'aa', 'e', JSON.stringify(entry));
    await ground.client.set(head, '2:aa');
    await exercise(one);
    await assert.rejects(one.recover(RULES, 'recover'), (error) => isProblem(error, 'state-damaged'));
  });

  it('do not hold a process in an endless search for its state', async () => {
    const { baseHead } = ground.keys;
    await ground.client.set(baseHead, Buffer.from([0x31, 0x3a, 0xff]));
    await assert.rejects(ground.open(), (error) => isProblem(error, 'state-damaged'));
  });
});
