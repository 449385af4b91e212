import { startRedis } from '../../../test/support/redis/redisServer';
import { timeOf, type BenchRow } from '../files/measuring';
import { claimNext, finishAndClaim, QueuePlace } from '../files/queuePlace';
import { findBullMq } from './bullmq';
import { measureColumn, type Line } from './columns';
import { fill, makeTasks, type Contestant } from './contestant';
import { delayReplies } from './delayedRedis';
import type { Ground } from './ground';
import {
  measureAdds,
  measureBulk,
  measureClaims,
  measureCost,
  measureDrain,
  measureLatency,
  type Drain,
} from './measures';
import { openOwnQueue } from './openOwnQueue';
import { ownContestant } from './own';
import { RedisMeter } from './redisMeter';

const OWN = ownContestant(openOwnQueue);
const BULLMQ = findBullMq();

const FINISH = 'finish and claim';
const counted = (count: number, word: string): string =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

/** Tasks that wait before some of them are handled. */
const WAITING = 4_000;

type Measure = (contestant: Contestant) => Promise<readonly number[]>;

/** Measures the same of both sides. */
function measureBoth(lines: readonly Line[], measure: Measure, size?: number): Promise<BenchRow[]> {
  const peer = { name: 'BullMQ', measure: BULLMQ === null ? null : () => measure(BULLMQ) };
  return measureColumn({ lines, own: () => measure(OWN), peer, ...(size === undefined ? {} : { size }) });
}

/** Works on a Redis of its own. */
async function onRedis<T>(
  aof: 'no' | 'everysec' | 'always',
  work: (ground: Ground) => Promise<T>,
): Promise<T> {
  const redis = await startRedis({ aof });
  const meter = new RedisMeter(redis.url);
  try {
    return await work({ url: redis.url, meter });
  } finally {
    meter.close();
    await redis.stop();
  }
}

const one = (value: Promise<number>): Promise<readonly number[]> => value.then((number) => [number]);
const rate = (what: string, goal: string): Line[] => [{ what, unit: 'tasks/s', goal }];

/** Adding tasks to an empty queue. */
export function measureAdding(): Promise<BenchRow[]> {
  return onRedis('no', async (ground) => [
    ...(await measureBoth(rate('add one by one', '> 1'), (each) => one(measureAdds(ground, each, 1)))),
    ...(await measureBoth(rate('add, 50 in flight', '> 1'), (each) => one(measureAdds(ground, each, 50)))),
    ...(await measureBoth(
      rate('add in one call', '> 1'),
      (each) => one(measureBulk(ground, each, 10_000)),
      10_000,
    )),
  ]);
}

function measureDrains(ground: Ground, what: string, drain: Omit<Drain, 'waiting'>): Promise<BenchRow[]> {
  const goal = drain.slots === 1 ? '≥ 1.5' : '≥ 2';
  const measure: Measure = (each) => one(measureDrain(ground, each, { ...drain, waiting: WAITING }));
  return measureBoth(rate(what, goal), measure, WAITING);
}

/** Finishing a task and claiming the next, by slots and tenants. */
export function measureHandling(): Promise<BenchRow[]> {
  return onRedis('no', async (ground) => {
    const rows: BenchRow[] = [];
    for (const slots of [1, 10, 50])
      for (const tenants of [1, 20, 1_000])
        rows.push(
          ...(await measureDrains(
            ground,
            `${FINISH}, ${counted(slots, 'slot')}, ${counted(tenants, 'tenant')}`,
            {
              slots,
              tenants,
            },
          )),
        );
    const measure = (tenants: number) => (): Promise<readonly number[]> =>
      one(measureDrain(ground, OWN, { slots: 10, tenants, waiting: WAITING }));
    const lines = rate(`${FINISH}, 10 slots, 1,000 tenants`, '≥ 0.9');
    const peer = { name: 'one tenant', measure: measure(1) };
    rows.push(...(await measureColumn({ size: WAITING, lines, own: measure(1_000), peer })));
    return rows;
  });
}

