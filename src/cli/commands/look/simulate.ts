import type { Command } from 'commander';
import type { Forecast } from '../../../app/simulate/forecast';
import { simulate, workersOf, type SimulationOptions } from '../../../app/simulate/simulate';
import { Problem } from '../../../domain/problem';
import type { EpochMs } from '../../../domain/time/epoch';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { collectTexts, parseCount } from '../../options/parseArguments';
import { readSlots } from '../../options/parseWorkOptions';
import { parseUntil } from '../../options/until';

interface SimulateOptions {
  readonly until?: string;
  readonly workers?: string;
  readonly times?: string;
  readonly set?: readonly string[];
  readonly priority?: readonly string[];
  readonly backtest?: true;
  readonly json?: true;
}

/** Bounds of what takes seconds, or minutes at most: 31 days, and this number of simulations. */
const LONGEST_MS = 31 * 24 * 3_600_000;
const MOST_TIMES = 1_000;

export function defineSimulate(program: Command, act: Act): void {
  const command = program
    .command('simulate')
    .description("forecast when each task starts and ends, from this queue's history; runs nothing")
    .option('--until <time>', 'end of the forecast: HH:MM, YYYY-MM-DD HH:MM, or 8h (default: 24h)')
    .option('--workers <n>', 'tasks to run in parallel (default: as the workers do, or the pools, or one)')
    .option('--times <n>', 'number of simulations (default: 50; 20 of each night in a backtest)')
    .option('--set <setting=value>', 'compare with another setting; may be repeated', collectTexts)
    .option(
      '--priority <id=priority>',
      'compare with another priority of a task; may be repeated',
      collectTexts,
    )
    .option('--backtest', 'forecast the past nights, and say how often the times held')
    .option('--json', 'print JSON');
  act(command, async (context, _args, options: SimulateOptions) => {
    if (options.backtest === true) return printBacktest(context, options);
    if (options.set !== undefined || options.priority !== undefined) return printWhatIf(context, options);
    const forecast = await forecastQueue(context, options);
    const { forecastJson, layForecastOut } = await import('../../output/forecast/forecastOutput');
    context.system.out(
      options.json === true
        ? forecastJson(forecast)
        : layForecastOut(forecast, context.moment(), context.system.columns),
    );
    return OK;
  });
}

/** Forecasts the queue as these options change it, and prints what differs. */
async function printWhatIf(context: Context, options: SimulateOptions): Promise<number> {
  const { set = [], priority = [], json } = options;
  const { compareForecasts } = await import('../../../app/simulate/whatIf');
  const { parseForecastSettings, parsePriorityChanges } = await import('../../options/whatIfChanges');
  const { layWhatIfOut, whatIfJson } = await import('../../output/forecast/whatIfOutput');
  const changes = { settings: parseForecastSettings(set), priorities: parsePriorityChanges(priority) };
  const found = await compareForecasts(context, changes, await readBounds(context, options));
  context.system.out(
    json === true ? whatIfJson(found) : layWhatIfOut(found, context.moment(), context.system.columns),
  );
  return OK;
}

async function printBacktest(context: Context, options: SimulateOptions): Promise<number> {
  if (options.until !== undefined)
    throw new Problem('usage', '--backtest is about past nights. Leave out --until.');
  if (options.set !== undefined || options.priority !== undefined)
    throw new Problem('usage', '--backtest is about past nights. Leave out --set and --priority.');
  const { settings } = await context.configureStrictly();
  const { backtest } = await import('../../../app/simulate/backtest');
  const { backtestJson, layBacktestOut } = await import('../../output/forecast/backtestOutput');
  const found = await context.withQueue((queue) =>
    backtest(context, queue, { workers: workersOf(settings), ...readSimulation(options) }),
  );
  context.system.out(
    options.json === true
      ? backtestJson(found)
      : layBacktestOut(found, context.moment(), context.system.columns),
  );
  return OK;
}

async function forecastQueue(context: Context, options: SimulateOptions): Promise<Forecast> {
  const simulation = await readBounds(context, options);
  return context.withQueue((queue) => simulate(context, queue, simulation));
}

/** Returns the end of the forecast, and what `readSimulation` returns. */
async function readBounds(context: Context, options: SimulateOptions): Promise<Partial<SimulationOptions>> {
  const { until } = options;
  const { timeZone } = await context.configureStrictly();
  const now = context.system.clock.now();
  return {
    ...(until === undefined ? {} : { until: parseEnd(until, now, timeZone) }),
    ...readSimulation(options),
  };
}

/** Returns the workers and the number of simulations that are given. */
function readSimulation({
  workers,
  times,
}: SimulateOptions): Partial<Pick<SimulationOptions, 'workers' | 'nights'>> {
  return {
    ...(workers === undefined ? {} : { workers: [{ choice: {}, slots: readSlots(workers) }] }),
    ...(times === undefined ? {} : { nights: parseTimes(times) }),
  };
}

function parseEnd(text: string, now: EpochMs, timeZone: string): EpochMs {
  const end = parseUntil(text, now, timeZone);
  if (end - now <= LONGEST_MS) return end;
  throw new Problem('usage', `"${text}" is more than 31 days ahead. Give an earlier time.`);
}

function parseTimes(text: string): number {
  const times = parseCount(text);
  if (times <= MOST_TIMES) return times;
  throw new Problem(
    'usage',
    `"${text}" is more than ${String(MOST_TIMES)} simulations. Give a smaller number.`,
  );
}
