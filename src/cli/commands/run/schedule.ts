import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { type Command, Option } from 'commander';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import { describeUnapproved } from '../../../app/present/leftover';
import { buildViewModel } from '../../../app/viewModel/queueViewModel';
import { isProblem, Problem } from '../../../domain/problem';
import { makePrivateFolder, PRIVATE_FILE } from '../../../platform/files/files';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { FAILED, OK } from '../../exitCodes';
import { ask, confirm } from '../../ask';
import { type Entry, joinCrons, type Scheduler } from '../../schedule/entry';
import {
  EVERY,
  findUnkeptPayers,
  planEntry,
  readTiming,
  SCHEDULED_WORK,
  scheduleLog,
  type Timing,
} from '../../schedule/plan';
import {
  chooseScheduler,
  findScriptLines,
  listSchedulers,
  findInstalledTimers,
  removeScriptLines,
} from '../../schedule/schedulers';

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
    .option('--cron <expression>', 'start at these times: "minute hour day month weekday"')
    .addOption(
      new Option('--by <program>', 'the scheduler to use (default: what this machine has)').choices(BY),
    )
    .option('--remove', 'remove the timer')
    .option('--yes', 'replace a crontab line that starts queue_manager.sh for this queue without asking');
  act(command, async (context, _args, options: ScheduleOptions) => {
    const times = readTiming(options);
    if (options.remove === true && times !== null) {
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
  const every = Object.keys(EVERY) as (keyof typeof EVERY)[];
  const choices: Timing[] = [...every.map((one) => ({ every: one })), { weekdays: true }];
  if (system.keyboard === null) return null;
  every.forEach((one, index) => {
    system.out(`${String(index + 1)}) every ${one}`);
  });
  system.out(`${String(choices.length)}) every hour from 9 to 18, Monday to Friday`);
  const answer = await ask(system, 'Install which? A number, a cron expression, or Enter for none');
  if (answer === null || answer === '') return null;
  return readTiming(choices[Number(answer) - 1] ?? { cron: answer });
}

async function install(
  context: Context,
  times: Entry['times'],
  { by, yes }: Pick<ScheduleOptions, 'by' | 'yes'>,
): Promise<number> {
  const { system } = context;
  await context.configureStrictly();
  await context.withQueue((queue) => refuseInsideAttempt(context, queue, 'schedule work'));
  const schedulers = listSchedulers(system);
  const chosen = await chooseScheduler(schedulers, by);
  const entry = await planEntry(context, times);
  await makePrivateFolder(path.dirname(entry.log));
  await (await fs.open(entry.log, 'a', PRIVATE_FILE)).close();
  await chosen.install(entry);
  await removeFrom(
    schedulers.filter((other) => other !== chosen),
    context.queueFile,
  );
  const crons = times.map(({ text }) => text);
  await context.withQueue((queue) => queue.recordTimer({ by: chosen.kind, crons }, system.createId()));
  system.out(`Scheduled by ${chosen.kind}, by this machine's clock: ${joinCrons(crons)}`);
  system.out(`It starts "${SCHEDULED_WORK.join(' ')}" and appends its output to ${entry.log}.`);
  system.out(chosen.condition);
  await replaceScripts(context, yes === true);
  await showUnapproved(context);
  const payers = findUnkeptPayers(system.env);
  if (payers.length > 0) {
    system.err(
      `${payers.join(' and ')} ${payers.length === 1 ? 'is' : 'are'} set here and not stored in a schedule. Scheduled attempts use the sign-in that Claude Code keeps, and are billed to it.`,
    );
  }
  return OK;
}

/** Removes crontab lines of the scripts, if the user agrees: two programs must not process the same rows. */
async function replaceScripts({ system, paths }: Context, isAgreed: boolean): Promise<void> {
  const lines = await findScriptLines(system, paths.folder);
  if (lines.length === 0) return;
  const shown = lines.map((line) => `  ${line}`).join('\n');
  const question = `The crontab also starts queue_manager.sh for this queue:\n${shown}\nRemove that?`;
  if (!isAgreed && !(await confirm(system, question))) {
    system.err(
      `The crontab still starts queue_manager.sh for this queue, too:\n${shown}\nUse --yes to remove it.`,
    );
    return;
  }
  await removeScriptLines(system, paths.folder);
  system.out(`Removed from the crontab:\n${shown}`);
}

/** Warns about unapproved tasks: a scheduled start cannot ask the user. */
async function showUnapproved(context: Context): Promise<void> {
  const viewModel = await context.withQueue((queue) => buildViewModel(context, queue));
  for (const line of describeUnapproved(viewModel)) context.system.out(line);
}

async function show(context: Context): Promise<number> {
  const { system } = context;
  const { found, unseen } = await findInstalledTimers(system, context.queueFile);
  for (const { kind, crons, trouble } of found) {
    system.out(`Scheduled by ${kind}, by this machine's clock: ${joinCrons(crons)}`);
    if (trouble !== undefined) system.err(`But ${trouble}.`);
  }
  if (found.length === 0) {
    system.out(describeNothing(context, unseen));
    system.out('Choose --every 30m (or 15m, 1h, 4.5h, 5h), --weekdays, or --cron "0 9-18 * * 1-5".');
  } else system.out(`Its output is appended to ${scheduleLog(context)}.`);
  return found.some(({ trouble }) => trouble !== undefined) ? FAILED : OK;
}

function describeNothing({ queueFile }: Context, unseen: readonly string[]): string {
  const seen = unseen.length === 0 ? '' : ` that can be seen here: there is no ${unseen.join(' or ')} to ask`;
  return `No timer is installed for ${queueFile}${seen}.`;
}

async function remove(context: Context): Promise<number> {
  const { system, queueFile } = context;
  await refuseRemovalInsideAttempt(context);
  const removed = await removeFrom(listSchedulers(system), queueFile);
  await forgetTimer(context);
  system.out(
    removed.length === 0
      ? describeNothing(context, (await findInstalledTimers(system, queueFile)).unseen)
      : `Removed the schedule for ${queueFile} (was: ${removed.join(', ')}).`,
  );
  return OK;
}

async function forgetTimer(context: Context): Promise<void> {
  try {
    await context.withQueue(async (queue) => {
      if ((await queue.read()).timer !== null) await queue.recordTimer(null, context.system.createId());
    });
  } catch (error) {
    if (!isProblem(error, 'queue-missing')) throw error;
  }
}

/** Refuses removal by an attempt. A schedule may outlive its queue file and can be removed then too. */
async function refuseRemovalInsideAttempt(context: Context): Promise<void> {
  const what = 'change a schedule';
  try {
    await context.withQueue((queue) => refuseInsideAttempt(context, queue, what));
  } catch (error) {
    if (!isProblem(error, 'queue-missing')) throw error;
    await refuseInsideAttempt(context, null, what);
  }
}

/** Removes the schedule everywhere; returns the names of the schedulers that had one. */
async function removeFrom(schedulers: readonly Scheduler[], queueFile: string): Promise<string[]> {
  const removed: string[] = [];
  for (const scheduler of schedulers) if (await scheduler.remove(queueFile)) removed.push(scheduler.kind);
  return removed;
}
