import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { RedisKeys } from '../../../src/queue/redis/keys';
import type { RedisQueue, RedisQueueOptions } from '../../../src/queue/redis/redisQueue';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { startRedis, type RedisOptions, type RedisServer } from '../../support/redis/redisServer';
import { openAt } from './redisPlace';

/** Adds this many entries to the log. */
export async function holdOften(queue: TaskQueue, times: number): Promise<void> {
  const run = randomUUID();
  for (let turn = 0; turn < times; turn += 1)
    await queue.hold({ by: 'person', why: 'Away.' }, `${run}-${String(turn)}`);
}

/** A Redis for the tests of a group, with a queue of its own for each test. */
export class RedisGround {
  name = '';
  private server: RedisServer | null = null;
  private plain: Redis | null = null;
  private readonly opened: TaskQueue[] = [];

  /** Call it in a group of tests. */
  constructor(options: RedisOptions = {}) {
    before(async () => {
      this.server = await startRedis(options);
      this.plain = new Redis(this.server.url);
      this.plain.on('error', () => undefined);
    });
    after(async () => {
      this.client.disconnect();
      await this.redis.stop();
    });
    beforeEach(() => this.newQueue());
    afterEach(async () => {
      for (const queue of this.opened.splice(0)) await queue.close();
    });
  }

  get redis(): RedisServer {
    assert.ok(this.server !== null);
    return this.server;
  }

  /** Connection of someone else. */
  get client(): Redis {
    assert.ok(this.plain !== null);
    return this.plain;
  }

  get keys(): RedisKeys {
    return new RedisKeys(this.name);
  }

  /** Starts a new queue; the following calls use it. */
  newQueue(): void {
    this.name = randomUUID();
  }

  async open(options: Partial<RedisQueueOptions> = {}, port = this.redis.port): Promise<RedisQueue> {
    const queue = await openAt(port, this.name, options);
    this.opened.push(queue);
    return queue;
  }

  /** Names and contents of all keys of the queue. */
  async dump(): Promise<Map<string, Buffer>> {
    const kept = new Map<string, Buffer>();
    for (const key of await this.client.keys(`*{${this.name}}*`))
      kept.set(key, await this.client.dumpBuffer(key));
    return kept;
  }

  /** Puts an earlier dump in the place of all keys of the queue. */
  async restore(kept: ReadonlyMap<string, Buffer>): Promise<void> {
    await this.empty();
    for (const [key, bytes] of kept) await this.client.restore(key, 0, bytes);
  }

  async empty(): Promise<void> {
    const keys = await this.client.keys(`*{${this.name}}*`);
    if (keys.length > 0) await this.client.del(...keys);
  }
}
