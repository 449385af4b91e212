import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { type Command, Option } from 'commander';
import { refuseInsideRun } from '../../app/insideRun';
import { describeUnapproved } from '../../app/leftWords';
import { takePicture } from '../../app/picture';
import { isProblem, Problem } from '../../domain/problem';
import { makePrivateFolder, PRIVATE_FILE } from '../../platform/files';
import type { Act } from '../action';
import type { Context } from '../context';
import { FAILED, OK } from '../exitCodes';
import type { CronTimes } from '../schedule/cronTimes';
import type { Installed, Scheduler } from '../schedule/entry';
import {
  EVERY,
  findUnkeptPayers,
  planEntry,
  readTiming,
  SCHEDULED_WORK,
  scheduleLog,
  type Timing,
} from '../schedule/plan';
import { chooseScheduler, listSchedulers } from '../schedule/schedulers';

interface ScheduleOptions extends Timing {
  readonly by?: string;
  readonly remove?: true;
}

export function defineSchedule(program: Command, act: Act): void {
  const command = program
    .command('schedule')
    .description(
      'let this machine work on the queue by itself: install "work --until-empty", show it, or remove it',
    )
    .addOption(new Option('--every <interval>', 'again and again').choices(Object.keys(EVERY)))
    .option('--weekdays', 'every hour from 9 to 18, Monday to Friday')
    .option('--cron <expression>', 'at times of your own: "minute hour day month weekday"')
    .addOption(new Option('--by <program>', 'what starts it (default: what this machine has)').choices(BY))
    .option('--remove', 'take it away again');
  act(command, (context, _args, options: ScheduleOptions) => {
    const times = readTiming(options);
    if (options.remove === true && times !== null) {
      throw new Problem(
        'usage',
        '--remove stands alone: it takes away whatever is installed for this queue.',
      );
    }
    if (options.remove === true) return remove(context);
    return times === null ? show(context) : install(context, times, options.by);
  });
}

const BY = ['systemd', 'crontab', 'launchd'];

async function install(context: Context, times: CronTimes, by: string | undefined): Promise<number> {
  const { system } = context;
  await context.configureStrictly();
  await context.withQueue((queue) => refuseInsideRun(context, queue, 'schedule work'));
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
  system.out(`Scheduled by ${chosen.kind}, by this machine's clock: ${times.text}`);
  system.out(`It starts "${SCHEDULED_WORK.join(' ')}"; what that says is added to ${entry.log}.`);
  system.out(chosen.condition);
  await tellUnapproved(context);
  const payers = findUnkeptPayers(system.env);
  if (payers.length > 0) {
    system.err(
      `${payers.join(' and ')} ${payers.length === 1 ? 'is' : 'are'} set here and not written into a schedule: what is scheduled has only the sign-in that Claude Code keeps itself, and is billed to that.`,
    );
  }
  return OK;
}

/** Nobody is there to be asked when it starts. */
async function tellUnapproved(context: Context): Promise<void> {
  const picture = await context.withQueue((queue) => takePicture(context, queue));
  for (const line of describeUnapproved(picture)) context.system.out(line);
}

async function show(context: Context): Promise<number> {
  const { system } = context;
  const { found, unseen } = await lookAround(context);
  for (const { kind, cron, trouble } of found) {
    system.out(`Scheduled by ${kind}, by this machine's clock: ${cron}`);
    if (trouble !== undefined) system.err(`But ${trouble}.`);
  }
  if (found.length === 0) {
    system.out(describeNothing(context, unseen));
    system.out('Choose --every 30m (or 15m, 1h), --weekdays, or --cron "0 9-18 * * 1-5".');
  } else system.out(`What it says is added to ${scheduleLog(context)}.`);
  return found.some(({ trouble }) => trouble !== undefined) ? FAILED : OK;
}

/** What was found by looking wherever something may be installed. */
interface Found {
  readonly found: readonly (Installed & Pick<Scheduler, 'kind'>)[];
  /** Where it could not be looked. */
  readonly unseen: readonly string[];
}

async function lookAround({ system, queueFile }: Context): Promise<Found> {
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

function describeNothing({ queueFile }: Context, unseen: readonly string[]): string {
  const seen =
    unseen.length === 0 ? '' : `, as far as can be seen: there is no ${unseen.join(' or ')} to ask`;
  return `Nothing is scheduled for ${queueFile}${seen}.`;
}

async function remove(context: Context): Promise<number> {
  const { system, queueFile } = context;
  await refuseRemovalInsideRun(context);
  const removed = await removeFrom(listSchedulers(system), queueFile);
  system.out(
    removed.length === 0
      ? describeNothing(context, (await lookAround(context)).unseen)
      : `Nothing starts work on ${queueFile} by itself any more (was: ${removed.join(', ')}).`,
  );
  return OK;
}

/** A schedule outlives its queue file, and must be removable then too. */
async function refuseRemovalInsideRun(context: Context): Promise<void> {
  const what = 'change a schedule';
  try {
    await context.withQueue((queue) => refuseInsideRun(context, queue, what));
  } catch (error) {
    if (!isProblem(error, 'queue-missing')) throw error;
    await refuseInsideRun(context, null, what);
  }
}

/** Gives the names of those that had something. */
async function removeFrom(schedulers: readonly Scheduler[], queueFile: string): Promise<string[]> {
  const removed: string[] = [];
  for (const scheduler of schedulers) if (await scheduler.remove(queueFile)) removed.push(scheduler.kind);
  return removed;
}
