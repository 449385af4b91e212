import type { TaskQueue } from '../../queue/taskQueue';
import type { QueueContext } from '../context/queueContext';
import { LEAST_ATTEMPTS } from './pastAttempts';
import { simulate, workersOf } from './simulate';
import type { Starts } from './worthForecasting';

/** Number of simulations: enough for the time that half of them give. */
const NIGHTS = 10;

/** Number of tasks whose starts are forecast: with more, it takes a processor for seconds. */
const MOST_STARTS = 50;

/** Forecasts the starts of the tasks of a queue that start next. Returns none if its history is too short to show times, or nothing starts. */
export async function forecastStarts(context: QueueContext, queue: TaskQueue): Promise<Starts> {
  // Fast path: a short history gives no times.
  if ((await queue.attempts({ limit: LEAST_ATTEMPTS })).length < LEAST_ATTEMPTS) return new Map();
  const { settings, problems } = await context.configure();
  if (problems.length > 0) return new Map();
  const options = { workers: workersOf(settings), nights: NIGHTS, mostStarts: MOST_STARTS };
  const { tasks, isTimeKnown } = await simulate(context, queue, options);
  if (!isTimeKnown) return new Map();
  return new Map(tasks.flatMap(({ id, start }) => (typeof start?.p50 === 'number' ? [[id, start.p50]] : [])));
}
