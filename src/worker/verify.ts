import { spawn, type ChildProcess } from 'node:child_process';
import type { Definition } from '../domain/task';
import type { Verdict } from '../domain/attempt';
import { sleepAwake, type Clock } from '../platform/clock';
import { listForeign, without } from '../platform/environment';
import { RUN_MARK_VARIABLE, type Processes } from '../platform/processes';

/** How long a check may take. */
const VERIFY_TIMEOUT_MS = 10 * 60_000;

/** How long a check that is ended may take to end by itself. */
const VERIFY_GRACE_MS = 2_000;

/** What a check is run with. */
export interface VerifyParts {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Names the attempt in the environment of the check. */
  readonly mark: string;
}

type Result = 'passed' | 'failed' | 'timeout' | 'could-not-run' | 'stopped';

const VERIFIED = { outcome: 'success', reason: 'verified', message: 'Done, and its check passed.' } as const;

/**
 * The verdict after the row's own check: a check that passes speaks louder than refused actions, one that fails
 * makes an error of a success, and one that cannot be run proves nothing. Arguments only, never a shell.
 */
export async function verify(
  definition: Definition,
  verdict: Verdict,
  parts: VerifyParts,
  stop: AbortSignal,
): Promise<Verdict> {
  const check = definition.verify;
  if (check === undefined || (verdict.outcome !== 'success' && verdict.outcome !== 'review')) return verdict;
  const name = check.join(' ');
  switch (await runCheck(check, definition.workingDir, parts, stop)) {
    case 'passed':
      return verdict.outcome === 'review' && verdict.denials.length === 0
        ? verdict
        : { ...verdict, ...VERIFIED };
    case 'failed':
      return { ...verdict, outcome: 'error', reason: 'verify-failed', message: `The check failed: ${name}` };
    case 'timeout':
      return {
        ...verdict,
        outcome: 'error',
        reason: 'verify-failed',
        message: `The check did not end: ${name}`,
      };
    case 'stopped':
      return {
        ...verdict,
        outcome: 'cancelled',
        reason: String(stop.reason),
        message: 'Stopped during its check.',
      };
    case 'could-not-run':
      return {
        ...verdict,
        outcome: 'review',
        reason: 'verify-not-run',
        message: `The check could not run: ${name}`,
      };
  }
}

async function runCheck(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  { processes, clock, mark }: VerifyParts,
  stop: AbortSignal,
): Promise<Result> {
  let child: ChildProcess;
  try {
    const env = { ...without(process.env, listForeign(process.env)), [RUN_MARK_VARIABLE]: mark };
    child = spawn(program, args, { cwd, detached: true, stdio: 'ignore', env });
  } catch {
    // Most of what hinders a start comes as an event; a word that is too long, or holds a NUL, is thrown.
    return 'could-not-run';
  }
  const ended = new Promise<Result>((resolve) => {
    child.once('error', () => {
      resolve('could-not-run');
    });
    child.once('exit', (code) => {
      resolve(code === 0 ? 'passed' : 'failed');
    });
  });
  const identity = child.pid === undefined ? null : processes.identify(child.pid);
  const over = new AbortController();
  const bound = sleepAwake(clock, VERIFY_TIMEOUT_MS, AbortSignal.any([stop, over.signal])).then(
    (): Result => 'timeout',
  );
  const result = await Promise.race([ended, bound]);
  over.abort();
  if (result === 'timeout' && identity !== null) {
    await processes.endTree(identity, { graceMs: VERIFY_GRACE_MS, mark, clock });
  }
  return result === 'timeout' && stop.aborted ? 'stopped' : result;
}
