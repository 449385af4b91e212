import { CALLBACK_SECRETS, REDIS_CA_FILE, REDIS_PASSWORD_FILE } from '../../platform/processes/environment';
import * as path from 'node:path';
import { queueKey } from '../../account/approvals';
import { CLOUD_SWITCHES, findSet, KEY_VARIABLES, TOKEN_VARIABLE } from '../../claude/installation/signIn';
import { environmentName } from '../../domain/settings/variables';
import { SETTINGS } from '../../domain/settings/settingList';
import { userStateFolder } from '../../platform/files/paths';
import type { QueueContext } from '../context/queueContext';
import type { Entry, Scheduling } from './scheduler';

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

/** Variables with which Claude Code reaches its API, or chooses a model. */
const CONNECTION = [
  'HTTP_PROXY',
  'http_proxy',
  'HTTPS_PROXY',
  'https_proxy',
  'NO_PROXY',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_MODEL',
];

/** Returns the variables of this shell for proxy, gateway and model, which a schedule does not store. */
export function findUnkeptConnection(env: Environment): string[] {
  return findSet(CONNECTION, env);
}
