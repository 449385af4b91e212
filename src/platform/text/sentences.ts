import type { CheckBefore, CheckRun, UnknownCause } from '../../domain/task/attempt';
import { t } from './translate';

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
  { result, exitCode, signal }: Pick<CheckRun, 'result' | 'exitCode' | 'signal'>,
): string {
  const code = result === 'failed' && exitCode !== null ? ` (exit code ${String(exitCode)})` : '';
  const end = signal === undefined ? code : ` (ended by ${signal})`;
  return `The check ${CAME_TO[result]}: ${name}${end}`;
}

const CAUSES: Readonly<Record<UnknownCause, string>> = {
  files: t('the files before and after it are not known'),
  setup: t('the set-up failed'),
  timeout: t('it did not end in a copy of the files'),
  'could-not-run': t('it could not run in a copy of the files'),
  'fails-in-copies': t('it fails in a copy of the files after the attempt too'),
  'names-folder': t('it names the working directory by its path'),
  continued: t('it passed, but an earlier attempt had worked on the task'),
  stopped: t('the worker was stopped'),
};

/** Describes in a sentence whether a check passed on the files before its attempt. */
export function describeBefore({
  result,
  cause,
  exitCode,
  signal,
}: Pick<CheckBefore, 'result' | 'cause' | 'exitCode' | 'signal'>): string {
  if (result === 'passed')
    return t(
      'This check passed before the attempt as well: it shows that nothing broke, not that the task was done.',
    );
  if (result === 'failed') return t('This check failed on the files before the attempt.');
  if (cause === undefined) return t('It is unknown whether this check passed before the attempt.');
  const why = (cause === 'setup' ? describeSetUp(exitCode, signal) : null) ?? CAUSES[cause];
  return t('It is unknown whether this check passed before the attempt: {0}.', why);
}

function describeSetUp(exitCode: number | null, signal: string | undefined): string | null {
  if (signal !== undefined) return t('the set-up was ended by {0}', signal);
  return exitCode === null ? null : t('the set-up failed with exit code {0}', exitCode);
}
