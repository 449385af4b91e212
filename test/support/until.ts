import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 20;
/** Pause after a look, as a multiple of its duration: slow looks leave the machine to the work that is waited for. */
const PAUSE_PER_LOOK = 3;
const PATIENCE_MS = 120_000;

/**
 * Waits for what has no event: looks again and again, and gives the first answer that is not empty. `patienceMs`: for
 * what takes minutes.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<NonNullable<T>> {
  const latest = Date.now() + patienceMs;
  for (;;) {
    const lookedAt = Date.now();
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > latest) throw new Error(`Waited in vain until ${what}.`);
    await sleep(Math.max(LOOK_MS, PAUSE_PER_LOOK * (Date.now() - lookedAt)));
  }
}
