import type { EpochMs } from './task';

/** What closes an account's gate. The first group ends by itself, the second when a person has acted. */
export const LIMIT_KINDS = [
  'five_hour',
  'seven_day',
  'seven_day_opus',
  'seven_day_sonnet',
  'seven_day_overage_included',
  'overage',
  'unknown',
] as const;
export const BLOCK_KINDS = ['sign-in', 'billing', 'spend-limit'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];
export type BlockKind = (typeof BLOCK_KINDS)[number];
export type GateKind = LimitKind | BlockKind;

/** A closed gate as one run met it. */
export interface LimitSignal {
  readonly kind: GateKind;
  /** The model family that it covers (`opus`, `sonnet`, `fable`); absent: all models. */
  readonly model?: string;
  /** When the account says that it opens again; null where it did not say. */
  readonly resetAt: EpochMs | null;
  /** As Claude Code said it. */
  readonly message: string;
}

/** How full a window of the account is. */
export interface WindowUsage {
  readonly window: 'five_hour' | 'seven_day';
  /** 0 to 1. */
  readonly utilization: number;
  readonly resetAt: EpochMs;
}
