import type { Command } from 'commander';
import { isSameWorker } from '../../domain/view';
import type { Snapshot } from '../../queue/taskQueue';
import type { Act } from '../action';
import type { Context } from '../context';
import { OK } from '../exitCodes';
import { accountGateAsJson, describeGate, gatesAsJson, isoOrNull, usageAsJson } from '../../app/gateWords';
import { count, shorten } from '../../app/words';
import { formatJson } from '../words';
import { describeWorkers } from '../../app/standstill';
import { type Picture, type ShownTask, takePicture } from '../../app/picture';

/** Width for an answer that no terminal bounds. */
const WIDE = 160;

export function defineStatus(program: Command, act: Act): void {
  const command = program
    .command('status')
    .description('show every task, and why it is where it is')
    .option('--json', 'for programs');
  act(command, async (context, _args, options) => {
    const picture = await context.withQueue((queue) => takePicture(context, queue));
    context.system.out(options['json'] === true ? toJson(picture) : toText(picture, context));
    return OK;
  });
}

function toText(picture: Picture, context: Context): string {
  const { tasks, snapshot } = picture;
  const width = context.system.columns ?? WIDE;
  const lines = [
    `${context.queueFile}: ${count(tasks.length, 'task')}. ${describeWorkers(snapshot)} ${describeGate(picture.gate, picture.world)}`,
  ];
  if (snapshot.held !== null)
    lines.push(`The queue is held: ${snapshot.held}. "claude-queue resume" lets it go on.`);
  lines.push(...toTable(tasks, picture.next, width));
  for (const problem of snapshot.problems) {
    lines.push(
      `${context.queueFile}:${String(problem.line)}:${String(problem.column)}  invalid  ${problem.message}`,
    );
  }
  return lines.join('\n');
}

function toTable(tasks: readonly ShownTask[], next: number | null, width: number): string[] {
  const rows = tasks.map(({ task, reason, effectivePriority }) => {
    const { id, priority } = task.definition;
    const raised = effectivePriority === priority ? priority : `${priority}→${effectivePriority}`;
    return [`${id === next ? '>' : ' '} ${String(id)}`, reason.shown, raised, reason.text] as const;
  });
  const widths = [0, 1, 2].map((column) =>
    Math.max(0, ...rows.map((row) => row[column as 0 | 1 | 2].length)),
  );
  return rows.map((row, index) => {
    const cells = [0, 1, 2].map((column) => row[column as 0 | 1 | 2].padEnd(widths[column] ?? 0));
    const prompt = tasks[index]?.task.definition.prompt ?? '';
    const rest = row[3] === '' ? prompt : `(${row[3]}) ${prompt}`;
    const head = cells.join('  ');
    return `${head}  ${shorten(rest, Math.max(width - head.length - 2, 20))}`;
  });
}

/** The contract of `status --json`. */
function toJson({ snapshot, gate, world, tasks, next }: Picture): string {
  return formatJson({
    gate: accountGateAsJson(gate, world),
    gates: gatesAsJson(gate, world),
    hold: snapshot.held,
    usage: usageAsJson(gate, world),
    next,
    workers: workersAsJson(snapshot),
    tasks: tasks.map(({ task, reason, effectivePriority }) => ({
      id: task.definition.id,
      shown: reason.shown,
      reason: reason.text,
      priority: task.definition.priority,
      effectivePriority,
      status: task.claim === undefined ? task.state.status : 'running',
      retryCount: task.state.retryCount,
      maxRetries: task.definition.maxRetries,
      notBefore: isoOrNull(reason.until ?? null),
      session: task.claim?.session ?? task.state.session,
      lastOutcome: task.state.lastOutcome,
      lastMessage: task.state.lastMessage,
      prompt: task.definition.prompt,
    })),
    problems: snapshot.problems.map(({ line, column, message }) => ({ line, column, message })),
  });
}

/** Those at work, with the tasks that each of them runs. */
function workersAsJson({ workers, claims }: Snapshot): object[] {
  return workers.map(({ owner: worker, since }) => ({
    worker: worker.worker,
    since: isoOrNull(since),
    running: claims
      .filter(({ owner }) => owner.kind === 'process' && isSameWorker(owner, worker))
      .map(({ id }) => id),
  }));
}
