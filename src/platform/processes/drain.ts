import type { Clock } from '../clock';

const STEP_MS = 100;

/** Number of steps without output after which reading ends. */
const QUIET_STEPS = 20;

/** Maximum number of steps. */
const MOST_STEPS = 300;

/**
 * Waits until the output of an ended program is read, but not for processes out of reach that hold its other end. Two
 * seconds without output end the wait, and half a minute in any case. Time is counted in steps, since the output is
 * read between them: a pause of this process, or a busy machine, does not end it early.
 * @param read resolves when all is read
 * @param countTaken returns how much has been taken so far, or that something is being taken
 */
export async function drain(
  read: Promise<unknown>,
  countTaken: () => number | 'taking',
  clock: Clock,
): Promise<void> {
  const over = new AbortController();
  const isRead = read.then(
    () => over.abort(),
    () => over.abort(),
  );
  let quiet = 0;
  for (let step = 0; step < MOST_STEPS && quiet < QUIET_STEPS && !over.signal.aborted; step += 1) {
    const before = countTaken();
    await Promise.race([isRead, clock.sleep(STEP_MS, over.signal)]);
    const now = countTaken();
    quiet = now === before && now !== 'taking' ? quiet + 1 : 0;
  }
}
