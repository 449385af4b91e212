import type { DiffSize, Tokens } from '../../domain/task/attempt';
import { count } from './text';

/** `950`, `12.3k`, `1.2M`. */
export function formatCount(number: number): string {
  if (number < 1000) return String(number);
  const [size, letter] = number < 999_950 ? [1000, 'k'] : [1_000_000, 'M'];
  return `${(number / size).toFixed(1).replace(/\.0$/, '')}${letter}`;
}

/** All but what came from the cache, which is most of them by far and costs the least. */
export function countFresh({ input, output, cacheWrite }: Tokens): number {
  return input + output + cacheWrite;
}

/** `+12 -3 in 2 files`. */
export function describeDiff({ files, insertions, deletions }: DiffSize): string {
  if (files === 0) return 'nothing';
  return `+${String(insertions)} -${String(deletions)} in ${count(files, 'file')}`;
}
