import { isProblem } from '../../domain/problem';
import { systemClock } from '../../platform/clock';
import type { RedisServer } from '../redisServer';
import { RedisConnection } from './connection';
import type { RedisKeys } from './keys';

/** Longest wait for news in one call, in ms. The connection notices within this that it is dead. */
const WAIT_MS = 2_000;
/** Delay before a lost connection is made again, in ms: twice as long after each failure, up to the longest. */
const AGAIN_MS = 250;
const LONGEST_AGAIN_MS = 2_000;

/**
 * Calls back after each entry that any process adds to the log, when the connection is lost, after each vain attempt to
 * make it again, and when it is made, until the signal is aborted.
 */
export function watchLog(
  server: RedisServer,
  keys: RedisKeys,
  changed: () => void,
  signal: AbortSignal,
): void {
  void (async () => {
    for (let failures = 0; ; failures += 1) {
      if (await watchOnce(server, keys, changed, signal)) failures = 0;
      if (signal.aborted) return;
      changed();
      await systemClock.sleep(Math.min(AGAIN_MS * 2 ** failures, LONGEST_AGAIN_MS), signal);
    }
  })();
}

/** Watches until the connection is lost, or the signal is aborted. Returns whether it worked for a while. */
async function watchOnce(
  server: RedisServer,
  { log, head }: RedisKeys,
  changed: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  let connection: RedisConnection | null = null;
  let hasWorked = false;
  const end = (): void => connection?.close();
  try {
    connection = await RedisConnection.open(server);
    if (signal.aborted) return hasWorked;
    signal.addEventListener('abort', end, { once: true });
    let seen: string | null = null;
    for (;;) {
      // Also after a wait without news: a log that started again has lower numbers.
      const newest = (await connection.call((redis) => redis.get(head))) ?? '0:';
      if (newest !== seen) changed();
      seen = newest;
      for (;;) {
        const next = await awaitNext(connection, log, seen);
        hasWorked = true;
        if (next === null) break;
        seen = next;
        changed();
      }
    }
  } catch (error) {
    // The calls of the queue report it.
    if (!isProblem(error)) throw error;
    return hasWorked;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Returns the name of the newest entry, once there is one after this head; null if there is none for a while. */
async function awaitNext(connection: RedisConnection, log: string, head: string): Promise<string | null> {
  const last = `${String(Number.parseInt(head, 10))}-0`;
  const found = await connection.call((redis) =>
    redis.xread('COUNT', 100, 'BLOCK', WAIT_MS, 'STREAMS', log, last),
  );
  const [id, texts] = found?.[0]?.[1].at(-1) ?? [];
  return id === undefined ? null : `${String(Number.parseInt(id, 10))}:${texts?.[1] ?? ''}`;
}
