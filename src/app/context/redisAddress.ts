import { readFileSync, statSync } from 'node:fs';
import { Problem } from '../../domain/problem';
import { hasCode, isOfOtherUser } from '../../platform/files/files';
import { REDIS_CA_FILE, REDIS_PASSWORD, REDIS_PASSWORD_FILE } from '../../platform/processes/environment';
import { t } from '../../platform/text/translate';
import type { RedisServer } from '../../queue/redisServer';

/** Queue in Redis: where it is, without the password. */
export interface RedisAddress {
  readonly server: Omit<RedisServer, 'password'>;
  /** Name of the queue. */
  readonly queue: string;
  /** As it was given. */
  readonly url: string;
  /** Address for messages, and as the identity of the queue: the same however it was written. */
  readonly name: string;
}

const EXAMPLE = 'rediss://user@redis.example:6379/0?queue=team';
const DEFAULT_PORT = 6379;
const DEFAULT_QUEUE = 'default';
const PASSWORD_ADVICE = t(
  'Put the password into the variable {0}, or into a file of mode 0600 that {1} names.',
  REDIS_PASSWORD,
  REDIS_PASSWORD_FILE,
);

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses the address of a queue in Redis. @throws Problem `usage` */
export function parseRedisAddress(text: string): RedisAddress {
  const url = readUrl(text);
  const username = url === null ? null : decodeUser(url.username);
  if (url === null || username === null)
    throw new Problem(
      'usage',
      t('{0} is not an address of Redis. Write it like {1}.', JSON.stringify(hidePassword(text)), EXAMPLE),
    );
  if (url.password !== '') {
    throw new Problem(
      'usage',
      t(
        'The address of Redis has a password in it, which other users of this machine can see. {0}',
        PASSWORD_ADVICE,
      ),
    );
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const db = readDatabase(url.pathname, text);
  const queue = url.searchParams.get('queue') ?? DEFAULT_QUEUE;
  if (!/^[\w.-]{1,64}$/.test(queue))
    throw new Problem(
      'usage',
      t(
        'The queue name {0} has other characters than letters, digits, ".", "_" and "-".',
        JSON.stringify(queue),
      ),
    );
  const isEncrypted = url.protocol === 'rediss:';
  return {
    server: {
      ...{ host, port, db },
      ...(username === '' ? {} : { username }),
      ...(isEncrypted ? { tls: {} } : {}),
    },
    queue,
    url: text,
    name: `${url.protocol}//${url.hostname}:${String(port)}/${String(db)}?queue=${queue}`,
  };
}

/** Returns the address as a URL; null: it is none of Redis. */
function readUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '' ? url : null;
}

/** Returns the name of a user without escapes; null: one of them is wrong. */
function decodeUser(name: string): string | null {
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}

/** Parts of an address, as a worker's settings name them. */
export interface RedisParts {
  readonly host?: string;
  readonly port?: number;
  readonly db?: number;
  readonly tls?: boolean;
  readonly username?: string;
  readonly queue?: string;
}

/** Composes an address from its parts. */
export function composeRedisAddress(parts: RedisParts): string {
  const {
    host = 'localhost',
    port = DEFAULT_PORT,
    db = 0,
    tls = false,
    username,
    queue = DEFAULT_QUEUE,
  } = parts;
  const user = username === undefined ? '' : `${encodeURIComponent(username)}@`;
  const place = host.includes(':') ? `[${host}]` : host;
  return `${tls ? 'rediss' : 'redis'}://${user}${place}:${String(port)}/${String(db)}?queue=${encodeURIComponent(queue)}`;
}

function readDatabase(path: string, text: string): number {
  if (path === '' || path === '/') return 0;
  if (/^\/\d{1,4}$/.test(path)) return Number(path.slice(1));
  throw new Problem(
    'usage',
    t(
      '{0} does not end with the number of a database. Write it like {1}.',
      JSON.stringify(hidePassword(text)),
      EXAMPLE,
    ),
  );
}

/** Hides all up to the last `@`: a password that should have escapes may contain any character. */
function hidePassword(text: string): string {
  return text.replace(/\/\/.*@/s, '//…@');
}

/**
 * Returns the server with its password and certificates from the environment.
 * @param allowsPlain whether a connection to another machine may go without encryption and password
 * @throws Problem `usage` if a file cannot be used; `redis-refused` for a plain connection to another machine
 */
export function completeServer(
  { server }: RedisAddress,
  env: Environment,
  allowsPlain: boolean,
): RedisServer {
  const password = readPassword(env);
  const caFile = env[REDIS_CA_FILE] ?? '';
  const tls =
    server.tls === undefined || caFile === '' ? server.tls : { ca: readText(caFile, REDIS_CA_FILE) };
  if (!allowsPlain && !isLoopback(server.host) && (tls === undefined || password === undefined)) {
    const missing =
      tls === undefined
        ? t(
            'The connection to Redis at {0} is not encrypted: write rediss:// instead of redis://.',
            server.host,
          )
        : t('The connection to Redis at {0} has no password. {1}', server.host, PASSWORD_ADVICE);
    throw new Problem(
      'redis-refused',
      t(
        '{0} Who can read or write the queue can read your prompts, and decide what runs after you approve it.',
        missing,
      ),
    );
  }
  return {
    ...server,
    ...(tls === undefined ? {} : { tls }),
    ...(password === undefined ? {} : { password }),
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function readPassword(env: Environment): string | undefined {
  const given = env[REDIS_PASSWORD] ?? '';
  if (given !== '') return given;
  const file = env[REDIS_PASSWORD_FILE] ?? '';
  if (file === '') return undefined;
  const text = readText(file, REDIS_PASSWORD_FILE);
  const stat = statSync(file);
  if (isOfOtherUser(stat) || (stat.mode & 0o077) !== 0)
    throw new Problem(
      'usage',
      t('{0} ({1}) can be read by others. Run "chmod 600 {0}".', file, REDIS_PASSWORD_FILE),
    );
  return text.replace(/\r?\n$/, '');
}

function readText(file: string, variable: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR')) throw error;
    throw new Problem('usage', t('{0} ({1}) cannot be read.', file, variable), { cause: error });
  }
}
