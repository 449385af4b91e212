import type { Attempt } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import type { ForecastAccuracy } from '../viewModel/report/forecastAccuracy';
import { compareNights, findPastNights, type ComparedQueue } from './backtest';
import { workersOf } from './simulate';

/** Number of simulated starts in all, which take two seconds at most: those of 200 tasks, the fewest times. */
const MOST_STARTS = 1_000;
/** Simulations of a night: the usual number, and the fewest whose range says something. */
const USUAL_TIMES = 10;
const LEAST_TIMES = 5;

/**
 * Compares the time since `from` with its forecast, as the attempts before would have given it. A night that had started
 * before `from` is compared from there on. Null: nothing has started. Too many tasks are not compared: a report does
 * not wait for seconds.
 */
export async function measureAccuracy(
  compared: ComparedQueue,
  attempts: readonly Attempt[],
  from: EpochMs,
): Promise<ForecastAccuracy | null> {
  const { viewModel } = compared;
  const past = findPastNights(viewModel, attempts, from);
  if (past.nights.length === 0) return null;
  const tasks = past.nights.reduce((sum, { chosen }) => sum + chosen.size, 0);
  if (tasks === 0) return { kind: 'unknown', why: 'no-task' };
  const times = Math.min(Math.floor(MOST_STARTS / tasks), USUAL_TIMES);
  if (times < LEAST_TIMES) return { kind: 'unknown', why: 'too-many', tasks };
  const workers = workersOf(viewModel.world.settings);
  const { nights, start, end } = await compareNights(compared, past, { workers, times });
  if (!nights.some(({ isKnown }) => isKnown)) return { kind: 'unknown', why: 'few-attempts' };
  return start.of === 0 ? { kind: 'unknown', why: 'no-task' } : { kind: 'known', start, end };
}
