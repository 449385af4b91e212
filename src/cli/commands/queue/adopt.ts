import type { Command } from 'commander';
import {
  adopt,
  type Adoptable,
  describeAdoptable,
  describeAdopted,
  describeUndecided,
  findAdoptable,
} from '../../../app/actions/queue/adopt';
import { findForeign } from '../../../app/context/foreignHistory';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import { refuseScripts } from '../../../app/context/scripts';
import { Problem } from '../../../domain/problem';
import type { Decision } from '../../../domain/task/scriptsHistory';
import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { Act } from '../../action';
import { adoptHistory } from '../../adoptHistory';
import { ask, confirm } from '../../ask';
import type { Context } from '../../context';
import { NOTHING, OK } from '../../exitCodes';
import { parseId } from '../../options/parseArguments';

interface AdoptOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly done?: string;
  readonly again?: string;
}

type Decisions = ReadonlyMap<TaskId, Decision>;

export function defineAdopt(program: Command, act: Act): void {
  const command = program
    .command('adopt')
    .description(
      'adopt the history of queue_manager.sh, or one from another machine or user; deletes nothing',
    )
    .option('--dry-run', 'only show what would be adopted')
    .option('--yes', 'do not ask')
    .option('--done <ids>', 'these tasks ran and are done (3,4)')
    .option('--again <ids>', 'these tasks ran and must run again (3,4)');
  act(command, async (context, _args, options: AdoptOptions) => {
    const foreign = await findForeign(context);
    return foreign === null
      ? context.withQueue((queue) => adoptQueue(context, queue, options))
      : adoptHistory(context, foreign, options);
  });
}

async function adoptQueue(context: Context, queue: TaskQueue, options: AdoptOptions): Promise<number> {
  const { system } = context;
  const given = readDecisions(options);
  await refuseInsideAttempt(context, queue, 'adopt a history');
  const found = await findAdoptable(context, queue);
  if (found === null) {
    system.out(`There is nothing to adopt in ${context.paths.state.folder}.`);
    return NOTHING;
  }
  for (const line of describeAdoptable(found, context)) system.out(line);
  if (options.dryRun === true) return OK;
  refuseScripts(context);
  const decisions = options.yes === true ? given : await askAll(context, found, given);
  if (decisions === null) {
    system.out('Nothing was changed.');
    return NOTHING;
  }
  await adopt(context, queue, found, decisions);
  for (const line of describeAdopted(found, decisions)) system.out(line);
  return OK;
}

/** Asks about each undecided task, and whether to continue; null if not. @throws Problem `usage` without a terminal */
async function askAll(context: Context, found: Adoptable, given: Decisions): Promise<Decisions | null> {
  const { system } = context;
  if (system.keyboard === null) {
    throw new Problem(
      'usage',
      'There is no terminal to ask on. Use --yes to adopt this, or --dry-run to preview it.',
    );
  }
  const decisions = new Map(given);
  for (const task of found.undecided.filter(({ id }) => !given.has(id))) {
    const line = describeUndecided(task, context.configuration.last.timeZone);
    const answer = await ask(system, `${line}\nIs it done? [y: done, a: run it again, Enter: decide later]`);
    // The input has ended: it answers nothing more.
    if (answer === null) return null;
    if (/^y(es)?$/i.test(answer)) decisions.set(task.id, 'done');
    if (/^a(gain)?$/i.test(answer)) decisions.set(task.id, 'again');
  }
  return (await confirm(system, 'Adopt this history?')) ? decisions : null;
}

/** Parses the decisions of the options. @throws Problem `usage` */
function readDecisions({ done, again }: AdoptOptions): Decisions {
  const decisions = new Map<TaskId, Decision>();
  for (const [text, decision] of [
    [done, 'done'],
    [again, 'again'],
  ] as const) {
    for (const word of text?.split(',') ?? []) {
      const id = parseId(word.trim());
      if (decisions.has(id)) throw new Problem('usage', `Task ${String(id)} is named twice.`);
      decisions.set(id, decision);
    }
  }
  return decisions;
}
