import type { Command } from 'commander';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import { acceptReviews } from '../../../app/actions/tasks/acceptReviews';
import { decideTask } from '../../../app/actions/tasks/decideTask';
import { nameTask } from '../../../app/present/report/needTexts';
import { formatChanges } from '../../../app/present/report/reportTexts';
import { count } from '../../../app/present/text';
import { peekViewModel } from '../../../app/viewModel/queueViewModel';
import { isVerifiedAndSmall, listReviews, SMALL_LINES } from '../../../app/viewModel/report/reviews';
import type { Review } from '../../../app/viewModel/report/risk';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { quoteCommand } from '../../../platform/text/commandName';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { Act } from '../../action';
import { confirm } from '../../ask';
import type { Context } from '../../context';
import { eachTask } from '../../eachTask';
import { describeChangedSince } from '../../output/attemptFacts';
import { FAILED, NOTHING, OK } from '../../exitCodes';
import { parseCount, parseIds } from '../../options/parseArguments';

interface AcceptOptions {
  readonly verified?: true;
  readonly maxLines?: string;
  readonly all?: true;
  readonly yes?: true;
}

/** Defines `accept`, for named tasks, or for all unreviewed ones that nobody has to look at. */
export function defineAccept(program: Command, act: Act): void {
  const command = program
    .command('accept')
    .description('accept the work of tasks; those in review are completed')
    .argument('[ids...]', 'the tasks')
    .option('--verified', 'accept unreviewed tasks with a passed check, nothing refused and a small change')
    .option(
      '--max-lines <n>',
      `with --verified: lines up to which a change is small (default: ${SMALL_LINES})`,
    )
    .option('--all', 'accept every unreviewed task that is completed')
    .option('--yes', 'do not ask');
  act(command, (context, texts, options: AcceptOptions) => {
    const fits = readSelection(texts, options);
    return context.withQueue((queue) =>
      fits === null ? acceptNamed(context, queue, texts) : acceptListed(context, queue, fits, options),
    );
  });
}

/** Returns which unreviewed tasks are meant; null: those that are named. @throws Problem `usage` */
function readSelection(
  texts: readonly string[],
  { verified, maxLines, all }: AcceptOptions,
): ((review: Review) => boolean) | null {
  if ([texts.length > 0, verified, all].filter((given) => given === true).length !== 1)
    throw new Problem('usage', 'Give task ids, --verified or --all.');
  if (maxLines !== undefined && verified !== true)
    throw new Problem('usage', 'Give --max-lines only with --verified.');
  if (all === true) return ({ task }) => task.end !== 'review';
  if (verified !== true) return null;
  const most = maxLines === undefined ? SMALL_LINES : parseCount(maxLines);
  return (review) => isVerifiedAndSmall(review, most);
}

function acceptNamed(context: Context, queue: TaskQueue, texts: readonly string[]): Promise<number> {
  const { system } = context;
  return eachTask(system, parseIds(texts), async (id) => {
    const verb = 'accept';
    const isDone = await decideTask(context, queue, { id, verb }, (sentence) => {
      system.out(sentence);
    });
    for (const sentence of await describeAccepted(context, queue, id)) system.out(sentence);
    return isDone;
  });
}

/** Says what became of an accepted task: one that repeats has its next time, and one that was changed has not run so. */
async function describeAccepted(context: Context, queue: TaskQueue, id: TaskId): Promise<string[]> {
  const { tasks } = await queue.read();
  const task = tasks.find(({ definition }) => definition.id === id);
  if (task !== undefined && task.state.status !== 'completed') {
    const shown = (await peekViewModel(context, queue)).tasks.find((one) => one.task.definition.id === id);
    const next = shown?.reason.state === 'scheduled' ? `: ${shown.reason.text}` : '';
    return [`Accepted task ${String(id)}, which repeats${next}.`];
  }
  const [last] = await queue.attempts({ id, limit: 1 });
  const changed = last === undefined ? null : describeChangedSince(last, task);
  const retry = quoteCommand(`retry ${String(id)}`);
  return [
    `Task ${String(id)} is completed.`,
    ...(changed === null ? [] : [`${changed} ${retry} runs it as it is now.`]),
  ];
}

/** Lists the unreviewed tasks that fit, asks, and accepts them as they were listed. */
async function acceptListed(
  context: Context,
  queue: TaskQueue,
  fits: (review: Review) => boolean,
  { yes }: AcceptOptions,
): Promise<number> {
  const { system } = context;
  await refuseInsideAttempt(context, queue, 'accept tasks');
  const attempts = await queue.attempts({});
  const chosen = listReviews(await peekViewModel(context, queue), attempts).filter(fits);
  if (chosen.length === 0) {
    system.out('No unreviewed task fits.');
    return OK;
  }
  for (const line of await listChosen(chosen)) system.out(line);
  if (yes !== true && system.keyboard === null)
    throw new Problem('usage', 'There is no terminal to ask on. Use --yes to accept these.');
  if (yes !== true && !(await confirm(system, `Accept ${count(chosen.length, 'task')} as listed?`))) {
    system.out('Nothing was accepted.');
    return NOTHING;
  }
  const done = await acceptReviews(context, queue, chosen);
  system.out(`Accepted ${count(done.length, 'task')}.`);
  const others = chosen.filter(({ task }) => !done.includes(task.id)).map(({ task }) => String(task.id));
  if (others.length > 0) system.err(`Not accepted, because they changed meanwhile: ${others.join(', ')}.`);
  return others.length === 0 ? OK : FAILED;
}

async function listChosen(chosen: readonly Review[]): Promise<readonly string[]> {
  const { layOut } = await import('../../output/table');
  const rows = chosen.map(({ task }) => [`  ${String(task.id)}`, formatChanges(task), nameTask(task)]);
  return layOut(['  id', 'changed', 'task'], rows);
}
