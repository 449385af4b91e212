import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { Move } from './moves/moves';
import type { SizeName } from './size';

/** A history that broke a promise once. */
export interface KeptHistory {
  readonly seed: number;
  readonly size: SizeName;
  /** Moves that are left of it. They are the same again when other moves become more frequent. */
  readonly moves: readonly Move[];
  /** The promise that it broke. */
  readonly why: string;
}

const FILE = path.resolve(import.meta.dirname, '../kept.json');

/** Returns the kept histories. */
export function readKept(): readonly KeptHistory[] {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as KeptHistory[]) : [];
}

/** Keeps a history, so that each run of the tests plays it again. */
export function keep(history: KeptHistory): void {
  const others = readKept().filter(({ seed }) => seed !== history.seed);
  writeFileSync(FILE, `${JSON.stringify([...others, history], null, 2)}\n`);
}
