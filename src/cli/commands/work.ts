import * as path from 'node:path';
import { type Command, Option } from 'commander';
import { explain } from '../../domain/explain';
import type { TaskId } from '../../domain/task';
import { readWindows } from '../../queue/file/openEditors';
import type { StopHow, TaskQueue } from '../../queue/taskQueue';
import { whileEnlisted } from '../../worker/enlisted';
import { workWithWindows } from '../../worker/windowWatch';
import { type Bounds, runOne, type Stretch, work } from '../../worker/worker';
import type { Act } from '../action';
import type { Context } from '../context';
import { AT_LIMIT, FAILED, NOTHING, OK } from '../exitCodes';
import { describeIdle } from '../../app/idleWords';
import { parseUntil } from '../until';
import { count } from '../../app/words';
import { withWorker } from '../withWorker';
import { parseCount, parseId } from '../words';
import { takePicture } from '../../app/picture';

/** A task that a person names runs before its time, and although the queue is held. */
const BY_NAME = { time: true } as const;

export function defineRun(program: Command, act: Act): void {
  const command = program
    .command('run')
    .description(
      'run one task now, to its end: exit 0 done, 1 failed, 2 at a limit, 3 given up, 4 nothing to run',
    )
    .option('--id <id>', 'this one, whatever its place and time');
  act(command, (context, _args, options: { id?: string }) => {
    const id = options.id === undefined ? undefined : parseId(options.id);
    const choice = id === undefined ? {} : { id, override: BY_NAME };
    return withWorker(context, async (parts, stop) => {
      const single = await runOne(parts, choice, stop);
      if (single === null) {
        context.system.out('Nothing was recorded: the task was given back, or another owner has it.');
        return FAILED;
      }
      if (!('kind' in single)) return single.change.code;
      const why =
        id === undefined ? describeIdle(single.why) : await describeRefusal(context, parts.queue, id);
      context.system.out(`Nothing runs: ${why}.`);
      return single.atLimit ? AT_LIMIT : NOTHING;
    });
  });
}

/** Why a person's word was not enough to run this task now. */
async function describeRefusal(context: Context, queue: TaskQueue, id: TaskId): Promise<string> {
  const { world } = await takePicture(context, queue);
  const task = world.byId.get(id);
  if (task === undefined) return `there is no task ${String(id)} that could be understood`;
  const { shown, text } = explain(task, world, BY_NAME);
  return `task ${String(id)} is ${shown}${text === '' ? '' : ` (${text})`}`;
}

const STOPS: readonly StopHow[] = ['after-task', 'now'];

interface WorkOptions {
  readonly alone?: true;
  readonly withWindows?: StopHow;
  readonly untilEmpty?: true;
  readonly until?: string;
  readonly maxTasks?: string;
}

export function defineWork(program: Command, act: Act): void {
  const command = program
    .command('work')
    .description('run tasks as they come, waiting out limits; ends as bounded, by "stop" or by a signal')
    .option('--alone', 'end at once where a worker is at work on this queue already')
    .option('--until-empty', 'end when nothing is left that will run by itself soon')
    .option('--until <time>', 'begin no task from then on (HH:MM, or YYYY-MM-DD HH:MM)')
    .option('--max-tasks <n>', 'end after so many attempts')
    .addOption(
      new Option('--with-windows <how>', 'stop when the last editor window of this queue is gone').choices(
        STOPS,
      ),
    );
  act(command, async (context, _args, options: WorkOptions) => {
    const bounds = await readBounds(context, options);
    const { alone = false, withWindows: how } = options;
    return withWorker(context, async (parts, stop) => {
      const stretch = await whileEnlisted(parts, { alone }, () =>
        how === undefined
          ? work(parts, bounds, stop)
          : workWithWindows(parts, bounds, { how, isOpen: () => isAnyWindowOpen(context) }, stop),
      );
      if (!('kind' in stretch)) return tellStretch(context, stretch);
      context.system.out(`Worker ${stretch.by.owner.worker} is at work on this queue already.`);
      return NOTHING;
    });
  });
}

function tellStretch(context: Context, { ran, failed, atLimit }: Stretch): number {
  const tail = failed.length === 0 ? '' : `; failed: ${failed.join(', ')}`;
  context.system.out(`Worked through ${count(ran, 'attempt')}${tail}.`);
  if (failed.length > 0) return FAILED;
  if (atLimit) return AT_LIMIT;
  return ran === 0 ? NOTHING : OK;
}

async function isAnyWindowOpen({ queueFolder, machine }: Context): Promise<boolean> {
  const { living } = await readWindows(path.join(queueFolder, 'state'), (one) => machine.isAlive(one));
  return living.length > 0;
}

async function readBounds(context: Context, { untilEmpty, until, maxTasks }: WorkOptions): Promise<Bounds> {
  const { timeZone } = await context.configure();
  const now = context.system.clock.now();
  return {
    ...(untilEmpty === undefined ? {} : { untilEmpty }),
    ...(until === undefined ? {} : { until: parseUntil(until, now, timeZone) }),
    ...(maxTasks === undefined ? {} : { maxTasks: parseCount(maxTasks) }),
  };
}
