import type { Checked } from '../checks/checked';
import { t } from '../../platform/text/translate';

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
  if (length === 0) return t('No problems.');
  return length === 1 ? t('1 problem.') : t('{0} problems.', length);
}
