import { LIMIT_KINDS, saneReset } from '../domain/limits';
import type { LimitKind } from '../domain/limits';
import type { EpochMs } from '../domain/epoch';
import type { Finding } from './runFacts';
import { find } from './failure';
import type { Failure } from './failure';
import { isTransientText, readBlockKind, readLimitKind } from './limitTexts';
import type { RateLimitInfo } from './message';
import { parseReset } from './resetTime';

/** The account's usage limit, or null. */
export function findLimit(failure: Failure): Finding | null {
  const info = findRejection(failure);
  const byText = readLimitKind(failure.text);
  const isNamed = failure.signal.apiError === 'usage_limit_reached';
  if (!isNamed && ((info ?? byText) === undefined || isOtherTrouble(failure, info))) return null;
  const resetAt = findReset(failure, info);
  // A cap on spending without a reset does not end by itself.
  if (resetAt === null && info === undefined && readBlockKind(failure.text) === 'spend-limit') return null;
  const kind = LIMIT_KINDS.find((known) => known === info?.rateLimitType) ?? byText ?? 'unknown';
  // A name that is not known yet is kept as the reason, so that the history shows what the account said.
  const reason = info?.rateLimitType ?? kind;
  return find(failure, 'limit', reason, { kind, resetAt, message: failure.message, ...modelOf(kind) });
}

/**
 * The account's refusal. Only `status` counts, and only with a `rateLimitType`: a plain throttle says `rejected` too,
 * and `overageStatus` is `rejected` in every run of an account without credits.
 */
function findRejection({ facts, signal }: Failure): RateLimitInfo | undefined {
  return [facts.stream.rateLimit, signal.rateLimit].find(
    (info) => info?.status === 'rejected' && info.rateLimitType !== undefined,
  );
}

/** A refusal earlier in the run does not explain an end for another reason. */
function isOtherTrouble({ signal, text }: Failure, info: RateLimitInfo | undefined): boolean {
  if (signal.status !== undefined && signal.status !== 429) return true;
  if (info !== undefined) return false;
  return isTransientText(text) || signal.error === 'billing_error';
}

function findReset({ facts, signal, text }: Failure, info: RateLimitInfo | undefined): EpochMs | null {
  const told = [info?.resetsAtS, signal.rateLimit?.resetsAtS];
  for (const seconds of told) {
    const at = saneReset(seconds === undefined ? null : seconds * 1000, facts.now);
    if (at !== null) return at;
  }
  return saneReset(parseReset(text, facts.now, facts.timeZone), facts.now);
}

const MODELS: Partial<Record<LimitKind, string>> = {
  seven_day_opus: 'opus',
  seven_day_sonnet: 'sonnet',
  seven_day_overage_included: 'fable',
};

function modelOf(kind: LimitKind): { readonly model?: string } {
  const model = MODELS[kind];
  return model === undefined ? {} : { model };
}