/** Measures from the call that adds a task to its start by a worker with a connection of its own. */
export function measureStarts(): Promise<BenchRow[]> {
  return onRedis('no', async (ground) => {
    const idle = [
      { what: 'from add to start, p50', unit: 'ms', goal: '≤ 0.5' },
      { what: 'from add to start, p99', unit: 'ms' },
    ];
    const busy = [
      { what: 'from add to start while others wait, p50', unit: 'ms' },
      { what: 'from add to start while others wait, p99', unit: 'ms', goal: '≤ 200 ms' },
    ];
    return [
      ...(await measureBoth(idle, (each) => measureLatency(ground, each, 0))),
      ...(await measureBoth(busy, (each) => measureLatency(ground, each, 10_000), 10_000)),
    ];
  });
}

/** Measures the cost of a task in Redis. */
export function measureCosts(): Promise<BenchRow[]> {
  const lines = [
    { what: 'commands to add a task', unit: 'commands' },
    { what: "Redis's CPU time to add a task", unit: 'µs' },
    { what: 'commands to handle a task', unit: 'commands' },
    { what: "Redis's CPU time to handle a task", unit: 'µs' },
    { what: 'memory of a waiting task', unit: 'bytes' },
  ];
  return onRedis('no', (ground) => measureBoth(lines, (each) => measureCost(ground, each)));
}

/** One claim, by the number of tasks that wait. */
export function measureBacklog(size: number): Promise<BenchRow[]> {
  return onRedis('no', async (ground) => {
    const contestants = [OWN, ...(BULLMQ === null ? [] : [BULLMQ])];
    const opened = await Promise.all(
      contestants.map(async (each) => [each, await each.open(ground.url)] as const),
    );
    const queues = new Map(opened);
    const lines = [
      { what: 'claim a task', unit: 'ms' },
      { what: "Redis's CPU time to claim a task", unit: 'µs' },
    ];
    const claim = async (each: Contestant): Promise<void> => queues.get(each)?.claim();
    try {
      for (const queue of queues.values()) await fill(queue, makeTasks(size, 20));
      return await measureBoth(lines, (each) => measureClaims(ground, () => claim(each)), size);
    } finally {
      for (const queue of queues.values()) await queue.close();
    }
  });
}

/** With an append-only file. */
export function measureDurable(aof: 'everysec' | 'always'): Promise<BenchRow[]> {
  return onRedis(aof, async (ground) => [
    ...(await measureDrains(ground, `${FINISH}, 1 slot, AOF ${aof}`, { slots: 1 })),
    ...(await measureDrains(ground, `${FINISH}, 50 slots, AOF ${aof}`, { slots: 50 })),
  ]);
}

/** Through a network that holds each reply back by a millisecond. */
export function measureFar(): Promise<BenchRow[]> {
  return onRedis('no', async ({ url, meter }) => {
    const delayed = await delayReplies(url, 1);
    try {
      const ground = { url: delayed.url, meter };
      const rows: BenchRow[] = [];
      for (const slots of [1, 10, 50])
        rows.push(
          ...(await measureDrains(ground, `${FINISH}, ${counted(slots, 'slot')}, 1 ms away`, { slots })),
        );
      return rows;
    } finally {
      delayed.close();
    }
  });
}

const STEPS = 100;

/** Beside the same step in a queue file. */
export function measureBesideFile(): Promise<BenchRow[]> {
  const size = 1_000;
  return onRedis('no', async ({ url, meter }) => {
    const own = async (): Promise<readonly number[]> => {
      await meter.empty();
      const filled = await OWN.open(url);
      await fill(filled, makeTasks(size, 20));
      await filled.close();
      return stepOf(await openOwnQueue(url));
    };
    const place = async (): Promise<readonly number[]> => {
      const file = new QueuePlace(size);
      try {
        return await stepOf(await file.open());
      } finally {
        file.remove();
      }
    };
    const lines = [{ what: 'end a task and claim the next', unit: 'ms', goal: '≤ 1.5' }];
    return measureColumn({ size, lines, own, peer: { name: 'the file store', measure: place } });
  });
}

async function stepOf(queue: Awaited<ReturnType<typeof openOwnQueue>>): Promise<readonly number[]> {
  let claimed = await claimNext(queue, 'first');
  const ms = await timeOf(async () => {
    for (let step = 0; step < STEPS; step++) claimed = await finishAndClaim(queue, claimed, `step-${step}`);
  });
  await queue.close();
  return [ms / STEPS];
}
