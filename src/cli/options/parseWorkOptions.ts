import { nameUnnamedPool, parseSlots, type Pool } from '../../domain/order/pools';
import type { Slots } from '../../domain/order/slots';
import { Problem } from '../../domain/problem';
import type { Settings } from '../../domain/settings/settings';
import type { WorkerChoice } from '../../domain/queue/view';
import type { WorkerFile } from '../../domain/settings/workerFile';
import { USD_DECIMALS } from '../../domain/usd';
import type { StopHow } from '../../domain/queue/workerStop';
import type { Bounds } from '../../worker/bounds/bounds';
import { ONE_SLOT, type WorkerDeps } from '../../worker/workerDeps';
import type { Context } from '../context';
import type { MetricsAddress } from '../../app/metrics/metricsServer';
import { parseMetricsAddress } from './metricsAddress';
import { parseUntil } from './until';
import { parseCount, parsePriorities } from './parseArguments';

/** Options of `work`, as typed. */
export interface WorkOptions {
  readonly alone?: true;
  readonly scheduled?: true;
  readonly withWindows?: StopHow;
  readonly untilEmpty?: true;
  readonly until?: string;
  readonly maxTasks?: string;
  readonly maxCost?: string;
  readonly maxUsageWindows?: string;
  /** Old name of `maxUsageWindows`. */
  readonly maxWindows?: string;
  readonly worker?: string;
  readonly pool?: string;
  readonly priorities?: string;
  readonly tags?: string;
  readonly workers?: string;
  readonly users?: string;
  readonly metrics?: string;
  readonly metricsPublic?: true;
}

/** Parses the bounds of the run. @throws Problem `usage` */
export async function readBounds(context: Context, options: WorkOptions): Promise<Bounds> {
  const { scheduled, untilEmpty, until, maxTasks, maxCost } = options;
  const maxUsageWindows = options.maxUsageWindows ?? options.maxWindows;
  const { timeZone } = await context.configure();
  const now = context.system.clock.now();
  return {
    ...(scheduled === undefined ? {} : { scheduled }),
    ...(untilEmpty === undefined ? {} : { untilEmpty }),
    ...(until === undefined ? {} : { until: parseUntil(until, now, timeZone) }),
    ...(maxTasks === undefined ? {} : { maxTasks: parseCount(maxTasks) }),
    ...(maxCost === undefined ? {} : { maxCostUsd: parseUsd(maxCost) }),
    ...(maxUsageWindows === undefined ? {} : { maxUsageWindows: parseCount(maxUsageWindows) }),
  };
}

/** Tasks that this worker may take, and its number of slots. */
export interface TaskSelection extends Required<Pick<WorkerDeps, 'choice' | 'slots'>> {
  /** Name of its pool; absent: it takes every task. */
  readonly pool?: string;
}

/**
 * Parses which tasks this worker takes, and how many it runs in parallel. Options count before the worker file.
 * @throws Problem `usage`
 */
export function readTaskSelection(
  options: WorkOptions,
  settings: Settings,
  { worker }: WorkerFile,
): TaskSelection {
  const { min, max, ...taken } = findPool(options, settings, worker);
  const users = options.users === undefined ? worker.assigned_users : parseNames(options.users, 'users');
  const choice: WorkerChoice = {
    ...taken,
    ...(users === undefined ? {} : { users }),
    ...(worker.steal_targets === undefined ? {} : { stealFrom: worker.steal_targets }),
  };
  const name = options.pool ?? nameUnnamedPool(choice);
  return {
    choice,
    slots: options.workers === undefined ? (worker.slots ?? { min, max }) : readSlots(options.workers),
    ...(name === '' ? {} : { pool: name }),
  };
}

/** Returns the pool of the settings that is named, or the one that the options and the worker file describe. */
function findPool(
  options: Pick<WorkOptions, 'pool' | 'priorities' | 'tags'>,
  settings: Settings,
  worker: WorkerFile['worker'],
): Pool {
  if (options.pool === undefined) {
    const { priorities = worker.priorities, tags = worker.tags } = parseTaken(options);
    return {
      ...ONE_SLOT,
      ...(priorities === undefined ? {} : { priorities }),
      ...(tags === undefined ? {} : { tags }),
    };
  }
  if (options.priorities === undefined && options.tags === undefined)
    return findNamedPool(options.pool, settings);
  throw new Problem(
    'usage',
    'A pool has its own priorities and tags: give --pool, or --priorities and --tags.',
  );
}

function parseTaken({ priorities, tags }: WorkOptions): Pick<Pool, 'priorities' | 'tags'> {
  return {
    ...(priorities === undefined ? {} : { priorities: parsePriorities(priorities) }),
    ...(tags === undefined ? {} : { tags: parseNames(tags, 'tags') }),
  };
}

function findNamedPool(name: string, { pools }: Settings): Pool {
  const pool = pools.get(name);
  if (pool !== undefined) return pool;
  const known = pools.size === 0 ? 'It has none' : `It has ${[...pools.keys()].join(', ')}`;
  throw new Problem(
    'usage',
    `This queue has no pool "${name}". ${known}. The setting pools in its config.yaml defines them.`,
  );
}

/** Parses a number of slots. @throws Problem `usage` */
export function readSlots(text: string): Slots {
  const slots = parseSlots(text);
  if (slots !== null) return slots;
  throw new Problem(
    'usage',
    `"${text}" is not a number of workers: give one such as 2, or a range such as 1-4.`,
  );
}

/** Returns what a worker file says about the worker itself. */
export function readWorkerDeps({ worker }: WorkerFile): Pick<WorkerDeps, 'lookAgainMs' | 'taskTimeoutMs'> {
  const { poll_interval_seconds: look, task_timeout_seconds: timeout } = worker;
  return {
    ...(look === undefined ? {} : { lookAgainMs: Math.round(look * 1000) }),
    ...(timeout === undefined ? {} : { taskTimeoutMs: Math.round(timeout * 1000) }),
  };
}

/** Returns where to serve metrics; null: nowhere. @throws Problem `usage` */
export function readMetricsAddress({ metrics, metricsPublic }: WorkOptions): MetricsAddress | null {
  return metrics === undefined ? null : parseMetricsAddress(metrics, metricsPublic === true);
}

function parseNames(text: string, what: 'users' | 'tags'): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.includes('')) return names;
  throw new Problem(
    'usage',
    `"${text}" is not a list of ${what}: give their names with commas between them.`,
  );
}

function parseUsd(text: string): number {
  const usd = Number(text.replace(/^\$/, ''));
  if (USD.test(text) && usd > 0) return usd;
  throw new Problem('usage', `"${text}" is not a cost: give US dollars, such as 5, 2.50 or 0.0125.`);
}

/** Costs with at most as many decimals as are recorded. */
const USD = new RegExp(`^\\$?\\d+(\\.\\d{1,${String(USD_DECIMALS)}})?$`);
