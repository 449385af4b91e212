import { createHash } from 'node:crypto';
import { Problem } from '../../domain/problem';
import type { CronTimes } from './cronTimes';

/** What is to be started by the clock, for one queue. */
export interface Entry {
  /** The queue file, absolute. */
  readonly queueFile: string;
  /** One of these times. */
  readonly times: readonly CronTimes[];
  /** Program and arguments, the program absolute. */
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  /** Its output is appended to this file. */
  readonly log: string;
}

/** What is installed for a queue. */
export interface Installed {
  /** As cron expressions. */
  readonly crons: readonly string[];
  /** Set where it does not start anything as it is: what is wrong with it. */
  readonly trouble?: string;
}

/** One way to have programs started by the clock. */
export interface Scheduler {
  /** As the user calls it: `crontab`, `systemd`, `launchd`. */
  readonly kind: string;
  /** What else has to be the case, and the program cannot see to. */
  readonly condition: string;
  /** Whether this machine has it, for this user. */
  isThere(): Promise<boolean>;
  /** What is installed for the queue file; null: nothing. @throws Problem `scheduler-missing` where it cannot look */
  find(queueFile: string): Promise<Installed | null>;
  /** Installs the entry in the place of the queue's last one. @throws Problem `usage`, `scheduler-failed` */
  install(entry: Entry): Promise<void>;
  /** Takes the queue's entry away, and nobody else's; whether there was one. @throws Problem `scheduler-failed` */
  remove(queueFile: string): Promise<boolean>;
}

/** Names the entry of a queue file among those of other queues. */
export function nameEntry(queueFile: string): string {
  return `claude-queue-${createHash('sha256').update(queueFile).digest('hex').slice(0, NAME_LENGTH)}`;
}

const NAME_LENGTH = 16;

/** Every text that an entry holds. */
export function textsOf({ command, environment, log }: Entry): string[] {
  return [...command, ...Object.values(environment), log];
}

/** No format that is written here can hold them within a text. @throws Problem `usage` */
export function refuseControlCharacters(entry: Entry): void {
  const bad = textsOf(entry).find((text) => /\p{Cc}/u.test(text));
  if (bad === undefined) return;
  throw new Problem(
    'usage',
    `${JSON.stringify(bad)} contains a line break or another control character, which a schedule does not support. Rename it.`,
  );
}

/** What a program of the system said, when it did not do what it was asked for. */
export function refusalOf(
  what: string,
  { err, out }: { readonly err: string; readonly out: string },
): Problem {
  const said = (err.trim() || out.trim()).split('\n', 1)[0] ?? '';
  return new Problem('scheduler-failed', `${what} failed${said === '' ? '.' : `: ${said}`}`);
}

/** Cron expressions as one text. */
export function joinCrons(crons: readonly string[]): string {
  return crons.join(' and ');
}

/** What `joinCrons` joined. */
export function splitCrons(text: string): string[] {
  return text.split(' and ');
}
