import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { QueueContext } from '../../context/queueContext';
import type { Review } from '../../viewModel/report/risk';
import { decideTasks } from './decideTask';

/**
 * Accepts unreviewed tasks as they were shown. Returns the ids of those accepted: one that ran again since, or was decided
 * about, is left out.
 * @throws Problem `inside-run`
 */
export async function acceptReviews(
  queueContext: QueueContext,
  queue: TaskQueue,
  shown: readonly Review[],
): Promise<readonly TaskId[]> {
  const attempts = await queue.attempts({});
  const lastOf = (id: TaskId): number | undefined => attempts.find((attempt) => attempt.id === id)?.number;
  const unchanged = shown.filter(({ task }) => lastOf(task.id) === task.attempts.at(-1)?.number);
  const ids = unchanged.map(({ task }) => task.id);
  const { done } = await decideTasks(queueContext, queue, { ids, verb: 'accept' }, () => undefined);
  return done;
}
