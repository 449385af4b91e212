import { isOfFamily, LIMIT_KINDS, saneReset } from '../domain/limits';
import type { LimitKind } from '../domain/limits';
import type { EpochMs } from '../domain/epoch';
import type { Finding } from './runFacts';
import { find } from './failure';
import type { Failure } from './failure';
import { isTransientText } from './failureTexts';
import { readBlockKind, readFamily, readLimitKind } from './limitTexts';
import { compact } from './json';
import type { RateLimitInfo } from './message';
import { parseReset } from './resetTime';

/** The account's usage limit, or null. */
export function findLimit(failure: Failure): Finding | null {
  const info = findRejection(failure);
  if (!isLimit(failure, info) || (info !== undefined && isSwitchedOff(info))) return null;
  const kind = findKind(failure, info);
  const resetAt = findReset(failure, info);
  if (resetAt === null && isCap(failure, info)) return null;
  // A name that is not known yet is kept as the reason, so that the history shows what the account said.
  const reason = info?.rateLimitType ?? kind;
  const model = MODELS[kind] ?? (kind === 'unknown' ? findFamily(failure, info) : undefined);
  return find(failure, 'limit', reason, { kind, resetAt, message: failure.message, ...compact({ model }) });
}

function isLimit(failure: Failure, info: RateLimitInfo | undefined): boolean {
  if (isNamed(failure)) return true;
  return (info !== undefined || readLimitKind(failure.text) !== undefined) && !isOtherTrouble(failure, info);
}

function findKind({ text }: Failure, info: RateLimitInfo | undefined): LimitKind {
  const named = LIMIT_KINDS.find((known) => known === info?.rateLimitType);
  return named ?? readLimitKind(text) ?? 'unknown';
}

/** A cap on spending does not end by itself where no reset is told; a window does, whatever is said of credits. */
function isCap({ text }: Failure, info: RateLimitInfo | undefined): boolean {
  const isWindow = info !== undefined && info.rateLimitType !== 'overage';
  return !isWindow && readBlockKind(text) === 'spend-limit';
}

/** The family that a limit which is not known yet is named after, where the run's own model is one of it. */
function findFamily({ facts, text }: Failure, info: RateLimitInfo | undefined): string | undefined {
  const family = readFamily(info?.rateLimitType ?? text);
  const { model } = facts.stream;
  return family === undefined || (model !== undefined && !isOfFamily(model, family)) ? undefined : family;
}

/** The failure has a limit's name: `usage_limit_reached`, or one like it that is not known yet. */
function isNamed({ signal: { apiError, apiErrorType } }: Failure): boolean {
  return [apiError, apiErrorType].some((name) => name?.endsWith('_limit_reached') === true);
}

/** The owner of the account does not let it work like this at all: the event's reset means nothing then. */
export function isSwitchedOff({ rateLimitType, overageDisabledReason }: RateLimitInfo): boolean {
  return rateLimitType === 'overage' && overageDisabledReason === 'org_service_level_disabled';
}

/**
 * The account's refusal. Only `status` counts, and only with a `rateLimitType`: a plain throttle says `rejected` too,
 * and `overageStatus` is `rejected` in every run of an account without credits.
 */
export function findRejection({ facts, signal }: Failure): RateLimitInfo | undefined {
  return [facts.stream.rateLimit, signal.rateLimit].find(
    (info) => info?.status === 'rejected' && info.rateLimitType !== undefined,
  );
}

/** What the failure of a limit may be called; it is `unknown` to some versions. */
const LIMIT_ERRORS: readonly (string | undefined)[] = ['rate_limit', 'unknown', undefined];

/** A refusal earlier in the run does not explain an end for another reason. */
function isOtherTrouble({ signal, text }: Failure, info: RateLimitInfo | undefined): boolean {
  const { status, error, apiError } = signal;
  if (status !== undefined && status !== 429) return true;
  if (apiError !== undefined || !LIMIT_ERRORS.includes(error)) return true;
  return info === undefined && isTransientText(text);
}

function findReset(
  { facts: { now, timeZone }, signal, text }: Failure,
  info?: RateLimitInfo,
): EpochMs | null {
  const own = info?.rateLimitType === undefined ? undefined : info.windows[info.rateLimitType];
  const told = [info?.resetsAtS, signal.rateLimit?.resetsAtS, own?.resetsAtS].flatMap((seconds) =>
    seconds === undefined || Math.abs(seconds * 1000 - now) > YEAR_MS ? [] : [seconds * 1000],
  );
  const [at] = told.filter((each) => saneReset(each, now) !== null);
  if (at !== undefined) return at;
  // The text names the hour of the same time: where that is just over, it would be taken for tomorrow's.
  return told.length > 0 ? null : saneReset(parseReset(text, now, timeZone), now);
}

/** A number that is farther away is no time. */
const YEAR_MS = 365 * 24 * 3_600_000;

const MODELS: Partial<Record<LimitKind, string>> = {
  seven_day_opus: 'opus',
  seven_day_sonnet: 'sonnet',
  seven_day_overage_included: 'fable',
};
