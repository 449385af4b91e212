import { groupBy } from '../../domain/lists';
import { OUTCOMES, type Attempt, type Outcome, type Tokens } from '../../domain/task/attempt';
import { isEndUnknown, listRunTimes } from '../../domain/task/runTime';
import { formatMinute } from '../../domain/time/localTime';
import { sumUsd } from '../../domain/usd';

/** Cost of attempts. */
export interface Cost {
  readonly attempts: number;
  /** Number of these that reported no cost. */
  readonly attemptsWithoutCost: number;
  /** Sum of the reported costs, in US dollars. */
  readonly costUsd: number;
}

/** Totals of attempts. */
export interface Sums extends Cost {
  /** Known time for which Claude Code ran; null: that of none of the attempts is known. */
  readonly ms: number | null;
  /** Number of attempts whose time is unknown, because their worker died. */
  readonly attemptsWithoutTime: number;
  readonly tokens: Tokens;
  /** Number of attempts by outcome. */
  readonly outcomes: Partial<Record<Outcome, number>>;
}

/** Keys by which attempts are grouped. */
export const LEDGER_KEYS = ['day', 'task', 'user'] as const;
export type LedgerKey = (typeof LEDGER_KEYS)[number];

/** One line of a ledger. */
export interface LedgerLine {
  /** `2026-11-20`, a task's id, or a user; empty if a task has none. */
  readonly key: string;
  readonly sums: Sums;
}

/** Adds attempts up. */
export function sumOf(attempts: readonly Attempt[]): Sums {
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const outcome of OUTCOMES) {
    const times = attempts.filter((attempt) => attempt.outcome === outcome).length;
    if (times > 0) outcomes[outcome] = times;
  }
  const times = listRunTimes(attempts);
  const add = (amountOf: (attempt: Attempt) => number | undefined): number =>
    attempts.reduce((sum, attempt) => sum + (amountOf(attempt) ?? 0), 0);
  return {
    attempts: attempts.length,
    ms: attempts.length > 0 && times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0),
    attemptsWithoutTime: attempts.filter(isEndUnknown).length,
    attemptsWithoutCost: attempts.filter(({ costUsd }) => costUsd === undefined).length,
    costUsd: sumUsd(attempts.map(({ costUsd = 0 }) => costUsd)),
    tokens: {
      input: add(({ tokens }) => tokens?.input),
      output: add(({ tokens }) => tokens?.output),
      cacheRead: add(({ tokens }) => tokens?.cacheRead),
      cacheWrite: add(({ tokens }) => tokens?.cacheWrite),
    },
    outcomes,
  };
}

/** Returns the sum of the reported costs, in US dollars; null: none was reported. */
export function knownCost({ attempts, attemptsWithoutCost, costUsd }: Cost): number | null {
  return attemptsWithoutCost === attempts ? null : costUsd;
}

/** Groups attempts by day, task or user, in order. The day of an attempt is the one on which it started. */
export function composeLedger(
  attempts: readonly Attempt[],
  by: LedgerKey,
  timeZone: string,
): readonly LedgerLine[] {
  return [...groupBy(attempts, (attempt) => keyOf(attempt, by, timeZone))]
    .sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([key, group]) => ({ key, sums: sumOf(group) }));
}

/** Groups attempts by day, oldest first. Days without attempts between the first and the last are included. */
export function composeDays(attempts: readonly Attempt[], timeZone: string): readonly LedgerLine[] {
  const lines = new Map(composeLedger(attempts, 'day', timeZone).map((line) => [line.key, line]));
  const days = [...lines.keys()];
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all: LedgerLine[] = [];
  for (let day = first; day <= last; day = dayAfter(day))
    all.push(lines.get(day) ?? { key: day, sums: sumOf([]) });
  return all;
}

/** Returns the next calendar day of `2026-11-20`. */
function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, day.length);
}

function keyOf({ startedAt, id, user = '' }: Attempt, by: LedgerKey, timeZone: string): string {
  switch (by) {
    case 'day':
      return formatMinute(startedAt, timeZone).slice(0, 'YYYY-MM-DD'.length);
    case 'task':
      return String(id);
    case 'user':
      return user;
  }
}
