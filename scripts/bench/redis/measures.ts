import { setTimeout as sleep } from 'node:timers/promises';
import { timeOf } from '../files/measuring';
import { fill, makeTasks, type BenchTask, type Contestant } from './contestant';
import { withQueue, type Ground } from './ground';

/** Longest measurement of one round: what is slower is measured on fewer tasks. */
const LONGEST_MS = 2_000;

/** Tenants where their number is not what is measured. */
const TENANTS = 20;

/** Tasks per second that are added by calls for one task each, `width` of them at once. */
export async function measureAdds(ground: Ground, contestant: Contestant, width: number): Promise<number> {
  return withQueue(ground, contestant, async (queue) => {
    const left = makeTasks(4_000, TENANTS).values();
    const start = performance.now();
    let count = 0;
    const runLane = async (): Promise<void> => {
      for (const task of left) {
        await queue.add(task);
        count += 1;
        if (performance.now() - start > LONGEST_MS) return;
      }
    };
    await Promise.all(Array.from({ length: width }, runLane));
    return (count / (performance.now() - start)) * 1000;
  });
}

/** Tasks per second that are added in one call. */
export async function measureBulk(ground: Ground, contestant: Contestant, count: number): Promise<number> {
  return withQueue(ground, contestant, async (queue) => {
    const ms = await timeOf(() => queue.addAll(makeTasks(count, TENANTS)));
    return (count / ms) * 1000;
  });
}

/** Tasks per second that are claimed and finished. */
export async function measureDrain(
  ground: Ground,
  contestant: Contestant,
  { slots, tenants = TENANTS, waiting }: Drain,
): Promise<number> {
  return withQueue(ground, contestant, async (queue) => {
    await fill(queue, makeTasks(waiting, tenants));
    const { count, ms } = await queue.drain(slots);
    return (count / ms) * 1000;
  });
}

/** Load of a measurement of throughput. */
export interface Drain {
  readonly slots: number;
  readonly tenants?: number;
  readonly waiting: number;
}

const LATENCY_STARTS = 200;

/** Median and 99th percentile of the milliseconds from the call that adds a task to its start by a worker elsewhere. */
export async function measureLatency(
  ground: Ground,
  contestant: Contestant,
  waiting: number,
): Promise<readonly number[]> {
  return withQueue(ground, contestant, async (queue) => {
    await fill(queue, makeTasks(waiting, TENANTS, { isLater: true }));
    const worker = await contestant.open(ground.url);
    let started = (): void => undefined;
    await worker.serve(() => started());
    const times: number[] = [];
    const since = performance.now();
    for (const task of makeTasks(LATENCY_STARTS, TENANTS).map((each) => numberAfter(each, waiting))) {
      const start = new Promise<void>((resolve) => (started = resolve));
      const addedMs = performance.now();
      const added = queue.add(task);
      await start;
      times.push(performance.now() - addedMs);
      await added;
      // The worker is waiting again.
      await sleep(2);
      if (performance.now() - since > 2 * LONGEST_MS) break;
    }
    await worker.close();
    return [quantile(times, 0.5), quantile(times, 0.99)];
  });
}

const numberAfter = (task: BenchTask, waiting: number): BenchTask => ({
  ...task,
  number: waiting + task.number,
});

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
}

const COST_TASKS = 1_000;

/**
 * Measures one task: commands and processor time of Redis to add it and to handle it in one slot, and its bytes
 * there.
 */
export async function measureCost(ground: Ground, contestant: Contestant): Promise<readonly number[]> {
  const { meter } = ground;
  return withQueue(ground, contestant, async (queue) => {
    const bytes = await meter.memory();
    const tasks = makeTasks(COST_TASKS, TENANTS);
    const added = await meter.measure(async () => {
      for (const task of tasks) await queue.add(task);
    });
    const perTask = ((await meter.memory()) - bytes) / COST_TASKS;
    let count = 0;
    const handled = await meter.measure(async () => {
      ({ count } = await queue.drain(1));
    });
    return [
      ...[added.commands, added.cpuMicros].map((value) => value / COST_TASKS),
      ...[handled.commands, handled.cpuMicros].map((value) => value / count),
      perTask,
    ];
  });
}

const CLAIMS = 20;

/** Milliseconds of one claim, and the processor time of Redis for it. Nothing is finished. */
export async function measureClaims(
  { meter }: Ground,
  claim: () => Promise<void>,
): Promise<readonly number[]> {
  let ms = 0;
  const { cpuMicros } = await meter.measure(async () => {
    ms = await timeOf(async () => {
      for (let count = 0; count < CLAIMS; count++) await claim();
    });
  });
  return [ms / CLAIMS, cpuMicros / CLAIMS];
}
