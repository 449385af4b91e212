import type { CheckRun } from './attempt';

const CAME_TO: Readonly<Record<CheckRun['result'], string>> = {
  passed: 'passed',
  failed: 'failed',
  timeout: 'did not end',
  'could-not-run': 'could not run',
};

/** What a row's own check came to, for a person; `name` is its program and arguments, on one line. */
export function describeCheck(
  name: string,
  { result, exitCode }: Pick<CheckRun, 'result' | 'exitCode'>,
): string {
  const code = result === 'failed' && exitCode !== null ? ` (exit code ${String(exitCode)})` : '';
  return `The check ${CAME_TO[result]}: ${name}${code}`;
}
