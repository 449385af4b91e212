import type { WindowUsage } from '../../../domain/gate/limits';
import { MOST_COUNTED } from '../../../domain/time/schedule';

/** The account's usage windows by the names that people know them by. */
export const WINDOW_NAMES: Record<WindowUsage['window'], string> = {
  five_hour: '5-hour usage window',
  seven_day: 'weekly usage window',
};

/** Formats how full a usage window is; 100 % only where it is full. */
export function formatShare(utilization: number): string {
  const percent = Math.round(utilization * 100);
  return `${String(utilization < 1 ? Math.min(percent, 99) : percent)} %`;
}

/** Formats how many times were missed; they are counted up to a bound only. */
export function formatMissed(missed: number): string {
  return `${missed >= MOST_COUNTED ? 'at least ' : ''}${String(missed)}`;
}

/** Formats how many tasks run, of as many as may. */
export function formatRunning(running: number, max: number): string {
  return `${String(running)} of ${String(max)} running`;
}

const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const RULES = new Intl.PluralRules('en', { type: 'ordinal' });

/** Formats a place in a row: `2nd`. */
export function formatOrdinal(place: number): string {
  return `${String(place)}${SUFFIXES[RULES.select(place)] ?? 'th'}`;
}
