import type { TaskQueue } from '../../queue/taskQueue';
import type { QueueContext } from '../context/queueContext';
import { LEAST_ATTEMPTS } from './pastAttempts';
import { simulate, workersOf } from './simulate';
import type { Starts } from './worthForecasting';

/** Number of simulations: enough for the time that half of them give. */
const NIGHTS = 10;

/** Forecasts the starts of a queue's tasks. Returns none if its history is too short to show times, or nothing starts. */
export async function forecastStarts(context: QueueContext, queue: TaskQueue): Promise<Starts> {
  // Fast path: a short history gives no times.
  if ((await queue.attempts({ limit: LEAST_ATTEMPTS })).length < LEAST_ATTEMPTS) return new Map();
  const { settings, problems } = await context.configure();
  if (problems.length > 0) return new Map();
  const options = { workers: workersOf(settings), nights: NIGHTS };
  const { tasks, isTimeKnown } = await simulate(context, queue, options);
  if (!isTimeKnown) return new Map();
  return new Map(tasks.flatMap(({ id, start }) => (typeof start?.p50 === 'number' ? [[id, start.p50]] : [])));
}
