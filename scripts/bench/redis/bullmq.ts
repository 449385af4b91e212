import { PRIORITIES } from '../../../src/domain/task/priority';
import { loadBullMq, type BullMq, type BullMqWorker } from '../files/peers';
import {
  DRAIN_MS,
  promptOf,
  type BenchQueue,
  type BenchTask,
  type Contestant,
  type Drained,
} from './contestant';

const DAY_MS = 86_400_000;

/** BullMQ with a priority for each job, or null where the peers are not installed. It knows no tenants. */
export function findBullMq(): Contestant | null {
  const library = loadBullMq();
  return library === null ? null : { name: 'BullMQ', open: (url) => BullMqQueue.open(library, url) };
}

class BullMqQueue implements BenchQueue {
  private readonly workers: BullMqWorker[] = [];

  private constructor(
    private readonly library: BullMq,
    private readonly connection: { readonly host: string; readonly port: number },
    private readonly queue: InstanceType<BullMq['Queue']>,
  ) {}

  static async open(library: BullMq, url: string): Promise<BullMqQueue> {
    const { hostname: host, port } = new URL(url);
    const connection = { host, port: Number(port) };
    const queue = new library.Queue('bench', { connection });
    await queue.waitUntilReady();
    return new BullMqQueue(library, connection, queue);
  }

  async add(task: BenchTask): Promise<void> {
    const { name, data, opts } = jobOf(task);
    await this.queue.add(name, data, opts);
  }

  async addAll(tasks: readonly BenchTask[]): Promise<void> {
    await this.queue.addBulk(tasks.map(jobOf));
  }

  async drain(slots: number): Promise<Drained> {
    const waiting = await this.queue.getPrioritizedCount();
    let startedMs = NaN;
    const worker = this.start(() => {
      if (Number.isNaN(startedMs)) startedMs = performance.now();
      return Promise.resolve();
    }, slots);
    return new Promise<Drained>((resolve) => {
      let count = 0;
      worker.on('completed', () => {
        count += 1;
        const ms = performance.now() - startedMs;
        if (count === waiting || ms > DRAIN_MS) resolve({ count, ms });
      });
    });
  }

  async serve(started: () => void): Promise<void> {
    const worker = this.start(() => {
      started();
      return Promise.resolve();
    }, 1);
    await worker.waitUntilReady();
  }

  async claim(): Promise<void> {
    const [worker = this.start(null, 1)] = this.workers;
    await worker.waitUntilReady();
    const job = await worker.getNextJob('token', { block: false });
    if (job === undefined) throw new Error('BullMQ claimed nothing.');
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
    await this.queue.close();
  }

  /** @param handle null: jobs are claimed one by one with `getNextJob` */
  private start(handle: (() => Promise<void>) | null, concurrency: number): BullMqWorker {
    const options = { connection: this.connection, concurrency, autorun: handle !== null };
    const worker = new this.library.Worker('bench', handle, options);
    this.workers.push(worker);
    return worker;
  }
}

function jobOf(task: BenchTask): Parameters<InstanceType<BullMq['Queue']>['addBulk']>[0][number] {
  const opts = {
    priority: 1 + PRIORITIES.indexOf(task.priority),
    removeOnComplete: true,
    ...(task.isLater === true ? { delay: DAY_MS } : {}),
  };
  return { name: 'task', data: { prompt: promptOf(task) }, opts };
}
