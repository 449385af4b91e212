import type { Command } from 'commander';
import { describeElsewhere, describeNoOutput } from '../../../app/present/reasons/claim';
import { OutputTail } from '../../../claude/stream/outputTail';
import { Problem } from '../../../domain/problem';
import type { Attempt } from '../../../domain/task/attempt';
import type { TaskId } from '../../../domain/task/task';
import type { Claim, TaskView } from '../../../domain/queue/view';
import { isElsewhere } from '../../../platform/processes/machine';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { describeChangedSince } from '../../output/attemptFacts';
import { describeEnd, readLines, type OutputPlace } from '../../output/attemptOutput';
import { followTask } from '../../output/followLoop';
import { parseCount, parseId } from '../../options/parseArguments';
import { quoteCommand } from '../../../platform/text/commandName';

interface LogOptions {
  readonly attempt?: string;
  readonly follow?: true;
}

/** Defines `log`, which prints the output of a task's attempt. */
export function defineLog(program: Command, act: Act): void {
  const command = program
    .command('log')
    .alias('logs')
    .description("print the output of a task's latest attempt")
    .argument('<id>', 'the task')
    .option('--attempt <number>', 'print the output of this attempt')
    .option('-f, --follow', 'follow a running attempt until it ends');
  act(command, (context, [text = ''], { attempt, follow: follows }: LogOptions) => {
    const id = parseId(text);
    const number = attempt === undefined ? undefined : parseCount(attempt);
    if (follows === true && number !== undefined)
      throw new Problem('usage', 'Give --attempt or --follow: not both.');
    return context.withQueue(async (queue) => {
      const isOver = follows !== true || !(await followTask(context, queue, id, context.system.onEnd()));
      if (isOver) await showOutput(context, queue, id, number);
      return OK;
    });
  });
}

/**
 * Prints the output of a task's attempt: without a number, that of the running one, or else of the latest.
 * @throws Problem `no-output`, `no-such-task`
 */
export async function showOutput(
  place: OutputPlace,
  queue: TaskQueue,
  id: TaskId,
  number?: number,
): Promise<void> {
  const { claims, tasks, problems } = await queue.read();
  const running = claims.find(
    (claim) => claim.id === id && claim.owner.kind === 'process' && claim.ownerDied !== true,
  );
  if (running !== undefined && [undefined, running.attempt].includes(number)) {
    await showRunning(place, running);
    return;
  }
  const attempts = await queue.attempts({ id });
  const attempt = number === undefined ? attempts[0] : attempts.find((one) => one.number === number);
  const task = tasks.find(({ definition }) => definition.id === id);
  if (attempt?.output === undefined) {
    const isKnown = task !== undefined || attempts.length > 0 || problems.some((one) => one.id === id);
    if (!isKnown) throw new Problem('no-such-task', `There is no task ${String(id)}.`);
    throw new Problem('no-output', `Task ${String(id)} ${whyNoOutput(task, attempt, number)}`);
  }
  await showLines(place, attempt, describeNoOutput(attempt));
  place.system.out(describeEnd(attempt));
  const changed = describeChangedSince(attempt, task);
  if (changed !== null) place.system.out(changed);
}

async function showRunning(
  place: OutputPlace,
  { id, attempt: number, session, owner }: Claim,
): Promise<void> {
  const { machine } = owner;
  const isHere = !isElsewhere(machine);
  const why = isHere ? describeNoOutput({ machine }) : describeElsewhere(machine);
  await showLines(place, { id, number, session }, why);
  const how = isHere ? `: ${quoteCommand(`log ${String(id)} --follow`)} follows it.` : '.';
  place.system.out(`Task ${String(id)} is running${how}`);
}

/** Shows the output of an attempt, or why it has none here. */
async function showLines(
  place: OutputPlace,
  { id, number, session }: Pick<Attempt, 'id' | 'number' | 'session'>,
  whyNone: string,
): Promise<void> {
  const tail = new OutputTail(place.paths.state.outputOf({ id, attempt: number }), { session });
  const lines = await readLines(place, tail);
  if (!tail.isFound) place.system.out([{ text: whyNone, tone: 'dim' }]);
  for (const line of lines) place.system.out(line);
}

function whyNoOutput(
  task: Pick<TaskView, 'state'> | undefined,
  attempt: Attempt | undefined,
  number = attempt?.number,
): string {
  if (attempt === undefined && task?.state.untold === true)
    return `has no output here: its attempts were archived. Only ${quoteCommand('reset')} keeps outputs, in state/archive; after keepHistory they are deleted.`;
  if (number !== undefined) return `has no output of attempt ${String(number)}.`;
  return 'has no output yet: it has not run here.';
}
