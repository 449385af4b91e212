import { type Command, Option } from 'commander';
import { openWorkerFile } from '../../../app/context/openWorkerFile';
import { describeError } from '../../../app/present/problems/problem';
import { createKeepAwake } from '../../../app/context/keepAwake';
import { count } from '../../../app/present/text';
import { recordInstalled } from '../../../app/schedule/installSchedule';
import type { Slots } from '../../../domain/order/slots';
import { isProblem } from '../../../domain/problem';
import { nameWorker } from '../../../domain/queue/view';
import { formatSecond } from '../../../domain/time/localTime';
import { isOpenInEditor } from '../../../queue/openQueue';
import type { StopHow } from '../../../domain/queue/workerStop';
import { whileRegistered, type AlreadyRegistered } from '../../../worker/registered';
import type { WorkerAwake, WorkerDeps } from '../../../worker/workerDeps';
import type { Bounds } from '../../../worker/bounds/bounds';
import type { RunSummary } from '../../../worker/bounds/runCounters';
import { workWithWindows } from '../../../worker/bounds/editorWindows';
import { work } from '../../../worker/work';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { INTERRUPTED, NOTHING, exitCodeOf } from '../../exitCodes';
import { redisOfWorker } from '../../whichQueue';
import { whileServing } from '../../serveMetrics';
import { withWorker } from '../../withWorker';
import { describeRunSummary } from '../../output/runSummary';
import {
  readBounds,
  readMetricsAddress,
  readTaskSelection,
  readWorkerDeps,
  type WorkOptions,
} from '../../options/parseWorkOptions';

const STOPS: readonly StopHow[] = ['after-task', 'now'];

export function defineWork(program: Command, act: Act): void {
  const command = program
    .command('work')
    .description(
      'run tasks continuously, waiting out usage limits, until stopped or a --max-* limit is reached',
    )
    .option('--alone', 'exit if a worker of this pool is already running on this machine')
    .option('--scheduled', 'started by a timer: keep a pause set by an earlier --max-* or --until limit')
    .option(
      '--until-empty',
      'stop when all tasks left wait for you, a schedule or quiet hours; waits out limits and retries',
    )
    .option(
      '--until <time>',
      'start no task after this time (HH:MM, YYYY-MM-DD HH:MM, or 8h), then pause the queue',
    )
    .option('--max-tasks <n>', 'stop after N attempts, then pause the queue')
    .option('--max-cost <usd>', 'stop once ended attempts cost USD N, then pause the queue')
    .option('--max-usage-windows <n>', 'stop after N used-up 5-hour usage windows, then pause the queue')
    .addOption(new Option('--max-windows <n>', 'old name of --max-usage-windows').hideHelp())
    .option('--worker <file>', 'take the settings of this worker from a file (YAML); options count before it')
    .option('--pool <name>', 'run the tasks of this pool, with its number of parallel tasks')
    .option('--priorities <list>', 'take only tasks with these priorities (critical,high)')
    .option('--tags <list>', 'take only tasks with one of these tags (web,docs)')
    .option('--workers <n>', 'tasks to run in parallel; 1-4 scales with the backlog')
    .option('--users <names>', 'serve these users first (anna,ben), others when they have no task ready')
    .option('--metrics <address>', 'serve Prometheus metrics at this local address (127.0.0.1:9090)')
    .option(
      '--metrics-public',
      'let --metrics take an address that other machines reach; there is no password',
    )
    .addOption(
      new Option('--with-windows <how>', 'stop when the last editor window of this queue closes').choices(
        STOPS,
      ),
    );
  act(command, (context, _args, options: WorkOptions) => runWork(context, options));
}

async function runWork(given: Context, options: WorkOptions): Promise<number> {
  const workerFile = await openWorkerFile(given.system, options.worker);
  const address = redisOfWorker(given, workerFile);
  const context = address === null ? given : given.onRedis(address);
  if (options.scheduled === true) {
    await printTimerStart(context);
    await recordTimerStart(context);
  }
  const bounds = await readBounds(context, options);
  const { settings } = await context.configure();
  const selection = readTaskSelection(options, settings, workerFile);
  const metrics = readMetricsAddress(options);
  const { alone = false } = options;
  return withWorker(context, async (common, stop) => {
    const { pool, ...taken } = selection;
    const { id = common.owner.worker } = workerFile.worker;
    const timed = options.scheduled === true ? ({ byTimer: true } as const) : {};
    const owner = { ...common.owner, worker: id, ...(pool === undefined ? {} : { pool }) };
    const deps = {
      ...common,
      ...taken,
      ...readWorkerDeps(workerFile),
      ...timed,
      owner,
      awake: keepAwake(context, { ...common, ...taken, ...timed, owner }),
    };
    warnAboutSlots(context, deps, selection.slots);
    const registered = await whileRegistered(deps, { alone }, () =>
      whileServing(context, deps, metrics, () => workOn(context, deps, { bounds, ...options }, stop)),
    );
    if (registered.kind === 'taken') return reportRunning(context, registered);
    const { result: summary } = registered;
    const lines = await describeRunSummary(context, deps.queue, summary, bounds);
    context.system.out(lines.join('\n'));
    return stop.reason === 'SIGINT' ? INTERRUPTED : exitCodeOf(summary);
  });
}

/** Works until the end, or until the last editor window closes if the options say so. */
function workOn(
  { paths, machine }: Context,
  deps: WorkerDeps,
  { bounds, withWindows: how }: Pick<WorkOptions, 'withWindows'> & { readonly bounds: Bounds },
  stop: AbortSignal,
): Promise<RunSummary> {
  return how === undefined
    ? work(deps, bounds, stop)
    : workWithWindows(deps, bounds, { how, isOpen: () => isOpenInEditor(paths.state, machine) }, stop);
}

/** Prints when the timer started this worker: its log has the output of all of them, and errors have no time. */
async function printTimerStart(context: Context): Promise<void> {
  const { system } = context;
  try {
    await context.configure();
  } catch (error) {
    // The start of the worker reports it.
    if (!isProblem(error)) throw error;
  }
  system.out(`${formatSecond(system.clock.now(), context.moment().timeZone)}  Started by the timer.`);
}

/** Records the timer start first: it counts even if the worker then cannot start. */
async function recordTimerStart(context: Context): Promise<void> {
  const { system } = context;
  try {
    await context.withQueue(async (queue) => {
      await recordInstalled(context, queue, system.scheduling);
      await queue.recordTimerStart(system.createId());
    });
  } catch (error) {
    if (!isProblem(error)) throw error;
    system.err(`Could not record the timer start: ${describeError(error)}`);
  }
}

function keepAwake({ system }: Context, deps: WorkerDeps): WorkerAwake {
  const { platform } = system.scheduling;
  return createKeepAwake({
    ...deps,
    host: system,
    platform,
    say: (line) => {
      deps.events.trouble(line);
    },
  });
}

/** Warns if the queue's `maxRunning` is below the slots of this worker. */
function warnAboutSlots({ system }: Context, { rules }: WorkerDeps, { max }: Slots): void {
  const { maxRunning } = rules.last.settings;
  if (max <= maxRunning) return;
  system.out(
    `maxRunning limits this queue to ${count(maxRunning, 'parallel task')}; this worker allows ${String(max)}.`,
  );
}

function reportRunning({ system }: Context, { by }: AlreadyRegistered): number {
  system.out(`Worker ${nameWorker(by.owner)} is already running.`);
  return NOTHING;
}
