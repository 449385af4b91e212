import { hash } from 'node:crypto';
import { Problem } from '../../domain/problem';
import type { RunProgram } from '../../platform/processes/programs';
import { t } from '../../platform/text/translate';
import type { Host } from '../context/host';
import type { CronTimes } from './cronTimes';

/** Scheduled command for one queue. */
export interface Entry {
  /** The queue file, absolute. */
  readonly queueFile: string;
  /** It starts at each of these times. */
  readonly times: readonly CronTimes[];
  /** Program and arguments; the program is absolute. */
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  /** File to which its output is appended. */
  readonly log: string;
}

/** Installed entry of a queue. */
export interface Installed {
  /** Cron expressions. */
  readonly crons: readonly string[];
  /** Reason why it does not start anything as it is; absent if it works. */
  readonly trouble?: string;
}

/** Everything that an installation changes on this machine. */
export interface InstallSteps {
  /** Texts that are written, each with its place: a file, or `crontab`. */
  readonly texts: readonly { readonly place: string; readonly text: string }[];
  /** Commands of the system that are run afterwards. */
  readonly commands: readonly (readonly [string, ...string[]])[];
}

/** System service that starts programs at given times. */
export interface Scheduler {
  /** Its name for the user: `crontab`, `systemd`, `launchd`. */
  readonly kind: string;
  /** Condition that the program cannot check. */
  readonly condition: string;
  /** Whether this machine has it, for this user. */
  isThere(): Promise<boolean>;
  /**
   * Returns the installed entry of the queue file; null if there is none.
   * @throws Problem `scheduler-missing` if it cannot be read
   */
  find(queueFile: string): Promise<Installed | null>;
  /** Returns what `install` does, exactly. @throws Problem `usage` if it cannot express the entry */
  stepsOf(entry: Entry): InstallSteps;
  /** Installs the entry in place of the queue's previous one. @throws Problem `usage`, `scheduler-failed` */
  install(entry: Entry): Promise<void>;
  /**
   * Removes the queue's entry and no other; returns whether there was one. `isRecorded`: the queue has a record of it, so
   * it is not taken for absent where it cannot be read.
   * @throws Problem `scheduler-failed`
   */
  remove(queueFile: string, isRecorded: boolean): Promise<boolean>;
}

/** Facts and functions for scheduling. */
export interface Scheduling {
  readonly platform: NodeJS.Platform;
  readonly userId: number;
  /** Command that starts this program; each path in it is absolute. */
  readonly program: readonly [string, ...string[]];
  readonly run: RunProgram;
}

/** Machine whose schedulers are used. */
export interface SchedulingSystem extends Pick<Host, 'env' | 'clock'> {
  readonly scheduling: Scheduling;
}

/** Returns the name of a queue's entry, unique among queues. */
export function nameEntry(queueFile: string): string {
  return `claude-queue-${hash('sha256', queueFile).slice(0, NAME_LENGTH)}`;
}

const NAME_LENGTH = 16;

/** Returns every text of an entry. */
export function textsOf({ command, environment, log }: Entry): string[] {
  return [...command, ...Object.values(environment), log];
}

/** Refuses control characters, which no format used here can contain. @throws Problem `usage` */
export function refuseControlCharacters(entry: Entry): void {
  const bad = textsOf(entry).find((text) => /\p{Cc}/u.test(text));
  if (bad === undefined) return;
  throw new Problem(
    'usage',
    t(
      '{0} contains a line break or another control character, which a schedule does not support. Rename it.',
      JSON.stringify(bad),
    ),
  );
}

/** Error of a system program, with its message. */
export function refusalOf(
  what: string,
  { err, out }: { readonly err: string; readonly out: string },
): Problem {
  const said = (err.trim() || out.trim()).split('\n', 1)[0] ?? '';
  return new Problem(
    'scheduler-failed',
    said === '' ? t('{0} failed.', what) : t('{0} failed: {1}', what, said),
  );
}

/** Runs a command of the system. @throws Problem `scheduler-failed` with its message */
export async function runOrRefuse(
  run: RunProgram,
  [program, ...words]: readonly [string, ...string[]],
): Promise<void> {
  const ran = await run(program, words);
  if (ran?.code !== 0) throw refusalOf(`"${[program, ...words].join(' ')}"`, ran ?? { err: '', out: '' });
}

/** Joins cron expressions into one text. */
export function joinCrons(crons: readonly string[]): string {
  return crons.join(' and ');
}

/** Splits a text that `joinCrons` joined. */
export function splitCrons(text: string): string[] {
  return text.split(' and ');
}
