import {
  isOfFamily,
  LIMIT_KINDS,
  saneReset,
  type LimitKind,
  type LimitSignal,
} from '../../domain/gate/limits';
import type { EpochMs } from '../../domain/time/epoch';
import type { Finding, RunFacts } from '../stream/runFacts';
import { find, type Failure } from '../verdict/failure';
import { isTransientText } from '../verdict/failureTexts';
import { readBlockKind, readFamily, readLimitKind } from './limitTexts';
import { compact } from '../stream/json';
import type { RateLimitInfo } from '../stream/message';
import { parseReset } from './resetTime';
import { isAtLeast } from '../installation/versions';

/** The account's usage limit, or null. */
export function findLimit(failure: Failure): Finding | null {
  const info = findRejection(failure);
  if (!isLimit(failure, info) || (info !== undefined && isSwitchedOff(info))) return null;
  const signal = describeLimit(failure, info);
  if (signal.resetAt === null && isCap(failure, info)) return null;
  // A name that is not known yet is kept as the reason, so that the history shows what the account said.
  return find(failure, 'limit', info?.rateLimitType ?? signal.kind, signal);
}

/** The limit at which a part of a run stopped that ended well as a whole. */
export function signalLimit(facts: RunFacts, info: RateLimitInfo, message: string): LimitSignal | undefined {
  if (isSwitchedOff(info)) return undefined;
  return describeLimit({ facts, signal: {}, text: '', message }, info);
}

/** What of a failure tells its limit. */
type Limited = Pick<Failure, 'facts' | 'signal' | 'text' | 'message'>;

function describeLimit(failure: Limited, info: RateLimitInfo | undefined): LimitSignal & { kind: LimitKind } {
  const kind = findKind(failure, info);
  const resetAt = findReset(failure, info);
  const family =
    findFamily(failure, info) ?? (info === undefined ? guessFamily(failure, resetAt) : undefined);
  const model = MODELS[kind] ?? (kind === 'unknown' ? family : undefined);
  const resettable = isResettable(kind, failure) ? (true as const) : undefined;
  return { kind, resetAt, message: failure.message, ...compact({ model, resettable }) };
}

/** The first version whose users can reset a 5-hour limit themselves: `/limit-reset`. */
const RESETTABLE_SINCE = '2.1.263';

function isResettable(kind: LimitKind, { facts }: Limited): boolean {
  const { version } = facts.stream;
  return kind === 'five_hour' && version !== undefined && isAtLeast(version, RESETTABLE_SINCE);
}

const FIVE_HOURS_MS = 5 * 3_600_000;

/**
 * 2.0.60 says `Limit reached · resets Nov 23` for the limit of Opus too. One that ends in more than five hours is a week's. Where it is
 * that of all models after all, a task on another model meets it once and closes the gate for all.
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

/** A version that sends events would have sent one that says `rejected`: words alone may be quoted. */
function isStatedInText({ facts: { stream }, text }: Failure): boolean {
  const mayBeLimit = stream.rateLimit === undefined || stream.rateLimit.status === 'rejected';
  return mayBeLimit && readLimitKind(text) !== undefined;
}

function findKind({ text }: Limited, info: RateLimitInfo | undefined): LimitKind {
  const named = LIMIT_KINDS.find((known) => known === info?.rateLimitType);
  return named ?? readLimitKind(text) ?? 'unknown';
}

/** A cap on spending does not end by itself where no reset is told; a window does, whatever is said of credits. */
function isCap({ text }: Failure, info: RateLimitInfo | undefined): boolean {
  const isWindow = info !== undefined && info.rateLimitType !== 'overage';
  return !isWindow && readBlockKind(text) === 'spend-limit';
}

/** The family that a limit which is not known yet is named after, where the run's own model is one of it. */
function findFamily({ facts, text }: Limited, info: RateLimitInfo | undefined): string | undefined {
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
export function findRejection({ facts: { stream }, signal, text }: Failure): RateLimitInfo | undefined {
  const last = [stream.rateLimit, signal.rateLimit].find(
    (info) => info?.status === 'rejected' && info.rateLimitType !== undefined,
  );
  // A helper's event on another model may have come behind it: then the failure's words count too.
  return last ?? (readLimitKind(text) === undefined ? undefined : stream.rejections?.at(-1));
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
  { facts: { now, timeZone }, signal, text }: Limited,
  info?: RateLimitInfo,
): EpochMs | null {
  const own = info?.rateLimitType === undefined ? undefined : info.windows[info.rateLimitType];
  const reported = [info?.resetsAtS, signal.rateLimit?.resetsAtS, own?.resetsAtS].flatMap((seconds) =>
    seconds === undefined || Math.abs(seconds * 1000 - now) > YEAR_MS ? [] : [seconds * 1000],
  );
  const [at] = reported.filter((each) => saneReset(each, now) !== null);
  if (at !== undefined) return at;
  // The text names the hour of the same time: where that is just over, it would be taken for tomorrow's.
  return reported.length > 0 ? null : saneReset(parseReset(text, now, timeZone), now);
}

/** A number that is farther away is no time. */
const YEAR_MS = 365 * 24 * 3_600_000;

const MODELS: Partial<Record<LimitKind, string>> = {
  seven_day_opus: OPUS,
  seven_day_sonnet: 'sonnet',
  seven_day_overage_included: 'fable',
};
