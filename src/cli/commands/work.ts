import type { Command } from 'commander';
import { createClaudeRunner } from '../../claude/run';
import type { Installation } from '../../claude/installation';
import { explain } from '../../domain/explain';
import type { TaskId } from '../../domain/task';
import type { TaskQueue } from '../../queue/taskQueue';
import type { WorkerParts } from '../../worker/parts';
import { type Bounds, runOne, work } from '../../worker/worker';
import type { Act } from '../action';
import type { Context } from '../context';
import { AT_LIMIT, FAILED, NOTHING, OK } from '../exitCodes';
import { describeIdle } from '../idleWords';
import { refuseInsideRun } from '../../app/insideRun';
import { createLiveView } from '../liveView';
import { parseUntil } from '../until';
import { count } from '../../app/words';
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

interface WorkOptions {
  readonly untilEmpty?: true;
  readonly until?: string;
  readonly maxTasks?: string;
}

export function defineWork(program: Command, act: Act): void {
  const command = program
    .command('work')
    .description('run tasks as they come, waiting out limits; ends as bounded, by "stop" or by a signal')
    .option('--until-empty', 'end when nothing is left that will run by itself soon')
    .option('--until <time>', 'begin no task from then on (HH:MM, or YYYY-MM-DD HH:MM)')
    .option('--max-tasks <n>', 'end after so many attempts');
  act(command, async (context, _args, options: WorkOptions) => {
    const bounds = await readBounds(context, options);
    return withWorker(context, async (parts, stop) => {
      const { ran, failed, atLimit } = await work(parts, bounds, stop);
      const tail = failed.length === 0 ? '' : `; failed: ${failed.join(', ')}`;
      context.system.out(`Worked through ${count(ran, 'attempt')}${tail}.`);
      if (failed.length > 0) return FAILED;
      if (atLimit) return AT_LIMIT;
      return ran === 0 ? NOTHING : OK;
    });
  });
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

/** Makes a worker, says what it will run with, and ends cleanly at a signal. */
async function withWorker(
  context: Context,
  act: (parts: WorkerParts, stop: AbortSignal) => Promise<number>,
): Promise<number> {
  await context.configureStrictly();
  const claude = await context.findClaude();
  return context.withQueue(async (queue) => {
    await refuseInsideRun(context, queue, 'run tasks');
    context.system.out(describeClaude(claude));
    return act(await createParts(context, queue, claude), context.system.onEnd());
  });
}

const BILLED = {
  subscription: 'billed to the subscription it is signed in with',
  'api-key': 'billed to an API key, not to a subscription',
  none: 'not signed in',
} as const;

function describeClaude({ path, version, billing }: Installation): string {
  return `Claude Code ${version ?? '(unknown version)'} (${path}), ${BILLED[billing]}.`;
}

async function createParts(context: Context, queue: TaskQueue, claude: Installation): Promise<WorkerParts> {
  const { system, queueFolder, machine } = context;
  const { settings, timeZone } = await context.configure();
  const approvals = context.openApprovals();
  const { clock, processes, random, createId } = system;
  const self = processes.self();
  return {
    queue,
    gate: await context.openGate(),
    runner: createClaudeRunner({
      claude: claude.path,
      environment: { ...system.env },
      billing: claude.billing,
      permissions: { mode: settings.permissionMode, allowedTools: [] },
      protectedPaths: context.protectedPaths,
      apiRetries: settings.claudeRetries,
      clock,
      processes,
      timeZone: system.timeZone,
      graceMs: settings.stopGrace,
    }),
    readProofs: () => approvals.read(),
    settings,
    timeZone,
    clock,
    random,
    createId,
    processes,
    owner: { kind: 'process', worker: String(self.pid), machine: machine.id, process: self },
    since: clock.now(),
    queueFolder,
    events: createLiveView(system, timeZone),
  };
}
