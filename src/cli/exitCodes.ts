/** Exit codes of `claude-queue`; `run` has those of the outcomes too (0 to 3). */
export const OK = 0;
export const FAILED = 1;
/** Only the account's limits or the budget are in the way. */
export const AT_LIMIT = 2;
/** Nothing is eligible. */
export const NOTHING = 4;
/** Ended by Ctrl+C, as shells have it: what follows with `&&` does not start. */
export const INTERRUPTED = 130;
/** As sysexits' EX_USAGE. */
export const WRONG_CALL = 64;
