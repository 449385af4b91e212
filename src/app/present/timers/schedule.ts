import { nextStart } from '../../../domain/queue/missingWorker';
import { formatTime, type Moment } from '../../../domain/time/moment';
import { REDIS_PASSWORD } from '../../../platform/processes/environment';
import { type Entry, joinCrons, type Installed, type Scheduler } from '../../schedule/entry';
import { EVERY, findUnkeptPayers, SCHEDULED_WORK, type Timing } from '../../schedule/plan';

/** Times to choose from, each with its words. */
export const TIMINGS: readonly { readonly label: string; readonly timing: Timing }[] = [
  ...(Object.keys(EVERY) as (keyof typeof EVERY)[]).map((every) => ({
    label: `every ${every}`,
    timing: { every },
  })),
  { label: 'every hour from 9 to 18, Monday to Friday', timing: { weekdays: true } },
];

/** Describes when a timer starts the worker. */
export function describeSchedule(kind: Scheduler['kind'], crons: readonly string[]): string {
  return `Scheduled by ${kind}, by this machine's clock: ${joinCrons(crons)}`;
}

/** Describes the next start of an installed timer; null if its times cannot be read. */
export function describeNextStart({ crons }: Installed, moment: Moment): string | null {
  const next = nextStart(crons, moment.now, moment.timeZone);
  return next === null ? null : `Next start: ${formatTime(next, moment)}.`;
}

/** Describes that there is no timer. `unseen` are the schedulers that could not be asked. */
export function describeNoSchedule(queueFile: string, unseen: readonly string[]): string {
  const seen = unseen.length === 0 ? '' : ` that can be seen here: there is no ${unseen.join(' or ')} to ask`;
  return `No timer is installed for ${queueFile}${seen}.`;
}

/** Describes what a timer of this entry starts. */
export function describeScheduledWork({ log }: Pick<Entry, 'log'>): string {
  return `It starts "${SCHEDULED_WORK.join(' ')}" and appends its output to ${log}.`;
}

/** Describes removed timers; `removed` has the names of their schedulers, at least one. */
export function describeRemoved(queueFile: string, removed: readonly string[]): string {
  return `Removed the schedule for ${queueFile} (was: ${removed.join(', ')}).`;
}

/** Warns about secrets of this environment that a schedule does not have, one sentence each. */
export function describeUnkept(env: Readonly<Record<string, string | undefined>>): string[] {
  const payers = findUnkeptPayers(env);
  return [
    ...(payers.length === 0
      ? []
      : [
          `${payers.join(' and ')} ${payers.length === 1 ? 'is' : 'are'} set here and not stored in a schedule. Scheduled attempts use the sign-in that Claude Code keeps, and are billed to it.`,
        ]),
    ...((env[REDIS_PASSWORD] ?? '') === ''
      ? []
      : [
          `The password of the queue in Redis is not stored in a schedule. Write it to a file that only you can read, and name that file with CLAUDE_QUEUE_REDIS_PASSWORD_FILE.`,
        ]),
  ];
}
