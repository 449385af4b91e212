import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isTimeZone } from '../domain/time/localTime';

/** Returns the time zone of this process: that of `TZ`, else the machine's. */
export function processZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * Returns the time zone of the machine's clock, which timers use whatever zone `TZ` or a queue names. `etc` has
 * `localtime`, a link to the zone, or `timezone` with its name (Debian). Without either it is the zone of this process.
 */
export function machineZone(etc = '/etc'): string {
  const linked = readQuietly(() => realpathSync(join(etc, 'localtime')));
  const names = [
    ZONE_FILE.exec(linked)?.[1] ?? '',
    readQuietly(() => readFileSync(join(etc, 'timezone'), 'utf8')).trim(),
  ];
  return names.find((name) => name !== '' && isTimeZone(name)) ?? processZone();
}

const ZONE_FILE = /\/zoneinfo\/(?:(?:posix|right)\/)?(.+)$/;

/** Returns an empty text if the file cannot be read: many machines have only one of them. */
function readQuietly(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
