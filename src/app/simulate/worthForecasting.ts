import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import { hasContinuingWorker } from '../present/workers';
import type { QueueViewModel } from '../viewModel/queueViewModel';

/** Start of each task that starts in at least half of the simulations of a forecast. */
export type Starts = ReadonlyMap<TaskId, EpochMs>;

/** Whether a forecast of starts says something: a worker will start tasks, and one waits that is not the next. */
export function isWorthForecasting(viewModel: QueueViewModel): boolean {
  return hasContinuingWorker(viewModel.snapshot) && countWaiting(viewModel) > 1;
}

/** Returns the number of tasks that have not ended and do not run. */
export function countWaiting({ tasks }: Pick<QueueViewModel, 'tasks'>): number {
  return tasks.filter(({ task: { state } }) => state.status === 'pending').length;
}
