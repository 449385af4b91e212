import type { DiffSize, Outcome, Tokens } from '../../domain/task/attempt';
import { count } from './text';

/** Formats a count: `950`, `12.3k`, `1.2M`. */
export function formatCount(number: number): string {
  if (number < 1000) return String(number);
  const [size, letter] = number < 999_950 ? [1000, 'k'] : [1_000_000, 'M'];
  return `${(number / size).toFixed(1).replace(/\.0$/, '')}${letter}`;
}

/** Counts tokens without those read from the cache, which are by far the most and cost the least. */
export function countFresh({ input, output, cacheWrite }: Tokens): number {
  return input + output + cacheWrite;
}

/** Formats a diff: `+12 -3 in 2 files`. */
export function describeDiff({ files, insertions, deletions }: DiffSize): string {
  if (files === 0) return 'nothing';
  return `+${String(insertions)} -${String(deletions)} in ${count(files, 'file')}`;
}

/** Formats how many attempts ended how: `11 success, 3 error`. */
export function describeOutcomes(outcomes: Readonly<Partial<Record<Outcome, number>>>): string {
  return Object.entries(outcomes)
    .map(([outcome, times]) => `${String(times)} ${outcome}`)
    .join(', ');
}
