import type { Command } from 'commander';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import type { Act } from '../../action';
import { allOrNone } from '../../allOrNone';
import { confirm } from '../../ask';
import type { Context } from '../../context';
import { FAILED, OK } from '../../exitCodes';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import { approveTasks, trustQueue } from '../../../app/approval/approval';
import { findUnlisted, noteListed } from '../../../app/approval/listing';
import { describeWithdrawn, withdrawApprovals } from '../../../app/approval/withdraw';
import { findChange, readKnownRows } from '../../../app/approval/approvedChanges';
import { describeChange } from '../../../app/present/rowChanges';
import { count } from '../../../app/present/text';
import { parseIds } from '../../options/parseArguments';
import { type TaskViewModel, peekViewModel } from '../../../app/viewModel/queueViewModel';
import type { TaskQueue } from '../../../queue/taskQueue';
import { quoteCommand } from '../../../platform/text/commandName';

export function defineApprove(program: Command, act: Act): void {
  const command = program
    .command('approve')
    .description(
      'let tasks run unattended on this machine; without an id, list unapproved tasks and their changes',
    )
    .argument('[ids...]', 'tasks to approve')
    .option('--all', 'approve every unapproved task')
    .option('--off', 'withdraw the approval, and rules that were allowed; with --all for every task');
  act(command, approve);
}

interface ApproveOptions {
  readonly all?: true;
  readonly off?: true;
}

function approve(context: Context, ids: readonly string[], options: ApproveOptions): Promise<number> {
  const { system } = context;
  if (options.all === true && ids.length > 0) {
    throw new Problem('usage', 'Give task ids or --all, not both.');
  }
  if (options.off === true) return withdraw(context, ids, options);
  return context.withQueue(async (queue) => {
    const { tasks } = await peekViewModel(context, queue);
    const waiting = tasks.filter(({ reason }) => reason.state === 'unapproved');
    const chosen = options.all === true ? waiting : await findTasks(tasks, parseIds(ids));
    const listed = chosen.length === 0 ? waiting : chosen;
    const known = await readKnownRows(context.openApprovals());
    for (const shown of listed) system.out(await describeChange(shown, findChange(shown, known)));
    if (listed.length === 0) system.out('No task waits for approval.');
    else if (chosen.length === 0) system.out(`Approve with ${quoteCommand('approve ID…')} or --all.`);
    if (chosen.length > 0) return approveShown(context, queue, chosen);
    await noteListed(context, queue, listed);
    return OK;
  });
}

/** Withdraws the approvals of these tasks, or of all. @throws Problem `usage` */
function withdraw(context: Context, ids: readonly string[], { all }: ApproveOptions): Promise<number> {
  if (all === undefined && ids.length === 0) throw new Problem('usage', 'Give task ids, or --all.');
  const meant = all === true ? null : parseIds(ids);
  return context.withQueue(async (queue) => {
    for (const line of describeWithdrawn(await withdrawApprovals(context, queue, meant)))
      context.system.out(line);
    return OK;
  });
}

/**
 * Approves these rows as they were just shown. Rows that the user has not seen before are confirmed on a terminal.
 * Without one, the next call approves them, unless they change before it.
 */
async function approveShown(
  context: Context,
  queue: TaskQueue,
  chosen: readonly TaskViewModel[],
): Promise<number> {
  const { system } = context;
  await refuseInsideAttempt(context, queue, 'approve tasks');
  const unlisted = await findUnlisted(context, chosen);
  await noteListed(context, queue, chosen);
  const isAgreed =
    unlisted.length === 0 || (await confirm(system, `Approve ${count(chosen.length, 'task')} as listed?`));
  const approved = isAgreed ? chosen : chosen.filter((shown) => !unlisted.includes(shown));
  await approveTasks(context, queue, approved);
  if (approved.length > 0) system.out(`Approved ${count(approved.length, 'task')}.`);
  if (isAgreed) return OK;
  const ids = unlisted.map(({ task }) => String(task.definition.id)).join(', ');
  system.err(
    system.keyboard === null
      ? `Not approved: ${ids}. This was not listed before, or has changed since. Read it above, then repeat the command.`
      : `Not approved: ${ids}.`,
  );
  return FAILED;
}

function findTasks(tasks: readonly TaskViewModel[], ids: readonly TaskId[]): Promise<TaskViewModel[]> {
  return allOrNone(ids, 'Nothing was approved.', () => ids.map((id) => findTask(tasks, id)));
}

function findTask(tasks: readonly TaskViewModel[], id: TaskId): TaskViewModel {
  const found = tasks.find(({ task }) => task.definition.id === id);
  if (found !== undefined) return found;
  throw new Problem({ reason: 'no-such-task', kind: 'unknown-task', id });
}

export function defineTrust(program: Command, act: Act): void {
  const command = program
    .command('trust')
    .description('approve all tasks of this queue file on this machine, including future ones by any author')
    .option('--off', 'stop trusting it; tasks need approval again');
  act(command, trust);
}

async function trust(context: Context, _args: readonly string[], options: { off?: true }): Promise<number> {
  const isTrusted = options.off !== true;
  await context.withQueue(async (queue) => {
    await refuseInsideAttempt(context, queue, 'trust a queue file');
    await (isTrusted ? trustQueue(context, queue) : context.openApprovals().setTrusted(false));
  });
  context.system.out(
    isTrusted
      ? `${context.queueFile} is trusted on this machine: anyone who can write it can make Claude Code run its tasks.`
      : `${context.queueFile} is no longer trusted: its tasks need approval.`,
  );
  return OK;
}
