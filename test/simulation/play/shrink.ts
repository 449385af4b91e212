import type { Program } from '../machine/program';
import type { Exports } from '../program/host';
import { playHistory, type Result } from './history';

/** Longest time in ms for which a history is shrunk: one that runs in circles takes long each time. */
const LONGEST_MS = 3 * 60_000;

/**
 * Leaves out moves of a history that breaks a promise, as long as it still breaks the same one. Returns the smallest
 * that was found in time.
 */
export async function shrinkHistory(program: Program<Exports>, failed: Result): Promise<Result> {
  const startedAt = performance.now();
  const isLate = (): boolean => performance.now() - startedAt > LONGEST_MS;
  let smallest = failed;
  for (
    let part = Math.ceil(failed.moves.length / 2);
    part >= 1;
    part = part === 1 ? 0 : Math.ceil(part / 2)
  ) {
    for (let from = 0; from < smallest.moves.length && !isLate();) {
      const moves = smallest.moves.toSpliced(from, part);
      const smaller = await playHistory(program, failed.seed, { size: failed.size, moves });
      if (smaller.violation?.promise === failed.violation?.promise) smallest = smaller;
      else from += part;
    }
  }
  return smallest;
}
