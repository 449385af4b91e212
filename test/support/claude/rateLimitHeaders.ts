import type { Limit, LimitClaim } from './replies';

/** Fill levels of the account's two usage windows, 0 to 1. */
export interface Usage {
  readonly fiveHour: number;
  readonly sevenDay: number;
}

type Headers = Record<string, string>;

const FIVE_HOUR_LEFT_SECONDS = 2 * 3600;
const SEVEN_DAY_LEFT_SECONDS = 3 * 86_400;

/** The window of one model family, as its headers abbreviate it. */
const MODEL_WINDOWS: Partial<Record<LimitClaim, string>> = {
  seven_day_opus: '7d_opus',
  seven_day_sonnet: '7d_sonnet',
  seven_day_overage_included: '7d_oi',
};

/**
 * The `anthropic-ratelimit-unified-*` headers that the API sends to subscribers with every answer: fill levels as
 * fractions, resets in epoch seconds. With `full`, those of an account at that limit.
 */
export function rateLimitHeaders(nowMs: number, usage: Usage, full?: Limit): Headers {
  const now = Math.floor(nowMs / 1000);
  const claim = full?.kind ?? 'five_hour';
  const resetOf = (window: LimitClaim, otherwiseInSeconds: number): string | undefined => {
    if (full?.kind !== window) return String(now + otherwiseInSeconds);
    return full.resetInSeconds === null ? undefined : String(now + full.resetInSeconds);
  };
  const headers: Record<string, string | undefined> = {
    status: full === undefined ? 'allowed' : 'rejected',
    reset: resetOf(claim, FIVE_HOUR_LEFT_SECONDS),
    'representative-claim': claim,
    'fallback-percentage': '0.5',
    ...windowHeaders(
      '5h',
      full?.kind === 'five_hour',
      usage.fiveHour,
      resetOf('five_hour', FIVE_HOUR_LEFT_SECONDS),
    ),
    ...windowHeaders(
      '7d',
      full?.kind === 'seven_day',
      usage.sevenDay,
      resetOf('seven_day', SEVEN_DAY_LEFT_SECONDS),
    ),
    'overage-status': 'rejected',
    'overage-disabled-reason': full?.overageDisabledReason ?? 'org_level_disabled',
  };
  const modelWindow = MODEL_WINDOWS[claim];
  if (modelWindow !== undefined) {
    Object.assign(headers, windowHeaders(modelWindow, true, 1, resetOf(claim, SEVEN_DAY_LEFT_SECONDS)));
  }
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[`anthropic-ratelimit-unified-${name}`, value]],
    ),
  );
}

function windowHeaders(
  name: string,
  isFull: boolean,
  utilization: number,
  reset: string | undefined,
): Record<string, string | undefined> {
  return {
    [`${name}-status`]: isFull ? 'rejected' : 'allowed',
    [`${name}-reset`]: reset,
    [`${name}-utilization`]: String(isFull ? 1 : utilization),
  };
}
