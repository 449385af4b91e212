import type { Random } from '../machine/random';

type Range = readonly [least: number, most: number];

/** Extent of a history. */
export interface Size {
  readonly rows: Range;
  readonly minutes: Range;
  readonly moves: Range;
  /** Number of the moves of a kind that only some histories have. */
  readonly someMoves: Range;
  /** Highest id, and number of the last row, that moves aim at when they do not choose by state. */
  readonly mostId: number;
}

/** Sizes by name. */
export const SIZES = {
  small: { rows: [1, 3], minutes: [1, 3], moves: [1, 4], someMoves: [1, 3], mostId: 4 },
  medium: { rows: [2, 5], minutes: [2, 8], moves: [3, 12], someMoves: [2, 6], mostId: 6 },
  large: { rows: [3, 8], minutes: [2, 16], moves: [6, 30], someMoves: [3, 9], mostId: 7 },
} as const satisfies Readonly<Record<string, Size>>;
export type SizeName = keyof typeof SIZES;

/**
 * Draws a size. Most histories are small: many of them take as long as a large one, they reach as much, and little in
 * them excuses a mistake. Some mistakes need a long evening.
 */
export function drawSize(random: Random): SizeName {
  return random.weighted<SizeName>([
    [20, 'small'],
    [5, 'medium'],
    [1, 'large'],
  ]);
}
