import { isProblem } from '../../domain/problem';
import type { EpochMs } from '../../domain/time/epoch';
import type { GateText } from '../gateText';
import type { RedisServer } from '../redisServer';
import { isRefusal, nameServer, RedisConnection } from './connection';
import { READ, SWAP } from './scripts';
import { ServerTime } from './serverTime';
import { t } from '../../platform/text/translate';

/** Length to which a text is read, in bytes. No program of ours writes a longer one. */
const LONGEST = 4 * 1024 * 1024;

/** Time after its last use for which the connection stays open, in ms. */
const IDLE_MS = 60_000;

/**
 * A text under a key of Redis. Its connection is opened when it is used, and again after it was lost. Between two uses
 * it does not keep the process from ending, so nobody has to close it.
 */
export class RedisGateText implements GateText {
  readonly name: string;
  private readonly time = new ServerTime();
  private opening: Promise<RedisConnection> | null = null;
  private calls = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: RedisServer,
    private readonly key: string,
  ) {
    this.name = t('The key {0} of Redis at {1}', key, nameServer(server));
  }

  async read(): Promise<string | null> {
    const text = String(await this.run(READ, [LONGEST - 1]));
    return text === '' ? null : text;
  }

  async swap(expected: string | null, next: string): Promise<boolean> {
    try {
      return (await this.run(SWAP, [expected ?? '', next])) === 1;
    } catch (error) {
      if (!isProblem(error, 'redis-away') || isRefusal(error)) throw error;
      // Only the answer may have been lost.
      return (await this.read()) === next;
    }
  }

  now(): EpochMs {
    return this.time.now();
  }

  private async run(script: string, args: readonly (string | number)[]): Promise<unknown> {
    const opening = this.connect();
    const connection = await opening;
    this.calls += 1;
    connection.hold(true);
    clearTimeout(this.idle);
    try {
      const answer: unknown = await connection.run(script, [this.key], args);
      const [now, result] = Array.isArray(answer) ? (answer as unknown[]) : [];
      this.time.set(now);
      return result;
    } catch (error) {
      if (isProblem(error, 'redis-away')) this.drop(opening, connection);
      throw error;
    } finally {
      this.calls -= 1;
      if (this.calls === 0) this.rest(opening, connection);
    }
  }

  /** Returns the connection, which is opened if there is none. */
  private connect(): Promise<RedisConnection> {
    if (this.opening !== null) return this.opening;
    const forget = (): void => {
      if (this.opening === opening) this.opening = null;
    };
    const opening = RedisConnection.open(this.server, forget);
    opening.catch(forget);
    this.opening = opening;
    return opening;
  }

  private drop(opening: Promise<RedisConnection>, connection: RedisConnection): void {
    if (this.opening === opening) this.opening = null;
    connection.close();
  }

  /** No call waits for an answer: the process may end, and the connection closes after a while. */
  private rest(opening: Promise<RedisConnection>, connection: RedisConnection): void {
    connection.hold(false);
    this.idle = setTimeout(() => {
      this.drop(opening, connection);
    }, IDLE_MS).unref();
  }
}
