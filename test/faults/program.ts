import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { bundleProgram } from '../support/machine/bundledProgram';
import { start, type Ended, type Running } from '../support/machine/processes';
import type { TaskId } from '../../src/domain/task/task';
import type { Play } from './childPlays';
import type { UndoOrders } from './undoChild';
import type { RedisOrders } from './redis/redisChild';

/** The programs beside this file that are children of the tests, by name. */
const PROGRAMS = { child: 'child.ts', redisChild: 'redis/redisChild.ts', undoChild: 'undoChild.ts' } as const;

type Program = keyof typeof PROGRAMS;

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
  const program = bundleProgram(path.join(__dirname, PROGRAMS[name]));
  const words = [...through, process.execPath, program, JSON.stringify(orders)];
  const env = { PATH: process.env['PATH'] ?? '' };
  return start(through[0] ?? process.execPath, words.slice(1), { cwd: tmpdir(), env });
}

/** The ids that a child has printed after this word. */
export function idsAfter(word: string, { stdout }: Pick<Ended, 'stdout'>): TaskId[] {
  return [...stdout.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, id]) => Number(id));
}
