import { isProblem, type ProblemReason } from '../domain/problem';
import { hasCode } from '../platform/files';
import { messageOf, type WorkerParts } from './parts';

/** How long to wait before what could not be written is written again. */
const WRITE_AGAIN_MS = 5_000;

/** How long a worker that was asked to stop goes on trying. */
const WRITE_AFTER_STOP_MS = 60_000;

/** What a person, or time, can mend without the program. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ESTALE'];

/**
 * A disk that is full now may have room later, and a queue file that git took away comes back: an end that happened
 * is not given up for it. Only a worker that was asked to stop does not go on with this for ever; the next worker
 * then finds a lost run.
 */
export async function untilWritten<T>(
  { clock, events }: WorkerParts,
  write: () => Promise<T>,
  stop: AbortSignal,
  what = 'The end of the run',
): Promise<T> {
  let told = '';
  for (let stoppedForMs = 0; ; stoppedForMs += stop.aborted ? WRITE_AGAIN_MS : 0) {
    try {
      return await write();
    } catch (error) {
      const mayPass = isProblem(error) || hasCode(error, ...DISK_CODES);
      if (!mayPass || stoppedForMs >= WRITE_AFTER_STOP_MS) throw error;
      const message = messageOf(error);
      // Once a night is enough.
      if (message !== told)
        events.trouble(`${what} could not be written, and will be tried again: ${message}`);
      told = message;
      await clock.sleep(WRITE_AGAIN_MS);
    }
  }
}

/**
 * What keeps a queue from being looked at for a while: git took its file away, somebody is slow with its lock, or its
 * rules were written wrong; by a misread rule nothing is begun.
 */
const PASSING: readonly ProblemReason[] = [
  'queue-missing',
  'queue-unreadable',
  'queue-unwritable',
  'queue-incomplete',
  'queue-locked',
  'queue-busy',
  'settings-invalid',
];

/**
 * Looks at a queue again and again. Once it could be looked at, what passes by itself is told and ends no night's work;
 * before that, a person is still there to be told at once.
 */
export class PatientLook {
  private hasSeen = false;
  private isTroubled = false;

  constructor(private readonly events: WorkerParts['events']) {}

  /** What the look gives; null: not now. */
  async take<T>(look: () => Promise<T>): Promise<T | null> {
    try {
      const seen = await look();
      this.hasSeen = true;
      this.isTroubled = false;
      return seen;
    } catch (error) {
      const passes = hasCode(error, ...DISK_CODES) || (isProblem(error) && PASSING.includes(error.reason));
      if (!this.hasSeen || !passes) throw error;
      if (!this.isTroubled)
        this.events.trouble(`No task can be begun just now; looking again: ${messageOf(error)}`);
      this.isTroubled = true;
      return null;
    }
  }
}
