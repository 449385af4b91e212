import { CALLBACK_SECRETS, REDIS_CA_FILE, REDIS_PASSWORD_FILE } from '../../platform/processes/environment';
import * as path from 'node:path';
import { describeForeignCron } from '../../platform/text/sentences';
import { queueKey } from '../../account/approvals';
import { CLOUD_SWITCHES, findSet, KEY_VARIABLES, TOKEN_VARIABLE } from '../../claude/installation/signIn';
import { Problem } from '../../domain/problem';
import { environmentName } from '../../domain/settings/settings';
import { findForeignCron } from '../../domain/time/schedule';
import { SETTINGS } from '../../domain/settings/settingList';
import { userStateFolder } from '../../platform/files/paths';
import { t } from '../../platform/text/translate';
import type { QueueContext } from '../context/queueContext';
import { type CronTimes, parseCronTimes } from './cronTimes';
import type { Entry } from './entry';
import type { Scheduling } from './scheduling';

/** Intervals to choose from. */
export const EVERY = {
  '15m': ['*/15 * * * *'],
  '30m': ['*/30 * * * *'],
  '1h': ['0 * * * *'],
  // From midnight on: a usage window lasts five hours.
  '4.5h': ['0 0,9,18 * * *', '30 4,13,22 * * *'],
  '5h': ['0 */5 * * *'],
} as const;
/** Every hour from 9 to 18, on working days. */
const WEEKDAYS_HOURLY = '0 9-18 * * 1-5';

/** Options for the times; at most one is set. */
export interface Timing {
  readonly every?: keyof typeof EVERY;
  readonly weekdays?: true;
  readonly cron?: string;
}

/** Returns the chosen times; null if none were. @throws Problem `usage` */
export function readTiming({ every, weekdays, cron }: Timing): readonly CronTimes[] | null {
  const asked: (readonly string[])[] = [
    ...(every === undefined ? [] : [EVERY[every]]),
    ...(weekdays === undefined ? [] : [[WEEKDAYS_HOURLY]]),
    ...(cron === undefined ? [] : [[cron]]),
  ];
  const [expressions, ...others] = asked;
  if (expressions === undefined) return null;
  if (others.length > 0) throw new Problem('usage', t('Give one of --every, --weekdays and --cron.'));
  return expressions.map(readExpression);
}

function readExpression(expression: string): CronTimes {
  const times = parseCronTimes(expression);
  if (times !== null) return times;
  const foreign = findForeignCron(expression);
  if (foreign !== null)
    throw new Problem('usage', t('In "{0}", {1}.', expression, describeForeignCron(foreign)));
  throw new Problem(
    'usage',
    t(
      '"{0}" is not a valid cron expression: give minute, hour, day, month and day of the week, such as "0 9-18 * * 1-5".',
      expression,
    ),
  );
}

/** Scheduled command; it lifts no pause that a bound left. */
export const SCHEDULED_WORK = ['work', '--until-empty', '--alone', '--scheduled'] as const;

/**
 * Plans an entry that works on this queue until nothing is left, unless a worker is already running.
 * @throws Problem `claude-missing`
 */
export async function planEntry(
  queueContext: QueueContext,
  { program }: Scheduling,
  times: Entry['times'],
): Promise<Entry> {
  const { queueFile, host } = queueContext;
  const claude = await queueContext.findClaude();
  return {
    queueFile,
    times,
    command: [...program, ...nameQueue(queueContext), '--claude', claude.path, ...SCHEDULED_WORK],
    environment: keepEnvironment(host.env),
    log: scheduleLog(queueContext),
  };
}

function nameQueue({ queueFile, redis }: QueueContext): readonly string[] {
  return redis === null ? ['--queue', queueFile] : ['--redis', redis.url];
}

/**
 * Log file of scheduled work. It is in the user's own folder: schedulers write it themselves, and would follow a link
 * that a repository has in the queue's folder.
 */
export function scheduleLog({ queueFile, host }: QueueContext): string {
  return path.join(userStateFolder(host.env), 'schedules', `${queueKey(queueFile)}.log`);
}

/**
 * Variables that lead to approvals, gates, settings and the sign-in; a scheduler needs no others of the user's shell.
 */
const KEPT = [
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'CLAUDE_CONFIG_DIR',
  'TZ',
  'LANG',
  REDIS_PASSWORD_FILE,
  REDIS_CA_FILE,
];

type Environment = Readonly<Record<string, string | undefined>>;

function keepEnvironment(env: Environment): Record<string, string> {
  const settings = SETTINGS.filter(({ name }) => name !== 'claude').map(({ name }) => environmentName(name));
  const names = [...KEPT, ...settings].filter((name) => !CALLBACK_SECRETS.includes(name));
  const kept = names.flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return { PATH: keepPath(env['PATH'] ?? ''), ...Object.fromEntries(kept) };
}

/** Returns each absolute folder of a PATH once. */
function keepPath(text: string): string {
  const folders = text.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return [...new Set(folders)].join(path.delimiter);
}

/**
 * Returns the payers of this shell that scheduled runs do not have. These are keys, which are never written down, and
 * switches to a cloud provider, which need a sign-in.
 */
export function findUnkeptPayers(env: Environment): string[] {
  return findSet([...KEY_VARIABLES, TOKEN_VARIABLE, ...CLOUD_SWITCHES], env);
}

/** Returns the variables of this shell with the secrets of callbacks, which a schedule does not store either. */
export function findUnkeptCallbacks(env: Environment): string[] {
  return findSet(CALLBACK_SECRETS, env);
}
