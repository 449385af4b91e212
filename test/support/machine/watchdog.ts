import { join } from 'node:path';
import { Watchdog } from '../../../src/platform/processes/watchdog';
import { bundleProgram } from './bundledProgram';

const SOURCE = join(__dirname, '../../../src/watchdog.ts');

/** Returns the arguments of Node that run the watchdog's program as it is in the sources. */
export function watchdogArgs(): readonly string[] {
  return [bundleProgram(SOURCE)];
}

/** Creates a watchdog for this process. */
export function createWatchdog(lost: (error: Error | null) => void): Watchdog {
  return new Watchdog(watchdogArgs(), lost);
}
