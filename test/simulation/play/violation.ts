/** A promise that a history broke. */
export class Violation extends Error {
  constructor(
    /** Name of the promise, one of `PROMISES`. */
    readonly promise: PromiseName,
    detail: string,
  ) {
    super(`${promise}: ${detail}`);
  }
}

/** Rules that hold in every history, by the promise of the README that each of them checks. */
export const PROMISES = {
  'one owner': 'A task runs at least once and has one owner at a time.',
  'next by the rule': 'The next task is the first that is ready, in the order of docs/rules.md.',
  'decided by the rule': 'The end of an attempt changes its task as docs/rules.md says.',
  'recorded as it was': 'The record of an attempt has the outcome that its run had.',
  'gate respected': 'No prompt is sent while a limit or the user keeps the account closed.',
  'dependencies completed': 'A task starts after its dependencies are completed.',
  'approved only': 'Nothing runs unattended unless you approved it on this machine.',
  'not before its time': 'A task does not start before the time that its row or a retry names.',
  'pause respected': 'No task starts while you paused the queue.',
  'stops when asked': 'A worker that was asked to stop, or has reached its bound, starts nothing more.',
  'due times recorded': 'Every due time of a repeating task has exactly one record.',
  'prompt as written': 'Claude gets a prompt whole, as the row has it.',
  'edits kept': 'Your edits of the queue file are kept, also while a worker writes to it.',
  'only your edits': 'Only what you wrote into a shared cell counts as your edit.',
  'recorded once': 'Every finished attempt is recorded once.',
  'logged once': 'Every end is in its log once.',
  'file follows': 'The file shows what the history says.',
  'notified at least once': 'You are notified at least once of each task that needs you.',
  'notified once': 'A notice is sent again only after a crash.',
  'called back': 'Each end of an attempt is posted to its callback at least once, with the same id and text.',
  'summed up once': 'When everything is done you are notified once, with the counts of the night.',
  'late timers noticed': 'You are notified when a timer starts no worker, and only then.',
  'the dead noticed': 'A worker that died keeps no task, and you are notified of it.',
  'carried to its end': 'Every task that may run is run in the end.',
  'no crash': 'No process ends with an error that it does not report.',
  'journal readable': 'A crash leaves a readable queue.',
} as const;
export type PromiseName = keyof typeof PROMISES;

/** Returns what an error breaks that `who` met and nobody expected. */
export function violationOf(error: unknown, who: string): Violation {
  if (error instanceof Violation) return error;
  const { reason } = error as { readonly reason?: string };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Violation(reason === 'state-damaged' ? 'journal readable' : 'no crash', `${who}: ${stack}`);
}
