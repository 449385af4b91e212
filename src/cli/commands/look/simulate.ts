import type { Command } from 'commander';
import type { Forecast } from '../../../app/simulate/forecast';
import { simulate, workersOf } from '../../../app/simulate/simulate';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { parseCount } from '../../options/parseArguments';
import { readSlots } from '../../options/parseWorkOptions';
import { parseUntil } from '../../options/until';

interface SimulateOptions {
  readonly until?: string;
  readonly workers?: string;
  readonly times?: string;
  readonly json?: true;
}

const NIGHT_MS = 24 * 3_600_000;

export function defineSimulate(program: Command, act: Act): void {
  const command = program
    .command('simulate')
    .description('forecast when each task starts and ends, from this queue’s history; runs nothing')
    .option('--until <time>', 'end of the forecast (HH:MM, or YYYY-MM-DD HH:MM; default: in 24 h)')
    .option('--workers <n>', 'tasks to run in parallel (default: the pools of the queue, or one task)')
    .option('--times <n>', 'number of simulations (default: 50)')
    .option('--json', 'print JSON');
  act(command, async (context, _args, options: SimulateOptions) => {
    const forecast = await forecastQueue(context, options);
    const { forecastJson, layForecastOut } = await import('../../output/forecast');
    context.system.out(
      options.json === true ? forecastJson(forecast) : layForecastOut(forecast, context.moment()),
    );
    return OK;
  });
}

async function forecastQueue(
  context: Context,
  { until, workers, times }: SimulateOptions,
): Promise<Forecast> {
  const { settings, timeZone } = await context.configure();
  const now = context.system.clock.now();
  const options = {
    until: until === undefined ? now + NIGHT_MS : parseUntil(until, now, timeZone),
    workers: workers === undefined ? workersOf(settings) : [{ choice: {}, slots: readSlots(workers) }],
    ...(times === undefined ? {} : { nights: parseCount(times) }),
  };
  return context.withQueue((queue) => simulate(context, queue, options));
}
