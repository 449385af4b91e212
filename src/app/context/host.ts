import type { Clock } from '../../platform/clock';
import type { Processes } from '../../platform/processes/processes';

/** What both faces take from the machine that they run on. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths of the user start. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** A new UUID. */
  readonly createId: () => string;
  readonly processes: Processes;
  /** IANA name of the machine's zone. */
  readonly timeZone: string;
  /** Tells the user of something that was put off and will be tried again. */
  warn(message: string): void;
}
