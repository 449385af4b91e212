import { type Command, Option } from 'commander';
import { describeUnapproved } from '../../../app/present/leftover';
import {
  describeGone,
  describeNoSchedule,
  describeRemoved,
  describeSchedule,
  describeScheduledWork,
  describeUnkept,
  TIMINGS,
} from '../../../app/present/timers/schedule';
import type { Entry } from '../../../app/schedule/scheduler';
import { scheduleLog } from '../../../app/schedule/scheduledCommand';
import { EVERY, readTiming, type Timing } from '../../../app/schedule/timing';
import {
  findInstalledTimers,
  findScriptLines,
  removeScriptLines,
} from '../../../app/schedule/installedTimers';
import {
  installSchedule,
  planSchedule,
  recordInstalled,
  removeSchedule,
} from '../../../app/schedule/installSchedule';
import { buildViewModel } from '../../../app/viewModel/queueViewModel';
import { isProblem, Problem } from '../../../domain/problem';
import type { Timer } from '../../../domain/queue/missingWorker';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { FAILED, OK } from '../../exitCodes';
import { ask, confirm } from '../../ask';
import { collectTexts } from '../../options/parseArguments';

interface ScheduleOptions extends Timing {
  readonly by?: string;
  readonly remove?: true;
  readonly yes?: true;
}

export function defineSchedule(program: Command, act: Act): void {
  const command = program
    .command('schedule')
    .description('install, show or remove a timer that runs "work --until-empty"')
    .addOption(new Option('--every <interval>', 'start at this interval (30m)').choices(Object.keys(EVERY)))
    .option('--weekdays', 'every hour from 9 to 18, Monday to Friday')
    .option(
      '--cron <expression>',
      'start at these times: "minute hour day month weekday"; may be repeated',
      collectTexts,
    )
    .addOption(
      new Option('--by <program>', 'the scheduler to use (default: what this machine has)').choices(BY),
    )
    .option('--remove', 'remove the timer')
    .option('--yes', 'replace a crontab line that starts queue_manager.sh for this queue without asking');
  act(command, async (context, _args, options: ScheduleOptions) => {
    const times = readTiming(options);
    if (options.remove === true && (times !== null || options.by !== undefined)) {
      throw new Problem('usage', 'Use --remove alone: it removes every timer of this queue.');
    }
    if (options.remove === true) return remove(context);
    if (times !== null) return install(context, times, options);
    const code = await show(context);
    const chosen = await askForTimes(context);
    return chosen === null ? code : install(context, chosen, options);
  });
}

const BY = ['systemd', 'crontab', 'launchd'];

/** Asks for one of the times that the scripts' `setup_cron.sh` and its manual offer; null without an answer. */
async function askForTimes({ system }: Context): Promise<Entry['times'] | null> {
  if (system.keyboard === null) return null;
  TIMINGS.forEach(({ label }, index) => {
    system.out(`${String(index + 1)}) ${label}`);
  });
  const answer = await ask(system, 'Install which? A number, a cron expression, or Enter for none');
  if (answer === null || answer === '') return null;
  return readTiming(TIMINGS[Number(answer) - 1]?.timing ?? { cron: [answer] });
}

async function install(
  context: Context,
  times: Entry['times'],
  { by, yes }: Pick<ScheduleOptions, 'by' | 'yes'>,
): Promise<number> {
  const { system } = context;
  const { scheduler, entry } = await context.withQueue(async (queue) => {
    const planned = await planSchedule(context, queue, system.scheduling, { times, by });
    await installSchedule(context, queue, system.scheduling, planned);
    return planned;
  });
  const crons = times.map(({ text }) => text);
  system.out(describeSchedule(scheduler.kind, crons));
  system.out(describeScheduledWork(entry));
  system.out(scheduler.condition);
  await replaceScripts(context, yes === true);
  await showUnapproved(context);
  for (const line of describeUnkept(system.env)) system.err(line);
  return OK;
}

