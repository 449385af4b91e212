import { describeRow } from '../../../src/app/approval/approval';
import { approvable, isApproved } from '../../../src/domain/task/approval';
import { isProblem } from '../../../src/domain/problem';
import { openQuestion, type TaskView } from '../../../src/domain/queue/view';
import type { Attempt } from '../../../src/domain/task/attempt';
import { recoverLost } from '../../../src/worker/attempt/lostAttempts';
import { systemClock } from '../../../src/platform/clock';
import { QueuePaths } from '../../../src/queue/queuePaths';
import { openContext, type SimContext } from './context';
import { MACHINE_ID, QUEUE_FILE, type Answer, type Command, type Host } from './host';

/** Returns all attempts of the history. */
export async function listAttempts(host: Host): Promise<readonly Attempt[]> {
  const { queue } = await openContext(host);
  try {
    return await queue.attempts({});
  } finally {
    await queue.close();
  }
}

/** Does what a command of the user asks for. Never rejects for a refusal. */
export async function runCommand(host: Host, command: Command): Promise<Answer> {
  try {
    const context = await openContext(host);
    try {
      return await act(host, context, command);
    } finally {
      await context.queue.close();
    }
  } catch (error) {
    if (!isProblem(error)) throw error;
    return { kind: 'refused', reason: error.reason, message: error.message };
  }
}

async function act(host: Host, context: SimContext, command: Command): Promise<Answer> {
  const { queue, gate, approvals } = context;
  const op = host.createId();
  switch (command.kind) {
    case 'verb':
      await queue.command(command.id, command.verb, op);
      break;
    case 'answer':
      await answer(context, command, op);
      break;
    case 'hold':
      await queue.hold({ by: 'person', why: 'lunch', ...prioritiesOf(command) }, op);
      break;
    case 'resume':
      await queue.resume(op);
      break;
    case 'stop':
      await queue.stop(command.how, op);
      break;
    case 'approve':
      await approveAll(context, op);
      break;
    case 'trust':
    case 'distrust':
      await approvals.setTrusted(command.kind === 'trust');
      break;
    case 'reopen':
      await gate.reopen();
      break;
    case 'probe':
      await gate.probe();
      break;
    case 'sync':
      await queue.sync();
      break;
    case 'recover':
      await recover(host, context);
      break;
    case 'comment':
      await queue.comment(command.id, command.text, op);
      break;
    case 'undo':
      await undo(context, command.id, op);
      break;
    case 'timer':
    case 'adopt':
    case 'limit elsewhere':
      await actOutside(context, command, op);
      break;
    default:
      return editRows(context, command, op);
  }
  return { kind: 'done' };
}

type OutsideCommand = Extract<Command, { readonly kind: 'timer' | 'adopt' | 'limit elsewhere' }>;

/** Does what other programs of the machine do. */
async function actOutside({ queue, gate }: SimContext, command: OutsideCommand, op: string): Promise<void> {
  const { machine, timeZone } = { machine: MACHINE_ID, timeZone: 'UTC' };
  if (command.kind === 'adopt') await queue.adopt({ from: 'scripts', attempts: [], tasks: [] }, op);
  else if (command.kind === 'timer') {
    const { cron } = command;
    await queue.recordTimer(cron === null ? null : { by: 'systemd', crons: [cron], machine, timeZone }, op);
  } else {
    const task = { queue: '/place/other', id: 1 };
    const signal = { kind: 'five_hour', resetAt: command.resetAt, message: 'Limit reached.' } as const;
    await gate.report({ task, worker: 'other', machine, workingDir: '/place/c', signal, usage: [] });
  }
}

async function undo({ queue }: SimContext, id: number, op: string): Promise<void> {
  const attempts = await queue.attempts({ id });
  if (attempts.length > 0)
    await queue.recordUndo(
      id,
      attempts.map(({ number }) => number),
      op,
    );
}

type RowCommand = Extract<Command, { readonly kind: 'add' | 'edit' | 'move' | 'remove' | 'restore' }>;

/** A row that a command writes is approved: its user has just read it. */
async function editRows({ queue, approvals }: SimContext, command: RowCommand, op: string): Promise<Answer> {
  if (command.kind === 'remove') return { kind: 'done', removed: await queue.remove(command.ids, op) };
  if (command.kind === 'move') await queue.move(command.id, command.before, op);
  if (command.kind === 'restore') await queue.restore(command.rows, op);
  if (command.kind === 'move' || command.kind === 'restore') return { kind: 'done' };
  const { id } =
    command.kind === 'add'
      ? await queue.add({ fields: command.fields }, op)
      : await queue.edit(command.id, command.fields, op);
  const task = (await queue.find([id]))[0];
  if (task !== undefined) await approvals.approve([describeRow(task)]);
  return { kind: 'done', id };
}

async function answer(
  { queue }: SimContext,
  { id, text }: Extract<Command, { readonly kind: 'answer' }>,
  op: string,
): Promise<void> {
  const task = (await queue.find([id]))[0];
  const question = task === undefined ? undefined : openQuestion(task.state);
  await queue.answer(id, { question: question?.text ?? 'none', answer: text }, op);
}

function prioritiesOf({ priorities }: Extract<Command, { readonly kind: 'hold' }>): object {
  return priorities === undefined ? {} : { priorities };
}

async function approveAll({ queue, approvals }: SimContext, op: string): Promise<void> {
  const { tasks } = await queue.read();
  const approved = await approvals.read();
  const isReopened = ({ state }: TaskView): boolean => state.reopened && state.status === 'pending';
  const fresh = tasks.filter(
    (task) => isReopened(task) || !isApproved(approvable(task.definition, task.state.power), approved),
  );
  await approvals.approve(fresh.map(describeRow));
  const reopened = fresh.filter(isReopened).map(({ state }) => state);
  if (reopened.length > 0) await queue.approve(reopened, op);
  await queue.sync();
}

function recover(host: Host, { queue, configuration }: SimContext): Promise<void> {
  const { processes, runner, random, createId } = host;
  return recoverLost({
    ...{ queue, processes, runner, random, createId, rules: configuration, clock: systemClock },
    paths: new QueuePaths(QUEUE_FILE),
    events: { lost: ({ claim, change }) => host.say({ kind: 'lost', claim, change }) },
  });
}
