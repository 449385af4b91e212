import { isOfFamily, LIMIT_KINDS, saneReset, type LimitKind, type LimitSignal } from '../../domain/gate/gate';
import type { EpochMs } from '../../domain/time/epoch';
import type { Finding, EndFacts } from '../stream/endFacts';
import { find, type Failure } from '../verdict/failure';
import { isTransientText } from '../verdict/failureTexts';
import { readBlockKind, readFamily, readLimitKind } from './limitTexts';
import { compact } from '../stream/json';
import type { RateLimitInfo } from '../stream/message';
import { parseReset } from './resetTime';
import { isAtLeast } from '../installation/versions';

/** Returns the account's usage limit, or null. */
export function findLimit(failure: Failure): Finding | null {
  const info = findRejection(failure);
  if (!isLimit(failure, info) || (info !== undefined && isSwitchedOff(info))) return null;
  const signal = describeLimit(failure, info);
  if (signal.resetAt === null && isCap(failure, info)) return null;
  // Keep an unknown name as the reason, so that the history shows what the account reported.
  return find(failure, 'limit', info?.rateLimitType ?? signal.kind, signal);
}

/**
 * Returns the limit that stopped a part of an attempt which ended well as a whole; undefined if
 * `isSwitchedOff`.
 */
export function signalLimit(facts: EndFacts, info: RateLimitInfo, message: string): LimitSignal | undefined {
  if (isSwitchedOff(info)) return undefined;
  return describeLimit({ facts, signal: {}, text: '', message }, info);
}

/** Parts of a failure that identify its limit. */
type Limited = Pick<Failure, 'facts' | 'signal' | 'text' | 'message'>;

function describeLimit(failure: Limited, info: RateLimitInfo | undefined): LimitSignal & { kind: LimitKind } {
  const kind = findKind(failure, info);
  const resetAt = findReset(kind, failure, info);
  const family =
    findFamily(failure, info) ?? (info === undefined ? guessFamily(failure, resetAt) : undefined);
  const model = MODELS[kind] ?? (kind === 'unknown' ? family : undefined);
  const resettable = isResettable(kind, failure) ? (true as const) : undefined;
  return { kind, resetAt, message: failure.message, ...compact({ model, resettable }) };
}

/** First version whose users can reset a 5-hour limit themselves: `/limit-reset`. */
const RESETTABLE_SINCE = '2.1.263';

function isResettable(kind: LimitKind, { facts }: Limited): boolean {
  const { version } = facts.stream;
  return kind === 'five_hour' && version !== undefined && isAtLeast(version, RESETTABLE_SINCE);
}

const FIVE_HOURS_MS = 5 * 3_600_000;

/**
 * Guesses the model family of a limit. 2.0.60 says `Limit reached · resets Nov 23` for the limit of Opus too. A
 * limit that ends in more than five hours is weekly. If it is that of all models after all, a task on another
 * model meets it once and closes the gate for all.
 */
function guessFamily({ facts: { now, stream } }: Limited, resetAt: EpochMs | null): string | undefined {
  const isWeekly = resetAt !== null && resetAt > now + FIVE_HOURS_MS;
  return isWeekly && stream.model !== undefined && isOfFamily(stream.model, OPUS) ? OPUS : undefined;
}

const OPUS = 'opus';

function isLimit(failure: Failure, info: RateLimitInfo | undefined): boolean {
  if (isNamed(failure)) return true;
  return (info !== undefined || isStatedInText(failure)) && !isOtherTrouble(failure, info);
}

/**
 * Whether the text reports a limit. A version that sends events would have sent one with `rejected`: text
 * alone may be a quotation.
 */
function isStatedInText({ facts: { stream }, text }: Failure): boolean {
  const mayBeLimit = stream.rateLimit === undefined || stream.rateLimit.status === 'rejected';
  return mayBeLimit && readLimitKind(text) !== undefined;
}

