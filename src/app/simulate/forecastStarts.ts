import type { TaskQueue } from '../../queue/taskQueue';
import type { QueueContext } from '../context/queueContext';
import { LEAST_ATTEMPTS } from './pastAttempts';
import { simulateNights } from './simulate';
import type { Starts } from './worthForecasting';

/** Number of simulations: enough for the time that half of them give. */
const NIGHTS = 10;

/** Number of starts that are forecast, repetitions too: with more, it takes a processor for seconds. */
const MOST_STARTS = 50;

/** Number of simulations if more tasks wait. Each copies the queue, and the user of `status` waits for it. */
const FEWER_NIGHTS = 3;

/**
 * Forecasts the starts of the tasks that the running workers start next, of N that wait. Returns none if the history is
 * too short to show times, or nothing starts.
 */
export async function forecastStarts(
  context: QueueContext,
  queue: TaskQueue,
  waiting: number,
): Promise<Starts> {
  // Fast path: a short history gives no times.
  if ((await queue.attempts({ limit: LEAST_ATTEMPTS })).length < LEAST_ATTEMPTS) return new Map();
  const { problems } = await context.configure();
  if (problems.length > 0) return new Map();
  const nights = waiting > MOST_STARTS ? FEWER_NIGHTS : NIGHTS;
  const options = { nights, mostStarts: MOST_STARTS };
  const { tasks, isTimeKnown } = (await simulateNights(context, queue, options)).forecast;
  if (!isTimeKnown) return new Map();
  return new Map(tasks.flatMap(({ id, start }) => (typeof start?.p50 === 'number' ? [[id, start.p50]] : [])));
}
