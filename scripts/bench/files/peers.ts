import { createRequire } from 'node:module';
import * as path from 'node:path';

/** The part of better-sqlite3 that is used. */
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

/** The part of BullMQ that is used. */
export interface BullMq {
  readonly Queue: new (name: string, options: BullMqOptions) => BullMqQueue;
  readonly Worker: new (
    name: string,
    handle: (() => Promise<void>) | null,
    options: BullMqOptions & { readonly concurrency: number; readonly autorun: boolean },
  ) => BullMqWorker;
}

interface BullMqOptions {
  readonly connection: { readonly host: string; readonly port: number };
}

interface BullMqJob {
  readonly name: string;
  readonly data: object;
  readonly opts: { readonly priority: number; readonly removeOnComplete: boolean; readonly delay?: number };
}

interface BullMqQueue {
  waitUntilReady(): Promise<unknown>;
  add(name: string, data: object, options: BullMqJob['opts']): Promise<unknown>;
  addBulk(jobs: BullMqJob[]): Promise<unknown>;
  getPrioritizedCount(): Promise<number>;
  close(): Promise<void>;
}

/** A worker of BullMQ. */
export interface BullMqWorker {
  waitUntilReady(): Promise<unknown>;
  on(event: 'completed', listener: () => void): unknown;
  getNextJob(token: string, options: { readonly block: boolean }): Promise<unknown>;
  close(): Promise<void>;
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

/** BullMQ, or null where the peers are not installed. */
export function loadBullMq(): BullMq | null {
  return load('bullmq') as BullMq | null;
}

function load(name: string): unknown {
  try {
    return require(name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}
