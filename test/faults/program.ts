import { buildSync } from 'esbuild';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { start, type Ended, type Running } from '../support/machine/processes';
import type { TaskId } from '../../src/domain/task/task';
import type { Play } from './childPlays';
import type { UndoOrders } from './undoChild';
import type { RedisOrders } from './redis/redisChild';

let folder: string | null = null;

/** Programs beside this file that are children of the tests. */
/** The programs, by name. */
const PROGRAMS = { child: 'child.ts', redisChild: 'redis/redisChild.ts', undoChild: 'undoChild.ts' } as const;

type Program = keyof typeof PROGRAMS;

after('the program is gone', () => {
  if (folder !== null) rmSync(folder, { recursive: true });
});

/** The child program as one file: it starts in a tenth of the time. */
function program(name: Program): string {
  folder ??= mkdtempSync(path.join(tmpdir(), 'claude-task-queue-child-'));
  const outfile = path.join(folder, `${name}.cjs`);
  if (!existsSync(outfile)) {
    buildSync({
      entryPoints: [path.join(__dirname, PROGRAMS[name])],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
    });
  }
  return outfile;
}

export interface ChildOrders {
  readonly file: string;
  readonly name: string;
  readonly play: Play;
  readonly sign?: string;
  readonly at?: number;
  readonly act?: 'kill' | 'half' | 'freeze';
  readonly among?: readonly string[];
  readonly after?: string;
}

/**
 * Starts the child program with these orders.
 * @param through programs that start it in their turn, with the arguments before it
 */
export function startChild(orders: ChildOrders, ...through: readonly string[]): Running {
  return startProgram('child', orders, ...through);
}

/** Starts the child program for a queue in Redis. */
export function startRedisChild(orders: RedisOrders): Running {
  return startProgram('redisChild', orders);
}

/** Starts the child program that undoes what a task changed. */
export function startUndoChild(orders: UndoOrders): Running {
  return startProgram('undoChild', orders);
}

function startProgram(name: Program, orders: object, ...through: readonly string[]): Running {
  const words = [...through, process.execPath, program(name), JSON.stringify(orders)];
  const env = { PATH: process.env['PATH'] ?? '' };
  return start(through[0] ?? process.execPath, words.slice(1), { cwd: tmpdir(), env });
}

/** The ids that a child has printed after this word. */
export function idsAfter(word: string, { stdout }: Pick<Ended, 'stdout'>): TaskId[] {
  return [...stdout.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, id]) => Number(id));
}
