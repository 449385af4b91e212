import type { Checked } from '../checks/machineCheck';
import { count } from './text';

const MARKS = { fine: 'ok', note: 'note' } as const;

/** What was looked at, a line each: what is wrong comes first, then the rest in the order of the looks. */
export function describeChecks(all: readonly Checked[]): string[] {
  const problems = all.filter(({ state }) => state === 'problem');
  const rest = all.flatMap(({ state, where, message }) =>
    state === 'problem' ? [] : [`${MARKS[state].padEnd(4)}  ${where}  ${message}`],
  );
  return [
    ...problems.map(({ where, message }) => `${where}  ${message}`),
    ...rest,
    problems.length === 0 ? 'No problems.' : `${count(problems.length, 'problem')}.`,
  ];
}
