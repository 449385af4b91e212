import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 20;
const PATIENCE_MS = 120_000;

/** Waits for what has no event: looks again and again, and gives the first answer that is not empty. */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const latest = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > latest) throw new Error(`Waited in vain until ${what}.`);
    await sleep(LOOK_MS);
  }
}
