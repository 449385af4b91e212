import type { Command } from 'commander';
import { createClaudeRunner } from '../../claude/run';
import type { Installation } from '../../claude/installation';
import { parseTime } from '../../domain/localTime';
import { Problem } from '../../domain/problem';
import type { TaskQueue } from '../../queue/taskQueue';
import type { WorkerParts } from '../../worker/parts';
import { type Bounds, runOne, work } from '../../worker/worker';
import type { Act } from '../action';
import type { Context } from '../context';
import { AT_LIMIT, FAILED, NOTHING, OK } from '../exitCodes';
import { createLiveView } from '../liveView';
import { count, parseId } from '../words';

export function defineRun(program: Command, act: Act): void {
  const command = program
    .command('run')
    .description(
      'run one task now, to its end: exit 0 done, 1 failed, 2 at a limit, 3 given up, 4 nothing to run',
    )
    .option('--id <id>', 'this one, whatever its place and time');
  act(command, (context, _args, options: { id?: string }) =>
    withWorker(context, async (parts, stop) => {
      const choice = options.id === undefined ? {} : { id: parseId(options.id), override: { time: true } };
      const single = await runOne(parts, choice, stop);
      if (single === null) return FAILED;
      if (!('kind' in single)) return single.change.code;
      context.system.out(`Nothing runs: ${single.why.text || single.why.shown}.`);
      return single.atLimit ? AT_LIMIT : NOTHING;
    }),
  );
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
  act(command, (context, _args, options: WorkOptions) =>
    withWorker(context, async (parts, stop) => {
      const { ran, failed, atLimit } = await work(parts, readBounds(options, parts), stop);
      const tail = failed.length === 0 ? '' : `; failed: ${failed.join(', ')}`;
      context.system.out(`Worked through ${count(ran, 'attempt')}${tail}.`);
      if (failed.length > 0) return FAILED;
      if (atLimit) return AT_LIMIT;
      return ran === 0 ? NOTHING : OK;
    }),
  );
}

function readBounds({ untilEmpty, until, maxTasks }: WorkOptions, parts: WorkerParts): Bounds {
  return {
    ...(untilEmpty === undefined ? {} : { untilEmpty }),
    ...(until === undefined ? {} : { until: readUntil(until, parts) }),
    ...(maxTasks === undefined ? {} : { maxTasks: parseId(maxTasks) }),
  };
}

const DAY_MS = 24 * 3_600_000;

/** A time of day is the next one that comes. */
function readUntil(text: string, { clock, timeZone }: WorkerParts): number {
  const now = clock.now();
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);
  const isTimeOfDay = /^\d{1,2}:\d{2}$/.test(text);
  const time = parseTime(isTimeOfDay ? `${today} ${text.padStart(5, '0')}` : text, timeZone);
  if (time === null) throw new Problem('usage', `"${text}" is not a time: give HH:MM or YYYY-MM-DD HH:MM.`);
  return isTimeOfDay && time <= now ? time + DAY_MS : time;
}

/** Makes a worker, says what it will run with, and ends cleanly at a signal. */
async function withWorker(
  context: Context,
  act: (parts: WorkerParts, stop: AbortSignal) => Promise<number>,
): Promise<number> {
  await context.configureStrictly();
  const claude = await context.findClaude();
  const queue = await context.openQueue();
  const stop = context.system.onEnd();
  try {
    context.system.out(describeClaude(claude));
    return await act(await createParts(context, queue, claude), stop);
  } finally {
    await queue.close();
  }
}

const BILLED = {
  subscription: 'billed to the subscription it is signed in with',
  'api-key': 'billed to the API key in the environment',
  none: 'not signed in',
} as const;

function describeClaude({ path, version, billing }: Installation): string {
  return `Claude Code ${version ?? '(unknown version)'} (${path}), ${BILLED[billing]}.`;
}

async function createParts(context: Context, queue: TaskQueue, claude: Installation): Promise<WorkerParts> {
  const { system, queueFolder, machine } = context;
  const { settings, timeZone } = await context.configure();
  const approvals = await context.openApprovals();
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
