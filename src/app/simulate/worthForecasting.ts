import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import type { QueueViewModel } from '../viewModel/queueViewModel';

/** Start of each task that starts in at least half of the simulations of a forecast. */
export type Starts = ReadonlyMap<TaskId, EpochMs>;

/** Whether a forecast of starts says something: a worker runs, and a task waits that is not the next. */
export function isWorthForecasting({ snapshot, tasks }: QueueViewModel): boolean {
  if (snapshot.workers.length === 0 || tasks.length === 0) return false;
  const waiting = tasks.filter(({ task: { state } }) => state.status === 'pending').length;
  return waiting > 1;
}
