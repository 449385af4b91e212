/** Number of times that came true by the time that 80 of 100 simulations gave. */
export interface Held {
  readonly held: number;
  readonly of: number;
  /** Median difference of what happened from the time that half of the simulations gave, in ms; null: nothing happened. */
  readonly offMs: number | null;
}

/**
 * Comparison of a period with its forecast. Unknown: fewer than ten attempts had ended before (`few-attempts`), no task that
 * waited at its start is left to compare (`no-task`), or the comparison would take too long (`too-many`).
 */
export type ForecastAccuracy =
  | { readonly kind: 'known'; readonly start: Held; readonly end: Held }
  | { readonly kind: 'unknown'; readonly why: 'few-attempts' | 'no-task' }
  | { readonly kind: 'unknown'; readonly why: 'too-many'; readonly tasks: number };
