import { Problem } from '../../domain/problem';
import { DECIDING_SETTINGS } from '../../domain/reasons/recordedInputs';
import { readSettings, type SettingName, type Settings } from '../../domain/settings/settings';
import { environmentName } from '../../domain/settings/variables';
import type { Priority } from '../../domain/task/priority';
import type { TaskId } from '../../domain/task/task';
import type { Clock } from '../../platform/clock';
import { t } from '../../platform/text/translate';
import type { Host } from '../context/host';
import { QueueContext } from '../context/queueContext';
import { describeSettingProblem } from '../present/problems/settingProblem';
import type { Forecast } from './forecast';
import { simulate, workersOf, type SimulationOptions } from './simulate';

/** Settings that a forecast depends on. */
export const FORECAST_SETTINGS = [
  ...DECIDING_SETTINGS,
  'pools',
  'priorityRules',
  'retryBackoff',
  'retryBackoffMax',
  'retryJitter',
  'taskTimeout',
] as const satisfies readonly SettingName[];

/** Settings and priorities that a forecast has instead of the present ones. */
export interface Changes {
  /** Values as a variable would have them. */
  readonly settings: ReadonlyMap<SettingName, string>;
  readonly priorities: ReadonlyMap<TaskId, Priority>;
}

/** Forecast of a queue as it is, and as it would be with changes. Both start at the same moment. */
export interface Comparison {
  readonly now: Forecast;
  readonly then: Forecast;
  /** Tasks that the worker of both runs at once, so that `maxRunning` counts; absent: the workers of a plain forecast. */
  readonly assumedSlots?: number;
}

type ComparisonOptions = Partial<Omit<SimulationOptions, 'priorities'>>;

/**
 * Forecasts a queue as it is and with these changes, from the same random numbers. Changes nothing.
 * @throws Problem `usage` for a value or a task that cannot be; `settings-invalid`
 */
export async function compareForecasts(
  context: QueueContext,
  changes: Changes,
  options: ComparisonOptions = {},
): Promise<Comparison> {
  readValues(changes.settings);
  const clock = stopped(context.host.clock);
  const present = onHost(context, { clock });
  const changed = onHost(context, { clock, env: { ...context.host.env, ...variablesOf(changes.settings) } });
  const { settings } = await present.configureStrictly();
  // A setting that is wrong must not pass for one that makes no difference.
  const { settings: others } = await changed.configureStrictly();
  const slots = changes.settings.has('maxRunning') && !options.workers ? slotsFor(settings, others) : null;
  const workersBy = (rules: Settings): Pick<SimulationOptions, 'workers'> => {
    if (slots !== null) return { workers: [{ choice: {}, slots: { min: slots, max: slots } }] };
    // The workers that run are not of other pools.
    return changes.settings.has('pools') ? { workers: workersOf(rules) } : {};
  };
  const now = await forecast(present, { ...workersBy(settings), ...options });
  checkTasks(changes, now);
  const then = await forecast(changed, {
    ...workersBy(others),
    ...options,
    priorities: changes.priorities,
  });
  return { now, then, ...(slots === null ? {} : { assumedSlots: slots }) };
}

/** Returns a context of the same queue and account, on a host that differs in these services. */
function onHost(context: QueueContext, services: Partial<Host>): QueueContext {
  const { options, host, knownAccount } = context;
  const account = knownAccount === undefined ? {} : { lastAccount: knownAccount };
  return new QueueContext({ ...options, ...account }, { ...host, ...services });
}

function forecast(context: QueueContext, options: SimulationOptions): Promise<Forecast> {
  return context.withQueue((queue) => simulate(context, queue, options));
}

/** Returns a clock that always shows the present time. Else each time would differ by the length of a simulation. */
function stopped(clock: Clock): Clock {
  const at = clock.now();
  return { now: () => at, sleep: (ms, signal) => clock.sleep(ms, signal) };
}

function variablesOf(settings: Changes['settings']): Readonly<Record<string, string>> {
  return Object.fromEntries([...settings].map(([name, value]) => [environmentName(name), value]));
}

/** Returns all settings, with these values in place of defaults. @throws Problem `usage` for one that cannot be */
export function readValues(settings: Changes['settings']): Settings {
  const reading = readSettings([], variablesOf(settings));
  const [problem] = reading.problems;
  if (problem === undefined) return reading.settings;
  const name = problem.fault.kind === 'wrong-value' ? problem.fault.setting : problem.name;
  throw new Problem('usage', describeSettingProblem({ ...problem, source: '', name }));
}

function checkTasks({ priorities }: Changes, { tasks }: Forecast): void {
  for (const id of priorities.keys())
    if (!tasks.some((task) => task.id === id && !task.hasEnded))
      throw new Problem('usage', t('There is no task {0} that can run.', id));
}

/** Returns how many slots a worker needs to use `maxRunning` of both; null: one does, or pools give the slots. */
function slotsFor(...both: readonly Settings[]): number | null {
  const most = Math.max(...both.map(({ maxRunning }) => maxRunning));
  return most === 1 || both.some(({ pools }) => pools.size > 0) ? null : most;
}
