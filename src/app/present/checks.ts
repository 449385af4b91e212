import type { Checked } from '../checks/checked';
import { count } from './text';

const MARKS = { fine: 'ok', note: 'note' } as const;

/** Describes the results of checks, one line each: problems first, then the rest in their order. */
export function describeChecks(all: readonly Checked[]): string[] {
  const problems = all.filter(({ state }) => state === 'problem');
  const rest = all.flatMap(({ state, where, message }) =>
    state === 'problem' ? [] : [`${MARKS[state].padEnd(4)}  ${where}  ${message}`],
  );
  return [...problems.map(({ where, message }) => `${where}  ${message}`), ...rest, summarizeChecks(all)];
}

/** Returns a sentence about how many problems there are. */
export function summarizeChecks(all: readonly Checked[]): string {
  const { length } = all.filter(({ state }) => state === 'problem');
  return length === 0 ? 'No problems.' : `${count(length, 'problem')}.`;
}
