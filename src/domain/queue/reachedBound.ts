import type { EpochMs } from '../time/epoch';

/** A reached bound of a worker's work. The presentation layer words it. */
export type ReachedBound =
  | { readonly kind: 'until'; readonly at: EpochMs }
  | { readonly kind: 'tasks'; readonly count: number }
  | { readonly kind: 'cost'; readonly maxUsd: number; readonly usd: number }
  | { readonly kind: 'usage-windows'; readonly count: number };
