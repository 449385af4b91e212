import type { Claimed, Idle, TaskDraft, TaskQueue } from '../../../src/queue/taskQueue';
import { benchWant, claimNext, successOf } from '../files/queuePlace';
import {
  DRAIN_MS,
  promptOf,
  type BenchQueue,
  type BenchTask,
  type Contestant,
  type Drained,
} from './contestant';

/** Our own queue. @param open opens it on this Redis */
export function ownContestant(open: (url: string) => Promise<TaskQueue>): Contestant {
  return { name: 'claude-queue', open: async (url) => new OwnQueue(await open(url)) };
}

let opened = 0;

class OwnQueue implements BenchQueue {
  private readonly name = `bench-${process.pid}-${opened++}`;
  private readonly closing = new AbortController();
  private calls = 0;
  private serving: Promise<void> = Promise.resolve();

  constructor(private readonly queue: TaskQueue) {}

  async add(task: BenchTask): Promise<void> {
    await this.queue.add(draftOf(task), this.op());
  }

  async addAll(tasks: readonly BenchTask[]): Promise<void> {
    await this.queue.addAll(tasks.map(draftOf), this.op());
  }

  async drain(slots: number): Promise<Drained> {
    let startedMs = NaN;
    let count = 0;
    const runSlot = async (): Promise<void> => {
      let step: Claimed | Idle | undefined = await this.queue.claim(benchWant(), this.op());
      while (step?.kind === 'claimed') {
        if (Number.isNaN(startedMs)) startedMs = performance.now();
        const next = performance.now() - startedMs > DRAIN_MS ? undefined : benchWant();
        step = await this.queue.finish(step.claim, successOf(step), this.op(), next);
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: slots }, runSlot));
    return { count, ms: performance.now() - startedMs };
  }

  async serve(started: () => void): Promise<void> {
    const { signal } = this.closing;
    let changes = 0;
    let wake = (): void => undefined;
    const ring = (): void => {
      changes += 1;
      wake();
    };
    this.queue.watch(ring, signal);
    signal.addEventListener('abort', ring);
    const handleAll = async (): Promise<void> => {
      let step: Claimed | Idle | undefined = await this.queue.claim(benchWant(), this.op());
      while (step?.kind === 'claimed') {
        started();
        step = await this.queue.finish(step.claim, successOf(step), this.op(), benchWant());
      }
    };
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        const seen = changes;
        await handleAll();
        if (seen === changes) await new Promise<void>((resolve) => (wake = resolve));
      }
    };
    await handleAll();
    this.serving = run();
  }

  async claim(): Promise<void> {
    await claimNext(this.queue, this.op());
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.serving;
    await this.queue.close();
  }

  private op(): string {
    return `${this.name}-${this.calls++}`;
  }
}

function draftOf(task: BenchTask): TaskDraft {
  return {
    fields: {
      prompt: promptOf(task),
      priority: task.priority,
      user: task.tenant,
      // Two tasks never run in one folder at the same time.
      working_dir: `/place/${task.number}`,
      ...(task.isLater === true ? { scheduled_time: '2099-01-01 00:00' } : {}),
    },
  };
}
