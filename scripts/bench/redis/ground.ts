import type { BenchQueue, Contestant } from './contestant';
import type { RedisMeter } from './redisMeter';

/** A Redis on which contestants take turns. */
export interface Ground {
  /** Address for the contestants. */
  readonly url: string;
  readonly meter: RedisMeter;
}

/** Opens a queue on the emptied Redis, and closes it afterwards. */
export async function withQueue<T>(
  { url, meter }: Ground,
  contestant: Contestant,
  work: (queue: BenchQueue) => Promise<T>,
): Promise<T> {
  await meter.empty();
  const queue = await contestant.open(url);
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}
