import { nextStart, type Timer } from '../../../domain/queue/missingWorker';
import { formatTime, type Moment } from '../../../domain/time/moment';
import { REDIS_PASSWORD } from '../../../platform/processes/environment';
import { quoteCommand } from '../../../platform/text/commandName';
import { t } from '../../../platform/text/translate';
import { type Entry, joinCrons, type Installed, type Scheduler } from '../../schedule/scheduler';
import {
  findUnkeptCallbacks,
  findUnkeptConnection,
  findUnkeptPayers,
  SCHEDULED_WORK,
} from '../../schedule/scheduledCommand';
import { EVERY, type Timing } from '../../schedule/timing';
import { joinWithAnd, joinWithOr } from '../text';

/** Times to choose from, each with its words. */
export const TIMINGS: readonly { readonly label: string; readonly timing: Timing }[] = [
  ...(Object.keys(EVERY) as (keyof typeof EVERY)[]).map((every) => ({
    label: t('every {0}', every),
    timing: { every },
  })),
  { label: t('every hour from 9 to 18, Monday to Friday'), timing: { weekdays: true } },
];

/** Describes when a timer starts the worker. */
export function describeSchedule(kind: Scheduler['kind'], crons: readonly string[]): string {
  return t("Scheduled by {0}, by this machine's clock: {1}", kind, joinCrons(crons));
}

/** Describes the next start of an installed timer; null if its times cannot be read. */
export function describeNextStart({ crons }: Installed, moment: Moment): string | null {
  const next = nextStart(crons, moment.now, moment.timeZone);
  return next === null ? null : t('Next start: {0}.', formatTime(next, moment));
}

/** Describes that there is no timer. `unseen` are the schedulers that could not be asked. */
export function describeNoSchedule(queueFile: string, unseen: readonly string[]): string {
  return unseen.length === 0
    ? t('No timer is installed for {0}.', queueFile)
    : t(
        'No timer is installed for {0} that can be seen here: there is no {1} to ask.',
        queueFile,
        joinWithOr(unseen),
      );
}

/** Describes that a recorded timer is in no scheduler. */
export function describeGone({ by }: Pick<Timer, 'by'>): string {
  return t(
    'A timer of {0} is recorded for this queue, and it is not there any more. Install it again, or forget it with {1}.',
    by,
    quoteCommand('schedule --remove'),
  );
}

/** Describes what a timer of this entry starts. */
export function describeScheduledWork({ log }: Pick<Entry, 'log'>): string {
  return t('It starts "{0}" and appends its output to {1}.', SCHEDULED_WORK.join(' '), log);
}

/** Describes removed timers; `removed` has the names of their schedulers, at least one. */
export function describeRemoved(queueFile: string, removed: readonly string[]): string {
  return t('Removed the schedule for {0} (was: {1}).', queueFile, removed.join(', '));
}

/** Warns about variables of this environment that a schedule does not have: secrets, proxies, gateway and model. */
export function describeUnkept(env: Readonly<Record<string, string | undefined>>): string[] {
  const payers = findUnkeptPayers(env);
  const connection = findUnkeptConnection(env);
  const callbacks = findUnkeptCallbacks(env);
  return [
    ...(payers.length === 0 ? [] : [describeUnkeptPayers(payers)]),
    ...(connection.length === 0 ? [] : [describeUnkeptConnection(connection)]),
    ...(callbacks.length === 0 ? [] : [describeUnkeptCallbacks(callbacks)]),
    ...((env[REDIS_PASSWORD] ?? '') === ''
      ? []
      : [
          t(
            'The password of the queue in Redis is not stored in a schedule. Write it to a file that only you can read, and name that file with CLAUDE_QUEUE_REDIS_PASSWORD_FILE.',
          ),
        ]),
  ];
}

function describeUnkeptPayers(payers: readonly string[]): string {
  const names = joinWithAnd(payers);
  return payers.length === 1
    ? t(
        '{0} is set here and not stored in a schedule. Scheduled attempts use the sign-in that Claude Code keeps, and are billed to it.',
        names,
      )
    : t(
        '{0} are set here and not stored in a schedule. Scheduled attempts use the sign-in that Claude Code keeps, and are billed to it.',
        names,
      );
}

function describeUnkeptConnection(connection: readonly string[]): string {
  const names = joinWithAnd(connection);
  return connection.length === 1
    ? t(
        '{0} is set here and not stored in a schedule. Scheduled attempts take it only from "env" in your settings of Claude Code.',
        names,
      )
    : t(
        '{0} are set here and not stored in a schedule. Scheduled attempts take them only from "env" in your settings of Claude Code.',
        names,
      );
}

function describeUnkeptCallbacks(callbacks: readonly string[]): string {
  const names = joinWithAnd(callbacks);
  return callbacks.length === 1
    ? t(
        '{0} is set here and not stored in a schedule. Scheduled attempts take callbackSecret and callbackUrl only from your own config.yaml.',
        names,
      )
    : t(
        '{0} are set here and not stored in a schedule. Scheduled attempts take callbackSecret and callbackUrl only from your own config.yaml.',
        names,
      );
}
