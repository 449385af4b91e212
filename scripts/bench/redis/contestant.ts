import { PRIORITIES, type Priority } from '../../../src/domain/task/priority';

/** A task to add: its prompt is long, its handler does nothing. */
export interface BenchTask {
  readonly number: number;
  readonly priority: Priority;
  readonly tenant: string;
  /** It is not due today. */
  readonly isLater?: true;
}

/** A queue under measurement. */
export interface BenchQueue {
  add(task: BenchTask): Promise<void>;
  /** In one call. */
  addAll(tasks: readonly BenchTask[]): Promise<void>;
  /** Handles waiting tasks in N slots, for two seconds at most. */
  drain(slots: number): Promise<Drained>;
  /** Handles what is added from now on in one slot, and calls back at each start, until the queue is closed. */
  serve(started: () => void): Promise<void>;
  /** Claims one task. */
  claim(): Promise<void>;
  close(): Promise<void>;
}

/** Tasks that were finished, and the time from the first start to the last end. */
export interface Drained {
  readonly count: number;
  readonly ms: number;
}

/** A queue library, or our own queue. */
export interface Contestant {
  readonly name: string;
  /** Opens a queue on this Redis; the same one for everybody since Redis was emptied. */
  open(url: string): Promise<BenchQueue>;
}

/** Longest measurement of a drain: what is slower is measured on fewer tasks. */
export const DRAIN_MS = 2_000;

/** Makes tasks of all priorities, and of N tenants in turn. */
export function makeTasks(count: number, tenants: number, more: Partial<BenchTask> = {}): BenchTask[] {
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    priority: PRIORITIES[index % PRIORITIES.length] ?? 'medium',
    tenant: `tenant-${index % tenants}`,
    ...more,
  }));
}

/** A prompt of 200 characters. */
export function promptOf({ number }: BenchTask): string {
  return `Part ${number}: write the tests of this part. `.padEnd(
    200,
    'Then run them, and fix what they show. ',
  );
}

/** Fills a queue in calls of a thousand tasks. */
export async function fill(queue: BenchQueue, tasks: readonly BenchTask[]): Promise<void> {
  for (let start = 0; start < tasks.length; start += 1_000)
    await queue.addAll(tasks.slice(start, start + 1_000));
}
