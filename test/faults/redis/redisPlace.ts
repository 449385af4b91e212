import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { isProblem } from '../../../src/domain/problem';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { RedisQueue, type RedisQueueOptions } from '../../../src/queue/redis/redisQueue';
import type { Claimed, TaskQueue } from '../../../src/queue/taskQueue';
import { MACHINE, request } from '../faultQueue';

/** Short leases: a frozen process loses its own within the time of a test. */
export const LEASES = {
  leaseMs: 2_000,
  lateMs: 1_500,
  renewEveryMs: 200,
  longestGapMs: 1_000,
  settleMs: 500,
};

const ROWS = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };

/** Opens a queue in the Redis on this port of the loopback. */
export function openAt(
  port: number,
  queue: string,
  options: Partial<RedisQueueOptions> = {},
): Promise<RedisQueue> {
  const server = { host: '127.0.0.1', port, db: 0 };
  return RedisQueue.open({ server, queue, machine: MACHINE, rows: () => ROWS, ...options });
}

/** All that a process reads of a queue, but for what is its own. */
export async function readShared(queue: TaskQueue): Promise<object> {
  const { revision: _own, ...shared } = await queue.read();
  return { ...shared, attempts: await queue.attempts({}) };
}

/** A task to add, in a folder of its own: it runs beside others. */
export function draftOf(prompt: string): { readonly fields: Record<string, string> } {
  return { fields: { prompt, working_dir: `/place/${prompt}` } };
}

/** The process of nobody: it has ended. */
export const NOBODY = { ...systemProcesses.self(), pid: 4_194_000, startedAt: '1' };

/** Claims the next task. */
export async function claim(queue: TaskQueue, worker: string, op = `${worker}-claim`): Promise<Claimed> {
  const answer = await queue.claim(request(worker), op);
  if (answer.kind === 'idle') throw new assert.AssertionError({ message: 'There was nothing to claim.' });
  return answer;
}

/** Returns the file that is made once nobody changes the queue any more. */
export function endOf(sign: string): string {
  return `${sign}.end`;
}

/** All that a process reads of a queue, as text. */
export async function printShared(queue: TaskQueue): Promise<string> {
  const whole = { depth: null, maxArrayLength: null, maxStringLength: null, sorted: true };
  return inspect(await readShared(queue), whole);
}

/** Repeats a call by the same name while Redis is away. */
export async function again<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isProblem(error, 'redis-away') && !isProblem(error, 'queue-busy')) throw error;
      await sleep(20);
    }
  }
}
