import { existsSync, writeFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Fenced, isProblem } from '../../../src/domain/problem';
import type { RedisQueue } from '../../../src/queue/redis/redisQueue';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { RULES, request, successOf } from '../faultQueue';
import { again, draftOf, endOf, LEASES, NOBODY, openAt, printShared } from './redisPlace';

/** A program that works on a queue in Redis until a file is made; run by the tests beside this file. */
export interface RedisOrders {
  readonly port: number;
  readonly queue: string;
  readonly name: string;
  readonly play: 'work' | 'visit' | 'lose';
  /** File that is made when no more tasks come. */
  readonly sign?: string;
  /** Difference of this process's clock from the machine's, in ms. */
  readonly skewMs?: number;
}

/** Claims at the same time. */
const SLOTS = 4;
const LONGEST_RUN_MS = 80;
const IDLE_MS = 25;
/** Entries after which a base is written. */
const LEAST_COMPACTED = 40;

/** Says it with the time of the machine's steady clock, which all processes share, in ms. */
function say(text: string): void {
  writeSync(1, `${text} @${String(process.hrtime.bigint() / 1_000_000n)}\n`);
}

async function work(queue: RedisQueue, { name, sign = '' }: RedisOrders): Promise<void> {
  await Promise.all(
    Array.from({ length: SLOTS }, (_, slot) => workSlot(queue, `${name}-${String(slot)}`, sign)),
  );
  // Changes of others, for example a retry of a task that ended meanwhile, are part of the state.
  while (!existsSync(endOf(sign))) await sleep(IDLE_MS);
  const file = `${sign}.${String(process.pid)}`;
  writeFileSync(file, await again(() => printShared(queue)));
  say(`state ${file}`);
}

async function workSlot(queue: RedisQueue, name: string, sign: string): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const isLast = existsSync(sign);
    const op = `${name}-${String(turn)}`;
    if (turn % 5 === 0) await again(() => queue.recover(RULES, `${op}-recover`));
    try {
      if (await finishNext(queue, name, op)) continue;
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      say(`fenced ${op}`);
      continue;
    }
    const { tasks } = await again(() => queue.read());
    if (isLast && tasks.every(({ state }) => state.status === 'completed')) return;
    await sleep(IDLE_MS);
    await again(() => queue.recover(RULES, `${op}-idle-recover`));
  }
}

/** Claims, runs and finishes a task. Returns false if there is none. @throws Fenced */
async function finishNext(queue: TaskQueue, name: string, op: string): Promise<boolean> {
  const answer = await again(() => queue.claim(request(name), `${op}-claim`));
  if (answer.kind === 'idle') return false;
  const { id, attempt, token } = answer.claim;
  const what = `${String(id)} ${String(attempt)} ${String(token)}`;
  // Like a worker: the answer may be old by now, so nothing is done before the start is accepted.
  say(`starts ${what}`);
  await again(() => queue.start(answer.claim, NOBODY, `${op}-start`));
  say(`started ${what}`);
  await sleep(Math.random() * LONGEST_RUN_MS);
  await again(() => queue.renew(answer.claim, 0));
  say(`ran ${what}`);
  await again(() => queue.finish(answer.claim, successOf(answer), `${op}-finish`));
  say(`finished ${what}`);
  return true;
}

/** Opens, watches, adds and closes, and leaves the rest to the end of the process. */
async function visit(queue: RedisQueue, { name }: RedisOrders): Promise<void> {
  queue.watch(() => undefined, new AbortController().signal);
  await queue.add(draftOf('visited'), `${name}-add`);
  const answer = await queue.claim(request(name), `${name}-claim`);
  say(answer.kind);
}

/** Visits, and waits until Redis is away and the file is made. */
async function lose(queue: RedisQueue, orders: RedisOrders): Promise<void> {
  await visit(queue, orders);
  while (!existsSync(orders.sign ?? '')) await sleep(IDLE_MS);
  await queue.read().catch((error: unknown) => {
    say(isProblem(error, 'redis-away') ? 'away' : String(error));
  });
}

async function main(): Promise<void> {
  const orders = JSON.parse(process.argv[2] ?? '{}') as RedisOrders;
  const { skewMs = 0 } = orders;
  const now = Date.now.bind(Date);
  Date.now = () => now() + skewMs;
  const open = (): Promise<RedisQueue> =>
    openAt(orders.port, orders.queue, { leaseTimes: LEASES, leastCompacted: LEAST_COMPACTED });
  const queue = await again(open);
  say('begins');
  await { work, visit, lose }[orders.play](queue, orders);
  await queue.close();
  say('through');
}

main().catch((error: unknown) => {
  say(`failed ${inspect(error)}`);
  process.exitCode = 1;
});
