import type { Command } from 'commander';
import { describeError } from '../../../app/present/problems/problem';
import { describeRowProblem, formatWhere } from '../../../app/present/problems/rowProblem';
import { checkAdoptable } from '../../../app/actions/queue/adopt';
import { describeChecks } from '../../../app/present/checks';
import type { Checked } from '../../../app/checks/checked';
import { checkMachine } from '../../../app/checks/machineCheck';
import { buildViewModel } from '../../../app/viewModel/queueViewModel';
import { checkScripts } from '../../../app/context/scripts';
import { describeMissingWorker } from '../../../app/present/missingWorker';
import { placeSettings, describePlace } from '../../../app/context/settingPlaces';
import { checkTasks } from '../../../app/checks/taskCheck';
import { isProblem } from '../../../domain/problem';
import { hasCode } from '../../../platform/files/files';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { FAILED, OK } from '../../exitCodes';
import { checkQuietly } from '../../quietCheck';
import { findScriptLines } from '../../schedule/schedulers';
import { formatJson } from '../../options/parseArguments';

export function defineCheck(program: Command, act: Act): void {
  const command = program
    .command('check')
    .description('check the queue, the settings and this machine; exit 1 on any problem')
    .option(
      '--quiet',
      'print one line only if something needs attention; starts no program (for a shell prompt)',
    )
    .option('--json', 'print JSON');
  act(command, async (context, _args, options) => {
    if (options['quiet'] === true) return checkQuietly(context);
    const all = await checkAll(context);
    const problems = all.filter(({ state }) => state === 'problem');
    if (options['json'] === true) context.system.out(formatJson(toJson(all)));
    else for (const line of describeChecks(all)) context.system.out(line);
    return problems.length === 0 ? OK : FAILED;
  });
}

/** JSON of the checks. `problems` is a contract; the other fields were added later. */
function toJson(all: readonly Checked[]): object {
  const pick = (wanted: Checked['state']): object[] =>
    all.flatMap(({ state, where, message }) => (state === wanted ? [{ where, message }] : []));
  return { problems: pick('problem'), notes: pick('note'), fine: pick('fine') };
}

async function checkAll(context: Context): Promise<Checked[]> {
  try {
    const wrong = await placeSettings((await context.configure()).problems);
    return [
      ...wrong.map((one) => problem(describePlace(one), one.message)),
      ...(await checkQueue(context)),
      ...checkScripts(context),
      ...(await checkScriptLines(context)),
      ...(await checkMachine(context)),
    ];
  } catch (error) {
    // Without valid settings the queue cannot be read.
    if (isProblem(error, 'settings-invalid')) return [problem('settings', describeError(error))];
    throw error;
  }
}

async function checkQueue(context: Context): Promise<Checked[]> {
  try {
    const [snapshot, adoptable, silent] = await context.withQueue(async (queue) => [
      await queue.read(),
      await checkAdoptable(context, queue),
      await checkForWorkers(context, queue),
    ]);
    const rows = snapshot.problems.map((one) =>
      problem(formatWhere(context.queueFile, one.where), describeRowProblem(one)),
    );
    return [...rows, ...adoptable, ...silent, ...(await checkTasks(context, snapshot))];
  } catch (error) {
    if (isProblem(error)) return [problem(context.queueFile, describeError(error))];
    throw error;
  }
}

/**
 * Checks for work that should continue and does not. None if the user's state folder cannot be read: that is reported
 * separately.
 */
async function checkForWorkers(context: Context, queue: TaskQueue): Promise<Checked[]> {
  try {
    const { missingWorkers, world } = await buildViewModel(context, queue);
    return missingWorkers.found.map((one) => ({
      // A queue without a worker is no problem in itself: the user may start one.
      state: one.kind === 'no-worker' ? 'note' : 'problem',
      where: 'worker',
      message: describeMissingWorker(one, world),
    }));
  } catch (error) {
    if (hasCode(error, 'ENOTDIR', 'EACCES', 'EPERM')) return [];
    throw error;
  }
}

/** Checks for a crontab line that starts `queue_manager.sh` for the same folder. */
async function checkScriptLines({ system, paths }: Context): Promise<Checked[]> {
  try {
    return (await findScriptLines(system, paths.folder)).map((line) =>
      problem('crontab', replaceAdvice(line)),
    );
  } catch (error) {
    if (!isProblem(error)) throw error;
    return [{ state: 'note', where: 'crontab', message: describeError(error) }];
  }
}

function replaceAdvice(line: string): string {
  return `starts queue_manager.sh for this queue: ${line} Replace it with "claude-queue schedule --every 30m --yes".`;
}

const problem = (where: string, message: string): Checked => ({ state: 'problem', where, message });