/** Removes crontab lines of the scripts, if the user agrees: two programs must not process the same rows. */
async function replaceScripts({ system, paths }: Context, isAgreed: boolean): Promise<void> {
  const lines = await findScriptLines(system.scheduling, paths.folder);
  if (lines.length === 0) return;
  const shown = lines.map((line) => `  ${line}`).join('\n');
  const question = `The crontab also starts queue_manager.sh for this queue:\n${shown}\nRemove that?`;
  if (!isAgreed && !(await confirm(system, question))) {
    system.err(
      `The crontab still starts queue_manager.sh for this queue, too:\n${shown}\nUse --yes to remove it.`,
    );
    return;
  }
  await removeScriptLines(system.scheduling, paths.folder);
  system.out(`Removed from the crontab:\n${shown}`);
}

/** Warns about unapproved tasks: a scheduled start cannot ask the user. */
async function showUnapproved(context: Context): Promise<void> {
  const viewModel = await context.withQueue((queue) => buildViewModel(context, queue));
  for (const line of describeUnapproved(viewModel)) context.system.out(line);
}

async function show(context: Context): Promise<number> {
  const { system, queueFile } = context;
  const { found, unseen } = await findInstalledTimers(system, queueFile);
  for (const { kind, crons, trouble } of found) {
    system.out(describeSchedule(kind, crons));
    if (trouble !== undefined) system.err(`But ${trouble}.`);
  }
  if (found.length === 0) {
    system.out(describeNoSchedule(queueFile, unseen));
    system.out('Choose --every 30m (or 15m, 1h, 4.5h, 5h), --weekdays, or --cron "0 9-18 * * 1-5".');
    return (await reportGone(context, unseen)) ? FAILED : OK;
  }
  system.out(`Its output is appended to ${scheduleLog(context)}.`);
  await recordEdited(context);
  return found.some(({ trouble }) => trouble !== undefined) ? FAILED : OK;
}

/** Says if a timer was installed that is in no scheduler now. One of a queue in Redis may be on another machine. */
async function reportGone(context: Context, unseen: readonly string[]): Promise<boolean> {
  if (context.redis !== null) return false;
  const timer = await readTimer(context);
  if (timer === null || unseen.includes(timer.by)) return false;
  context.system.err(describeGone(timer));
  return true;
}

/** Returns the recorded timer; null also if the queue cannot be read. */
function readTimer(context: Context): Promise<Timer | null> {
  return withReadable(context, async (queue) => (await queue.read()).timer);
}

/** Records the times of a timer that the user edited. */
async function recordEdited(context: Context): Promise<void> {
  await withReadable(context, (queue) => recordInstalled(context, queue, context.system.scheduling));
}

/** Runs work with the queue; returns null if the queue cannot be read or written, which other commands say. */
async function withReadable<T>(context: Context, work: (queue: TaskQueue) => Promise<T>): Promise<T | null> {
  try {
    return await context.withQueue(work);
  } catch (error) {
    if (!isProblem(error)) throw error;
    return null;
  }
}

async function remove(context: Context): Promise<number> {
  const { system, queueFile } = context;
  const removed = await withQueueIfThere(context, (queue) =>
    removeSchedule(context, queue, system.scheduling),
  );
  system.out(
    removed.length === 0
      ? describeNoSchedule(queueFile, (await findInstalledTimers(system, queueFile)).unseen)
      : describeRemoved(queueFile, removed),
  );
  return OK;
}

/** Runs work with the queue, or with null if it is gone: a schedule may outlive its queue file. */
async function withQueueIfThere<T>(
  context: Context,
  work: (queue: TaskQueue | null) => Promise<T>,
): Promise<T> {
  try {
    return await context.withQueue(work);
  } catch (error) {
    if (!isProblem(error, 'queue-missing')) throw error;
    return work(null);
  }
}
