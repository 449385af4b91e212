import { isProblem } from '../../domain/problem';
import type { ServerFacts } from '../sharedQueue';
import type { RedisConnection } from './connection';

/** Asks the server about itself. A user with few rights may not: then little is known. */
export async function readServerFacts(connection: RedisConnection): Promise<ServerFacts> {
  const info = parseInfo((await ifAllowed(connection.call((redis) => redis.info()))) ?? '');
  const configured = await ifAllowed(
    connection.call<string[]>(async (redis) => listOf(await redis.config('GET', 'appendfsync', 'save'))),
  );
  const config = configured === null ? null : pairUp(configured);
  const version = info.get('redis_version') ?? null;
  const product = info.get('server_name') ?? 'redis';
  const name = product === 'redis' ? 'Redis' : product;
  const time = await ifAllowed(connection.call((redis) => redis.time()));
  return {
    now: time === null ? null : Number(time[0]) * 1000 + Math.floor(Number(time[1]) / 1000),
    name: `${name} ${info.get(`${product}_version`) ?? version ?? ''}`.trim(),
    version,
    evictionPolicy: info.get('maxmemory_policy') ?? null,
    persistence: findPersistence(info.get('aof_enabled'), config),
    refuses: findRefusal(info),
  };
}

/** Returns why a server refuses changes, by its INFO. One that may remove keys makes room instead. */
function findRefusal(info: ReadonlyMap<string, string>): ServerFacts['refuses'] {
  if (info.get('role') === 'slave' && info.get('slave_read_only') !== '0') return 'replica';
  const most = Number(info.get('maxmemory') ?? 0);
  const isFull = most > 0 && Number(info.get('used_memory') ?? 0) >= most;
  if (isFull && info.get('maxmemory_policy') === 'noeviction') return 'full';
  const writes = ['aof_last_write_status', 'rdb_last_bgsave_status'];
  return writes.some((name) => info.get(name) === 'err') ? 'disk' : null;
}

const FSYNC: Readonly<Record<string, ServerFacts['persistence']>> = {
  always: 'always',
  everysec: 'everysec',
  no: 'by-the-system',
};

function findPersistence(
  aof: string | undefined,
  config: ReadonlyMap<string, string> | null,
): ServerFacts['persistence'] {
  if (aof === undefined) return null;
  if (aof === '1') return config === null ? null : (FSYNC[config.get('appendfsync') ?? ''] ?? null);
  if (config === null) return null;
  return config.get('save') === '' ? 'never' : 'snapshots';
}

/** Parses the answer of INFO: lines of `name:value`. */
function parseInfo(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\r\n').flatMap((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );
}

function pairUp(flat: readonly string[]): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (let index = 0; index + 1 < flat.length; index += 2)
    pairs.set(flat[index] ?? '', flat[index + 1] ?? '');
  return pairs;
}

function listOf(answer: unknown): string[] {
  return Array.isArray(answer) ? answer.map(String) : [];
}

async function ifAllowed<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isProblem(error, 'redis-refused')) return null;
    throw error;
  }
}
