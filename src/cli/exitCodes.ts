import type { RunSummary } from '../worker/bounds/runCounters';

/** Exit code for success. `run` also has exit codes for outcomes (0 to 3). */
export const OK = 0;
export const FAILED = 1;
/** Exit code if only the account's limits or the budget prevent a start. */
export const AT_LIMIT = 2;
/** Exit code if no task is eligible. */
export const NOTHING = 4;
/** Exit code after Ctrl+C, as in shells: a command after `&&` does not start. */
export const INTERRUPTED = 130;
/** Exit code for wrong usage, as sysexits' EX_USAGE. */
export const WRONG_CALL = 64;

/** Returns the exit code of a run of `work` that was not interrupted. */
export function exitCodeOf({ ran, failed, atLimit, bound }: RunSummary): number {
  if (failed.length > 0) return FAILED;
  // The limit is the end that the user asked for.
  if (bound?.kind === 'usage-windows') return OK;
  if (atLimit) return AT_LIMIT;
  return ran === 0 ? NOTHING : OK;
}
