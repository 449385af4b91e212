import { isProblem } from '../../domain/problem';
import { systemClock } from '../../platform/clock';
import type { RedisServer } from '../redisServer';
import { RedisConnection } from './connection';
import type { RedisKeys } from './keys';

/** Longest wait for news in one call, in ms. The connection notices within this that it is dead. */
const WAIT_MS = 2_000;
/** Delay before a lost connection is made again, in ms. */
const AGAIN_MS = 500;

/**
 * Calls back after each entry that any process adds to the log, and after each time that the connection was lost, until
 * the signal is aborted.
 */
export function watchLog(
  server: RedisServer,
  keys: RedisKeys,
  changed: () => void,
  signal: AbortSignal,
): void {
  void (async () => {
    for (;;) {
      await watchOnce(server, keys, changed, signal);
      await systemClock.sleep(AGAIN_MS, signal);
      if (signal.aborted) return;
      changed();
    }
  })();
}

/** Watches until the connection is lost, or the signal is aborted. */
async function watchOnce(
  server: RedisServer,
  { log, head }: RedisKeys,
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  let connection: RedisConnection | null = null;
  const end = (): void => connection?.close();
  try {
    connection = await RedisConnection.open(server);
    if (signal.aborted) return;
    signal.addEventListener('abort', end, { once: true });
    let last = `${String(Number.parseInt((await connection.call((redis) => redis.get(head))) ?? '0', 10))}-0`;
    changed();
    for (;;) {
      const found = await connection.call((redis) =>
        redis.xread('COUNT', 100, 'BLOCK', WAIT_MS, 'STREAMS', log, last),
      );
      const entries = found?.[0]?.[1] ?? [];
      last = entries.at(-1)?.[0] ?? last;
      if (entries.length > 0) changed();
    }
  } catch (error) {
    // The calls of the queue report it.
    if (!isProblem(error)) throw error;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