function findKind({ text }: Limited, info: RateLimitInfo | undefined): LimitKind {
  const named = LIMIT_KINDS.find((known) => known === info?.rateLimitType);
  return named ?? readLimitKind(text) ?? 'unknown';
}

/**
 * Whether it is a spending cap, which does not end by itself if no reset is given. A usage window does,
 * whatever the text says of credits.
 */
function isCap({ text }: Failure, info: RateLimitInfo | undefined): boolean {
  const isWindow = info !== undefined && info.rateLimitType !== 'overage';
  return !isWindow && readBlockKind(text) === 'spend-limit';
}

/**
 * Returns the model family in the name of an unknown limit, unless the attempt's own model is of another
 * family.
 */
function findFamily({ facts, text }: Limited, info: RateLimitInfo | undefined): string | undefined {
  const family = readFamily(info?.rateLimitType ?? text);
  const { model } = facts.stream;
  return family === undefined || (model !== undefined && !isOfFamily(model, family)) ? undefined : family;
}

/** Whether the failure has a limit's name: `usage_limit_reached`, or a similar one that is not known yet. */
function isNamed({ signal: { apiError, apiErrorType } }: Failure): boolean {
  return [apiError, apiErrorType].some((name) => name?.endsWith('_limit_reached') === true);
}

/** Whether the owner of the account has switched off this kind of use. The event's reset means nothing then. */
export function isSwitchedOff({ rateLimitType, overageDisabledReason }: RateLimitInfo): boolean {
  return rateLimitType === 'overage' && overageDisabledReason === 'org_service_level_disabled';
}

/**
 * Returns the account's refusal, or undefined. Only `status` counts, and only with a `rateLimitType`. A plain
 * throttle says `rejected` too, and `overageStatus` is `rejected` in every attempt of an account without
 * credits.
 */
export function findRejection({ facts: { stream }, signal, text }: Failure): RateLimitInfo | undefined {
  const last = [stream.rateLimit, signal.rateLimit].find(
    (info) => info?.status === 'rejected' && info.rateLimitType !== undefined,
  );
  // A subagent's event on another model may have followed the refusal. Then the failure's text counts too.
  return last ?? (readLimitKind(text) === undefined ? undefined : stream.rejections?.at(-1));
}

/** Values of `error` in the failure of a limit. Some versions say `unknown`. */
const LIMIT_ERRORS: readonly (string | undefined)[] = ['rate_limit', 'unknown', undefined];

/** Whether the failure has another cause, which a refusal earlier in the attempt does not explain. */
function isOtherTrouble({ signal, text }: Failure, info: RateLimitInfo | undefined): boolean {
  const { status, error, apiError } = signal;
  if (status !== undefined && status !== 429) return true;
  if (apiError !== undefined || !LIMIT_ERRORS.includes(error)) return true;
  return info === undefined && isTransientText(text);
}

function findReset(
  kind: LimitKind,
  { facts: { now, timeZone }, signal, text }: Limited,
  info?: RateLimitInfo,
): EpochMs | null {
  const own = info?.rateLimitType === undefined ? undefined : info.windows[info.rateLimitType];
  const resets = [info?.resetsAtS, signal.rateLimit?.resetsAtS, own?.resetsAtS].flatMap((seconds) =>
    seconds === undefined || Math.abs(seconds * 1000 - now) > YEAR_MS ? [] : [seconds * 1000],
  );
  const [at] = resets.filter((each) => saneReset(kind, each, now) !== null);
  if (at !== undefined) return at;
  // The text names the same time without a date. If that has just passed, it would be read as tomorrow's.
  return resets.length > 0 ? null : saneReset(kind, parseReset(text, now, timeZone), now);
}

/** Largest distance of a reset from now, in milliseconds. A number that is farther away is no time. */
const YEAR_MS = 365 * 24 * 3_600_000;

const MODELS: Partial<Record<LimitKind, string>> = {
  seven_day_opus: OPUS,
  seven_day_sonnet: 'sonnet',
  seven_day_overage_included: 'fable',
};
