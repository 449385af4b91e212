import type { Command } from 'commander';
import { describeIdle } from '../../../app/present/reasons/idle';
import { buildViewModel } from '../../../app/viewModel/queueViewModel';
import { showReason } from '../../../app/present/reasons/reason';
import { explain } from '../../../domain/reasons/explain';
import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue } from '../../../queue/taskQueue';
import { runOne } from '../../../worker/runOne';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { AT_LIMIT, FAILED, INTERRUPTED, NOTHING } from '../../exitCodes';
import { withWorker } from '../../withWorker';
import { parseId } from '../../options/parseArguments';

/** A task that the user names runs before its time, and although the queue is paused. */
const BY_NAME = { time: true } as const;

export function defineRun(program: Command, act: Act): void {
  const command = program
    .command('run')
    .description(
      'run one task now and wait until it ends; exit 0 done, 1 failed, 2 at a limit, 3 failed permanently, 4 nothing to run',
    )
    .option('--id <id>', 'run this task now, ignoring order, schedule and pauses');
  act(command, (context, _args, options: { id?: string }) => {
    const id = options.id === undefined ? undefined : parseId(options.id);
    const choice = id === undefined ? {} : { id, override: BY_NAME };
    return withWorker(context, async (deps, stop) => {
      const single = await runOne(deps, choice, stop);
      if (single === null) {
        context.system.out('Nothing was recorded: the task was returned, or has another owner.');
        return stop.reason === 'SIGINT' ? INTERRUPTED : FAILED;
      }
      if (!('kind' in single)) return single.change.code;
      const why =
        id === undefined
          ? describeIdle(single.why, context.moment())
          : await describeRefusal(context, deps.queue, id);
      context.system.out(`Nothing runs: ${why}.`);
      return single.atLimit ? AT_LIMIT : NOTHING;
    });
  });
}

/** Returns why this task cannot run now, although the user named it. */
async function describeRefusal(context: Context, queue: TaskQueue, id: TaskId): Promise<string> {
  const { world } = await buildViewModel(context, queue);
  const task = world.byId.get(id);
  if (task === undefined) return `task ${String(id)} does not exist, or its row is invalid`;
  const { state, text } = showReason(explain(task, world, BY_NAME), world);
  return `task ${String(id)} is ${state}${text === '' ? '' : ` (${text})`}`;
}
