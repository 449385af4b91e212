import type { Command } from 'commander';
import { Problem } from '../../domain/problem';
import type { Act } from '../action';
import type { Context } from '../context';
import { OK } from '../exitCodes';
import { refuseInsideRun } from '../insideRun';
import { count, parseId, shorten } from '../words';
import { type ShownTask, takePicture } from '../world';

const PROMPT_WIDTH = 100;

export function defineApprove(program: Command, act: Act): void {
  const command = program
    .command('approve')
    .description('let tasks run unattended on this machine; without an id, list those that wait for it')
    .argument('[ids...]', 'tasks to approve')
    .option('--all', 'approve every task that waits for it');
  act(command, approve);
}

async function approve(context: Context, ids: readonly string[], options: { all?: true }): Promise<number> {
  const { system } = context;
  const queue = await context.openQueue();
  try {
    const { tasks } = await takePicture(context, queue);
    const waiting = tasks.filter(({ reason }) => reason.shown === 'unapproved');
    const chosen = options.all === true ? waiting : ids.map((text) => findTask(tasks, text));
    if (chosen.length === 0) {
      for (const shown of waiting)
        describe(shown).forEach((line) => {
          system.out(line);
        });
      system.out(
        waiting.length === 0
          ? 'No task waits for approval.'
          : 'Approve with "claude-queue approve ID…" or --all.',
      );
      return OK;
    }
    await refuseInsideRun(context, queue, 'approve tasks');
    for (const shown of chosen)
      describe(shown).forEach((line) => {
        system.out(line);
      });
    await (await context.openApprovals()).approve(chosen.map(({ task }) => task.state.power));
    const reopened = chosen.filter(({ task }) => task.state.reopened).map(({ task }) => task.definition.id);
    if (reopened.length > 0) await queue.approve(reopened, system.createId());
    system.out(`Approved ${count(chosen.length, 'task')}.`);
    return OK;
  } finally {
    await queue.close();
  }
}

function findTask(tasks: readonly ShownTask[], text: string): ShownTask {
  const id = parseId(text);
  const found = tasks.find(({ task }) => task.definition.id === id);
  if (found !== undefined) return found;
  throw new Problem('no-such-task', `There is no task ${String(id)} that could be understood.`);
}

/** What is approved, said in full: where it works, what it may do, what it is told. */
function describe({ task }: ShownTask): string[] {
  const { id, workingDir, prompt, permissionMode, allowedTools, verify, model } = task.definition;
  const powers = [
    `in ${workingDir}`,
    ...(permissionMode === undefined ? [] : [`permission mode ${permissionMode}`]),
    ...(allowedTools === undefined ? [] : [`may use ${allowedTools.join(', ')}`]),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(verify === undefined ? [] : [`checked by ${verify.join(' ')}`]),
  ];
  return [`${String(id)}  ${shorten(prompt, PROMPT_WIDTH)}`, `    ${powers.join('; ')}`];
}

export function defineTrust(program: Command, act: Act): void {
  const command = program
    .command('trust')
    .description('let every task of this queue file run on this machine, from now on, whoever writes it')
    .option('--off', 'trust it no longer: tasks need approval again');
  act(command, trust);
}

async function trust(context: Context, _args: readonly string[], options: { off?: true }): Promise<number> {
  const queue = await context.openQueue();
  await refuseInsideRun(context, queue, 'trust a queue file');
  const approvals = await context.openApprovals();
  await approvals.trust(options.off !== true);
  await queue.close();
  context.system.out(
    options.off === true
      ? `${context.queueFile} is no longer trusted: its tasks need approval.`
      : `${context.queueFile} is trusted on this machine: whoever can write it can make Claude Code do what it says.`,
  );
  return OK;
}
