import { isIP } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';
import { isProblem, Problem } from '../../domain/problem';
import type { RedisServer } from '../redisServer';
import { REDIS_CA_FILE } from '../../platform/processes/environment';
import { isObject } from '../../platform/text/shapes';
import { t } from '../../platform/text/translate';

/** Longest wait for an answer, in ms. */
const ANSWER_MS = 5_000;
/** Longest wait of a call while a lost connection is made again, in ms. */
const RECONNECT_MS = 2_000;
/** Longest pause before a lost connection is made again, in ms: a call that waits is carried out then. */
const LONGEST_PAUSE_MS = 1_000;

/** Errors of Redis, by their first word, that end by themselves or when its owner acts. The call can be repeated then. */
const PASSING: readonly string[] = [
  'LOADING',
  'BUSY',
  'OOM',
  'MISCONF',
  'READONLY',
  'MASTERDOWN',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'NOREPLICAS',
];

/** Returns the server's name for messages. */
export function nameServer({ host, port }: Pick<RedisServer, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}

/** Connection to a Redis server. */
export class RedisConnection {
  private readonly redis: Redis;
  private readonly digests = new Map<string, string>();
  private lastError: Error | null = null;
  /** Redis's refusal of the database, if the open connection has it: calls would be carried out on another one. */
  private selectError: Error | null = null;

  private constructor(
    private readonly server: RedisServer,
    ended?: () => void,
  ) {
    this.redis = new Redis(
      ended === undefined ? optionsFor(server) : { ...optionsFor(server), retryStrategy: null },
    );
    if (ended !== undefined) this.redis.on('end', ended);
    // Each call reports its own failure, with the cause of the last lost connection.
    this.redis.on('error', (error: Error) => {
      this.lastError = error;
      if (isOfSelect(error)) this.selectError = error;
    });
    this.redis.on('connect', () => {
      this.selectError = null;
    });
    this.redis.on('ready', () => {
      this.lastError = null;
    });
  }

  /**
   * Connects. A lost connection is made again, and a call meanwhile fails; with `ended` it is not made again, and `ended`
   * is called.
   * @throws Problem `redis-away`, `redis-refused`
   */
  static async open(server: RedisServer, ended?: () => void): Promise<RedisConnection> {
    const connection = new RedisConnection(server, ended);
    try {
      await connection.redis.connect();
      await connection.call((redis) => redis.ping());
      return connection;
    } catch (error) {
      connection.close();
      throw connection.describe(error);
    }
  }

  /** Runs a script. @throws Problem `redis-away`: it may have run; `redis-refused` */
  run(script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.call(() => this.runLoaded(script, keys, args));
  }

  /** Runs a command. @throws Problem `redis-away`: it may have run; `redis-refused` */
  async call<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      await this.untilReady();
      this.refuseOtherDatabase();
      return await work(this.redis);
    } catch (error) {
      throw this.describe(error);
    }
  }

  /** Sets whether the open connection keeps the process from ending. */
  hold(isHeld: boolean): void {
    const { stream } = this.redis;
    if (isHeld) stream.ref();
    else stream.unref();
  }

  close(): void {
    this.redis.disconnect();
  }

  private describe(error: unknown): unknown {
    if (error instanceof Problem) return error;
    return describeFailure(codeOf(error) === null ? (this.lastError ?? error) : error, this.server);
  }

  /** Lets the next call try again: what refused the database may have passed. */
  private refuseOtherDatabase(): void {
    const error = this.selectError;
    if (error === null) return;
    this.redis.disconnect(true);
    if (isPassing(codeOf(error))) throw error;
    const { db } = this.server;
    throw new Problem(
      'redis-refused',
      t(
        'Redis at {0} does not open database {1} ({2}). Correct the number in the address, or let the user run SELECT.',
        nameServer(this.server),
        db,
        error.message,
      ),
      { cause: error },
    );
  }

  /** Runs a script by its digest. Loads it where Redis does not have it, as after a restart. */
  private async runLoaded(
    script: string,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    const digest = this.digests.get(script) ?? (await this.load(script));
    // One list: an archive has more lines than a function takes arguments.
    const call = [digest, keys.length, ...keys, ...args];
    try {
      return await this.redis.call('EVALSHA', call);
    } catch (error) {
      if (codeOf(error) !== 'NOSCRIPT') throw error;
      await this.load(script);
      return this.redis.call('EVALSHA', call);
    }
  }

  private async load(script: string): Promise<string> {
    const digest = String(await this.redis.script('LOAD', script));
    this.digests.set(script, digest);
    return digest;
  }

  private async untilReady(): Promise<void> {
    // Until the client notices that the connection has ended, only its stream shows it.
    if (this.redis.status === 'ready' && this.redis.stream.writable) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.redis.off('ready', finish);
        resolve();
      };
      const timer = setTimeout(finish, RECONNECT_MS);
      this.redis.on('ready', finish);
    });
  }
}

function optionsFor({
  host,
  port,
  db,
  username,
  password,
  tls,
}: RedisServer): Omit<RedisOptions, 'replyMapping'> {
  return {
    ...{ host, port, db },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls: { ...(isIP(host) === 0 ? { servername: host } : {}), ...tls } }),
    connectionName: 'claude-queue',
    // Version 7.0 does not know the command.
    disableClientInfo: true,
    protocol: 2,
    lazyConnect: true,
    // A user with few rights may not ask whether the server has loaded its data. It answers so to each call.
    enableReadyCheck: false,
    // A call must not be carried out later, after its caller was informed that it failed.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    // A connection that is half open is made again, not waited for.
    socketTimeout: ANSWER_MS,
    retryStrategy: (times) => Math.min(25 * 2 ** times, LONGEST_PAUSE_MS),
  };
}

/** Returns the code of an error that Redis answered: its first word. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return null;
  return /^[A-Z]+/.exec(error.message)?.[0] ?? null;
}

/** Whether a call failed because Redis refused it: it was not carried out. */
export function isRefusal(error: unknown): boolean {
  return isProblem(error) && codeOf(error.cause) !== null;
}

/** Whether the connection was not made because of the server's certificate. */
function isOfCertificate(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return /CERT|UNABLE_TO_(GET_ISSUER|VERIFY)/.test(code);
}

/** Whether an error is the answer to the choice of the database. */
function isOfSelect(error: Error): boolean {
  if (codeOf(error) === null || !('command' in error)) return false;
  return isObject(error.command) && error.command['name'] === 'select';
}

function isPassing(code: string | null): boolean {
  return code !== null && PASSING.includes(code);
}

function describeFailure(error: unknown, server: RedisServer): unknown {
  if (!(error instanceof Error)) return error;
  const name = nameServer(server);
  const code = codeOf(error);
  if (isOfCertificate(error)) {
    const message = t(
      'The certificate of Redis at {0} is not accepted ({1}). Name the file of its authority in {2}, and use a host name that is in it.',
      ...[name, error.message, REDIS_CA_FILE],
    );
    return new Problem('redis-away', message, { cause: error });
  }
  if (code === null) {
    const message = t(
      'Redis at {0} does not answer ({1}). No task starts until it does.',
      name,
      error.message,
    );
    return new Problem('redis-away', message, { cause: error });
  }
  const passes = isPassing(code);
  const message = passes
    ? t('Redis at {0} refuses ({1}). No task starts until it accepts.', name, error.message)
    : t('Redis at {0} refuses ({1}). Check the user, the password and the rights.', name, error.message);
  return new Problem(passes ? 'redis-away' : 'redis-refused', message, { cause: error });
}
