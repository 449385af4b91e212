import * as path from 'node:path';
import { isProblem, Problem } from '../../domain/problem';
import { homeFolder } from '../../platform/files/paths';
import { t } from '../../platform/text/translate';
import { Crontab } from './crontab';
import type { Installed, Scheduler, Scheduling, SchedulingSystem } from './scheduler';
import { LaunchAgents } from './launchd';
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
  const kinds = schedulers.map(({ kind }) => kind);
  if (candidates.length === 0)
    throw new Problem(
      'usage',
      t('This system has no {0}: --by takes {1}.', String(name), kinds.join(t(' or '))),
    );
  for (const candidate of candidates) if (await candidate.isThere()) return candidate;
  throw new Problem(
    'scheduler-missing',
    name === undefined
      ? t(
          'Neither {0} can be used here. Install cron (on Debian and Ubuntu: apt install cron), or sign in where "systemctl --user" answers.',
          kinds.join(t(' nor ')),
        )
      : t('{0} cannot be used here: {1}.', name, ADVICE[name] ?? t('it is not installed')),
  );
}

const ADVICE: Readonly<Record<string, string>> = {
  crontab: t(
    'install cron (on Debian and Ubuntu: apt install cron), or get permission in /etc/cron.allow or /etc/cron.deny',
  ),
  systemd: t('"systemctl --user" finds no session; sign in on this machine directly, or use --by crontab'),
};
