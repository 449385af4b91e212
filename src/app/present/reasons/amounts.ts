import type { WindowUsage } from '../../../domain/gate/limits';
import { MOST_COUNTED } from '../../../domain/time/skippedTimes';

/** Names of the account's usage windows. */
export const WINDOW_NAMES: Record<WindowUsage['window'], string> = {
  five_hour: '5-hour usage window',
  seven_day: 'weekly usage window',
};

/** Formats how full a usage window is; 100 % only where it is full. */
export function formatShare(utilization: number): string {
  const percent = Math.round(utilization * 100);
  return `${String(utilization < 1 ? Math.min(percent, 99) : percent)} %`;
}

/** Formats the number of missed times, which is counted up to a maximum. */
export function formatMissed(missed: number): string {
  return `${missed >= MOST_COUNTED ? 'at least ' : ''}${String(missed)}`;
}

/** Formats the number of running tasks and its maximum. */
export function formatRunning(running: number, max: number): string {
  return `${String(running)} of ${String(max)} running`;
}

const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const RULES = new Intl.PluralRules('en', { type: 'ordinal' });

/** Formats a place in line: `2nd`. */
export function formatOrdinal(place: number): string {
  return `${String(place)}${SUFFIXES[RULES.select(place)] ?? 'th'}`;
}
