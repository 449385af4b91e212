import { formatUsd } from '../../domain/usd';
import { formatDuration } from '../../domain/time/duration';
import { knownCost, type Cost, type Sums } from '../viewModel/ledger';
import { hasPartialDiff } from '../../domain/task/attemptFacts';
import type { AttemptFacts, DiffSize, Outcome, Tokens } from '../../domain/task/attempt';
import { t } from '../../platform/text/translate';
import { COMMA } from './text';

/** Formats a count: `950`, `12.3k`, `1.2M`. */
export function formatCount(number: number): string {
  if (number < 1000) return String(number);
  const [size, letter] = number < 999_950 ? [1000, 'k'] : [1_000_000, 'M'];
  return `${(number / size).toFixed(1).replace(/\.0$/, '')}${letter}`;
}

/** Counts tokens without those read from the cache, which are by far the most and cost the least. */
export function countFresh({ input, output, cacheWrite }: Tokens): number {
  return input + output + cacheWrite;
}

/** Formats a diff: `+12 -3 in 2 files`. */
export function describeDiff({ files, insertions, deletions }: DiffSize): string {
  if (files === 0) return t('nothing');
  return files === 1
    ? t('+{0} -{1} in 1 file', insertions, deletions)
    : t('+{0} -{1} in {2} files', insertions, deletions, files);
}

/** Formats a diff that may be partial: `at least +12 -3 in 2 files`, `unknown`. */
export function describePartialDiff(diff: DiffSize | null, isPartial: boolean): string {
  if (diff === null || (isPartial && diff.files === 0)) return t('unknown');
  return isPartial ? t('at least {0}', describeDiff(diff)) : describeDiff(diff);
}

/** Formats the diff of an attempt. */
export function describeDiffOf(attempt: Pick<AttemptFacts, 'diff' | 'isDiffPartial'>): string {
  return describePartialDiff(attempt.diff ?? null, hasPartialDiff(attempt));
}

/** Names of the outcomes, as tables have them. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  success: t('success'),
  review: t('review'),
  error: t('error'),
  transient: t('transient'),
  limit: t('limit'),
  blocked: t('blocked'),
  permanent: t('permanent'),
  cancelled: t('cancelled'),
  lost: t('lost'),
};

const OUTCOME_COUNTS: Readonly<Record<Outcome, (times: number) => string>> = {
  success: (times) => t('{0} success', times),
  review: (times) => t('{0} review', times),
  error: (times) => t('{0} error', times),
  transient: (times) => t('{0} transient', times),
  limit: (times) => t('{0} limit', times),
  blocked: (times) => t('{0} blocked', times),
  permanent: (times) => t('{0} permanent', times),
  cancelled: (times) => t('{0} cancelled', times),
  lost: (times) => t('{0} lost', times),
};

/** Formats how many attempts ended how: `11 success, 3 error`. */
export function describeOutcomes(outcomes: OutcomeCounts): string {
  return listOutcomes(outcomes).join(COMMA);
}

/** Formats how many attempts ended how, one text for each outcome. */
export function listOutcomes(outcomes: OutcomeCounts): string[] {
  return (Object.entries(outcomes) as [Outcome, number][]).map(([outcome, times]) =>
    OUTCOME_COUNTS[outcome](times),
  );
}

type OutcomeCounts = Readonly<Partial<Record<Outcome, number>>>;

/** Formats how long attempts ran in all: `5 min`, `at least 5 min`, `unknown`; empty: all were done by hand. */
export function formatRunTime({ ms, attemptsWithoutTime }: Pick<Sums, 'ms' | 'attemptsWithoutTime'>): string {
  if (ms === null) return attemptsWithoutTime > 0 ? t('unknown') : '';
  return attemptsWithoutTime > 0 ? t('at least {0}', formatDuration(ms)) : formatDuration(ms);
}

/** Formats the cost of attempts: `$1.20`, `at least $1.20`, `unknown`; empty: there were none. */
export function formatCost(cost: Cost): string {
  if (cost.attempts === 0) return '';
  const usd = knownCost(cost);
  if (usd === null) return t('unknown');
  return cost.attemptsWithoutCost > 0 ? t('at least {0}', formatUsd(usd)) : formatUsd(usd);
}
