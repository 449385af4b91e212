import type { Clock } from '../../platform/clock';
import type { Processes } from '../../platform/processes/processes';

/** Machine services that both the editor and the command line use. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder for relative paths of the user. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** A new UUID. */
  readonly createId: () => string;
  readonly processes: Processes;
  /** IANA name of the zone of this process. */
  readonly timeZone: string;
  /** Warns the user that something was postponed and will be tried again. */
  warn(message: string): void;
}
