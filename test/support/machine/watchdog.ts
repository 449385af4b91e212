import { join } from 'node:path';
import { Watchdog } from '../../../src/platform/processes/watchdog';

/** Arguments of Node that run the watchdog's program as it is in the sources. */
export const WATCHDOG_ARGS = ['--import=tsx', join(__dirname, '../../../src/watchdog.ts')];

/** Creates a watchdog for this process. */
export function createWatchdog(lost: (error: Error | null) => void): Watchdog {
  return new Watchdog(WATCHDOG_ARGS, lost);
}
