import type { Command } from 'commander';
import { Problem } from '../../domain/problem';
import type { Act } from '../action';
import type { Context } from '../context';
import { OK } from '../exitCodes';
import { refuseInsideRun } from '../insideRun';
import { count, parseId, shorten } from '../words';
import { type ShownTask, takePicture } from '../world';

/** As much of a prompt as is shown before it is approved; a longer line ends in "…". */
const PROMPT_WIDTH = 500;
const PROMPT_LINES = 20;

export function defineApprove(program: Command, act: Act): void {
  const command = program
    .command('approve')
    .description('let tasks run unattended on this machine; without an id, list those that wait for it')
    .argument('[ids...]', 'tasks to approve')
    .option('--all', 'approve every task that waits for it');
  act(command, approve);
}

function approve(context: Context, ids: readonly string[], options: { all?: true }): Promise<number> {
  const { system } = context;
  return context.withQueue(async (queue) => {
    const { tasks } = await takePicture(context, queue);
    const waiting = tasks.filter(({ reason }) => reason.shown === 'unapproved');
    const chosen = options.all === true ? waiting : ids.map((text) => findTask(tasks, text));
    const listed = chosen.length === 0 ? waiting : chosen;
    for (const shown of listed) system.out(describe(shown));
    if (listed.length === 0) system.out('No task waits for approval.');
    else if (chosen.length === 0) system.out('Approve with "claude-queue approve ID…" or --all.');
    if (chosen.length === 0) return OK;
    await refuseInsideRun(context, queue, 'approve tasks');
    await context.openApprovals().approve(chosen.map(({ task }) => task.state.power));
    const reopened = chosen.filter(({ task }) => task.state.reopened).map(({ task }) => task.definition.id);
    if (reopened.length > 0) await queue.approve(reopened, system.createId());
    system.out(`Approved ${count(chosen.length, 'task')}.`);
    return OK;
  });
}

function findTask(tasks: readonly ShownTask[], text: string): ShownTask {
  const id = parseId(text);
  const found = tasks.find(({ task }) => task.definition.id === id);
  if (found !== undefined) return found;
  throw new Problem('no-such-task', `There is no task ${String(id)} that could be understood.`);
}

/** What is approved: where it works, what it may do, what it is told, and how much of that is not shown. */
function describe({ task }: ShownTask): string {
  const { id, workingDir, prompt, permissionMode, allowedTools, verify, model } = task.definition;
  const powers = [
    `in ${workingDir}`,
    ...(permissionMode === undefined ? [] : [`permission mode ${permissionMode}`]),
    ...(allowedTools === undefined ? [] : [`may use ${allowedTools.join(', ')}`]),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(verify === undefined ? [] : [`checked by ${verify.join(' ')}`]),
  ];
  const lines = prompt.trim().split('\n');
  const more = lines.length - PROMPT_LINES;
  return [
    `Task ${String(id)}, ${powers.join('; ')}:`,
    ...lines.slice(0, PROMPT_LINES).map((line) => `    ${shorten(line, PROMPT_WIDTH)}`),
    ...(more > 0 ? [`    (${count(more, 'more line')}: read the row)`] : []),
  ].join('\n');
}

export function defineTrust(program: Command, act: Act): void {
  const command = program
    .command('trust')
    .description('let every task of this queue file run on this machine, from now on, whoever writes it')
    .option('--off', 'trust it no longer: tasks need approval again');
  act(command, trust);
}

async function trust(context: Context, _args: readonly string[], options: { off?: true }): Promise<number> {
  const isTrusted = options.off !== true;
  await context.withQueue((queue) => refuseInsideRun(context, queue, 'trust a queue file'));
  await context.openApprovals().trust(isTrusted);
  context.system.out(
    isTrusted
      ? `${context.queueFile} is trusted on this machine: whoever can write it can make Claude Code do what it says.`
      : `${context.queueFile} is no longer trusted: its tasks need approval.`,
  );
  return OK;
}
