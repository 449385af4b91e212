import type { Command } from 'commander';
import { titleOf } from '../../../app/present/text';
import type { Forecast } from '../../../app/simulate/forecast';
import { simulate, workersOf } from '../../../app/simulate/simulate';
import type { TaskId } from '../../../domain/task/task';
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
/** Default number of simulations: enough for a range of 80 in 100. */
const TIMES = 50;

export function defineSimulate(program: Command, act: Act): void {
  const command = program
    .command('simulate')
    .description('forecast when each task starts and ends, from this queue’s history; runs nothing')
    .option('--until <time>', 'end of the forecast (HH:MM, or YYYY-MM-DD HH:MM; default: in 24 h)')
    .option('--workers <n>', 'tasks to run in parallel (default: the pools of the queue, or one task)')
    .option('--times <n>', `number of simulations (default: ${String(TIMES)})`)
    .option('--json', 'print JSON');
  act(command, async (context, _args, options: SimulateOptions) => {
    const { forecast, titles } = await forecastQueue(context, options);
    const { forecastJson, layForecastOut } = await import('../../output/forecast');
    context.system.out(
      options.json === true ? forecastJson(forecast) : layForecastOut(forecast, titles, context.moment()),
    );
    return OK;
  });
}

async function forecastQueue(
  context: Context,
  { until, workers, times }: SimulateOptions,
): Promise<{ readonly forecast: Forecast; readonly titles: ReadonlyMap<TaskId, string> }> {
  const { settings, timeZone } = await context.configure();
  const now = context.system.clock.now();
  const options = {
    until: until === undefined ? now + NIGHT_MS : parseUntil(until, now, timeZone),
    workers: workers === undefined ? workersOf(settings) : [{ choice: {}, slots: readSlots(workers) }],
    nights: times === undefined ? TIMES : parseCount(times),
  };
  return context.withQueue(async (queue) => {
    const forecast = await simulate(context, queue, options);
    const { tasks } = await queue.read();
    return {
      forecast,
      titles: new Map(tasks.map(({ definition }) => [definition.id, titleOf(definition.prompt)])),
    };
  });
}
