import * as path from 'node:path';
import { isProblem, Problem } from '../../domain/problem';
import { homeFolder } from '../../platform/files/paths';
import { Crontab } from './crontab';
import type { Installed, Scheduler } from './entry';
import { LaunchAgents } from './launchd';
import type { Scheduling, SchedulingSystem } from './scheduling';
import { SystemdTimers } from './systemd';

/** Returns the schedulers of this operating system, the preferred one first. */
export function listSchedulers({ env, scheduling, clock }: SchedulingSystem): readonly Scheduler[] {
  const { platform, userId, run } = scheduling;
  const home = homeFolder(env);
  const crontab = new Crontab(run);
  if (platform === 'darwin') {
    return [new LaunchAgents(run, path.join(home, 'Library', 'LaunchAgents'), userId, clock), crontab];
  }
  const config = env['XDG_CONFIG_HOME'];
  const folder = config !== undefined && path.isAbsolute(config) ? config : path.join(home, '.config');
  return [new SystemdTimers(run, path.join(folder, 'systemd', 'user')), crontab];
}

/** Returns the lines of the user's crontab that start `queue_manager.sh` in this folder. */
export async function findScriptLines({ run }: Scheduling, folder: string): Promise<readonly string[]> {
  return new Crontab(run).findScripts(folder);
}

/** Removes the lines that `findScriptLines` returns. */
export async function removeScriptLines({ run }: Scheduling, folder: string): Promise<void> {
  await new Crontab(run).removeScripts(folder);
}

/** Installed timer of a queue, with the name of its scheduler. */
export interface InstalledTimer extends Installed, Pick<Scheduler, 'kind'> {}

/** Installed timers of a queue, in all schedulers. */
export interface Found {
  readonly found: readonly InstalledTimer[];
  /** Schedulers that could not be read. */
  readonly unseen: readonly string[];
}

/** Finds the installed timers of this queue in all schedulers. */
export async function findInstalledTimers(system: SchedulingSystem, queueFile: string): Promise<Found> {
  const found = [];
  const unseen = [];
  for (const scheduler of listSchedulers(system)) {
    const { kind } = scheduler;
    try {
      const installed = await scheduler.find(queueFile);
      if (installed !== null) found.push({ kind, ...installed });
    } catch (error) {
      if (!isProblem(error, 'scheduler-missing')) throw error;
      unseen.push(kind);
    }
  }
  return { found, unseen };
}

/**
 * Returns the scheduler that the user names, or the first that this machine has.
 * @throws Problem `usage`, `scheduler-missing`
 */
export async function chooseScheduler(
  schedulers: readonly Scheduler[],
  name: string | undefined,
): Promise<Scheduler> {
  const candidates = schedulers.filter(({ kind }) => name === undefined || kind === name);
  const kinds = schedulers.map(({ kind }) => kind).join(' or ');
  if (candidates.length === 0)
    throw new Problem('usage', `This system has no ${String(name)}: --by takes ${kinds}.`);
  for (const candidate of candidates) if (await candidate.isThere()) return candidate;
  throw new Problem(
    'scheduler-missing',
    name === undefined
      ? `Neither ${kinds.replace(' or ', ' nor ')} can be used here. Install cron (on Debian and Ubuntu: apt install cron), or sign in where "systemctl --user" answers.`
      : `${name} cannot be used here: ${ADVICE[name] ?? 'it is not installed'}.`,
  );
}

const ADVICE: Readonly<Record<string, string>> = {
  crontab: 'install cron (on Debian and Ubuntu: apt install cron)',
  systemd: '"systemctl --user" finds no session; sign in on this machine directly, or use --by crontab',
};
