import type { Command } from 'commander';
import { describeChecks } from '../../app/checkWords';
import { type Checked, checkMachine } from '../../app/machineCheck';
import { placeSettings, tellPlace } from '../../app/settingPlaces';
import { checkTasks } from '../../app/taskCheck';
import { isProblem } from '../../domain/problem';
import type { Act } from '../action';
import type { Context } from '../context';
import { FAILED, OK } from '../exitCodes';
import { formatJson } from '../words';

export function defineCheck(program: Command, act: Act): void {
  const command = program
    .command('check')
    .description('find every problem of the queue, the settings and this machine: exit 1 if there is any')
    .option('--json', 'for programs');
  act(command, async (context, _args, options) => {
    const all = await checkAll(context);
    const problems = all.filter(({ state }) => state === 'problem');
    if (options['json'] === true) context.system.out(formatJson(toJson(all)));
    else for (const line of describeChecks(all)) context.system.out(line);
    return problems.length === 0 ? OK : FAILED;
  });
}

/** `problems` is a contract; the rest came later. */
function toJson(all: readonly Checked[]): object {
  const pick = (wanted: Checked['state']): object[] =>
    all.flatMap(({ state, where, message }) => (state === wanted ? [{ where, message }] : []));
  return { problems: pick('problem'), notes: pick('note'), fine: pick('fine') };
}

async function checkAll(context: Context): Promise<Checked[]> {
  try {
    const wrong = await placeSettings((await context.configure()).problems);
    return [
      ...wrong.map((one) => problem(tellPlace(one), one.message)),
      ...(await checkQueue(context)),
      ...(await checkMachine(context)),
    ];
  } catch (error) {
    // Without its settings nothing of a queue can be read.
    if (isProblem(error, 'settings-invalid')) return [problem('settings', error.message)];
    throw error;
  }
}

async function checkQueue(context: Context): Promise<Checked[]> {
  try {
    const snapshot = await context.withQueue((queue) => queue.read());
    const rows = snapshot.problems.map(({ line, column, message }) =>
      problem(`${context.queueFile}:${String(line)}:${String(column)}`, message),
    );
    return [...rows, ...(await checkTasks(context, snapshot))];
  } catch (error) {
    if (isProblem(error)) return [problem(context.queueFile, error.message)];
    throw error;
  }
}

const problem = (where: string, message: string): Checked => ({ state: 'problem', where, message });
