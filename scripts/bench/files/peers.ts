import { createRequire } from 'node:module';
import * as path from 'node:path';

/** What is used of better-sqlite3. */
export interface SqliteDatabase {
  pragma(text: string): unknown;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  transaction<T>(work: () => T): () => T;
  close(): void;
}

/** A prepared statement. */
export interface SqliteStatement {
  run(...values: readonly unknown[]): unknown;
  get(...values: readonly unknown[]): unknown;
}

type OpenSqlite = new (file: string) => SqliteDatabase;
type Stringify = (records: readonly object[], options: { readonly header: boolean }) => string;

const require = createRequire(
  path.join(
    process.env['BENCH_PEERS'] ?? path.join(process.cwd(), 'scripts', 'bench', 'peers'),
    'package.json',
  ),
);

/** better-sqlite3, or null where the peers are not installed. */
export function loadSqlite(): OpenSqlite | null {
  return load('better-sqlite3') as OpenSqlite | null;
}

/** csv-stringify, or null where the peers are not installed. */
export function loadStringify(): Stringify | null {
  const loaded = load('csv-stringify/sync') as { readonly stringify: Stringify } | null;
  return loaded === null ? null : loaded.stringify;
}

function load(name: string): unknown {
  try {
    return require(name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}
