import type { Clock } from '../clock';

const STEP_MS = 100;

/** As many steps nothing may come any more. */
const QUIET_STEPS = 20;

/** As many steps something may continue coming. */
const MOST_STEPS = 300;

/**
 * Waits until the output of a program that has ended is read, but not for what is out of reach and holds the other end:
 * two seconds in which nothing comes are enough, and half a minute in any case. In steps, since the output is read
 * between them: a pause of this process, or a machine that is busy, ends none of it early.
 * @param read resolves when all is read
 * @param countTaken how much has been taken so far, or that something is being taken
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
