import type { CheckRun } from '../../domain/task/attempt';

// Texts that more than one room below the presentation layer needs.

/** Describes the field of a cron expression that not every cron understands; the rest of a sentence about it. */
export function describeForeignCron(field: string): string {
  return `"${field}" is not supported by every cron: a field is *, or numbers or names such as mon and jan, with lists, ranges and steps of them, and never L, W, # or ?`;
}

const CAME_TO: Readonly<Record<CheckRun['result'], string>> = {
  passed: 'passed',
  failed: 'failed',
  timeout: 'did not end',
  'could-not-run': 'could not run',
};

/** Describes the result of a row's own check; `name` is its program and arguments, on one line. */
export function describeCheck(
  name: string,
  { result, exitCode }: Pick<CheckRun, 'result' | 'exitCode'>,
): string {
  const code = result === 'failed' && exitCode !== null ? ` (exit code ${String(exitCode)})` : '';
  return `The check ${CAME_TO[result]}: ${name}${code}`;
}
