import type { Pool } from '../../domain/order/pools';
import { Problem } from '../../domain/problem';
import type { Settings } from '../../domain/settings/settings';
import { USD_DECIMALS } from '../../domain/usd';
import type { StopHow } from '../../queue/taskQueue';
import type { Bounds } from '../../worker/bounds/bounds';
import { ONE_SLOT, type Slots, type WorkerDeps } from '../../worker/workerDeps';
import type { Context } from '../context';
import { parseUntil } from './until';
import { parseCount } from './parseArguments';

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
  readonly pool?: string;
  readonly workers?: string;
  readonly users?: string;
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
export type TaskSelection = Required<Pick<WorkerDeps, 'choice' | 'slots'>>;

/** Parses which tasks this worker takes, and how many it runs in parallel. @throws Problem `usage` */
export function readTaskSelection(
  { pool: name, workers, users }: WorkOptions,
  settings: Settings,
): TaskSelection {
  const pool: Partial<Pool> = name === undefined ? {} : findPool(name, settings);
  const { priorities, min = ONE_SLOT.min, max = ONE_SLOT.max } = pool;
  return {
    choice: {
      ...(priorities === undefined ? {} : { priorities }),
      ...(users === undefined ? {} : { users: parseUsers(users) }),
    },
    slots: workers === undefined ? { min, max } : parseSlots(workers),
  };
}

function findPool(name: string, { pools }: Settings): Pool {
  const pool = pools.get(name);
  if (pool !== undefined) return pool;
  const known = pools.size === 0 ? 'It has none' : `It has ${[...pools.keys()].join(', ')}`;
  throw new Problem(
    'usage',
    `This queue has no pool "${name}". ${known}. The setting pools in its config.yaml defines them.`,
  );
}

/** Parses a number of slots: `3`, or `1-4`, which scales with the backlog. */
function parseSlots(text: string): Slots {
  const [min = '', max = min, ...rest] = text.split('-').map((part) => part.trim());
  const slots = { min: parseCount(min), max: parseCount(max) };
  if (rest.length === 0 && slots.min <= slots.max) return slots;
  throw new Problem(
    'usage',
    `"${text}" is not a number of workers: give one such as 2, or a range such as 1-4.`,
  );
}

function parseUsers(text: string): readonly string[] {
  const users = text.split(',').map((user) => user.trim());
  if (!users.includes('')) return users;
  throw new Problem('usage', `"${text}" is not a list of users: give their names with commas between them.`);
}

function parseUsd(text: string): number {
  const usd = Number(text.replace(/^\$/, ''));
  if (USD.test(text) && usd > 0) return usd;
  throw new Problem('usage', `"${text}" is not a cost: give US dollars, such as 5, 2.50 or 0.0125.`);
}

/** Costs with at most as many decimals as are recorded. */
const USD = new RegExp(`^\\$?\\d+(\\.\\d{1,${String(USD_DECIMALS)}})?$`);
