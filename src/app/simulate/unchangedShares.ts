import type { TaskView } from '../../domain/queue/view';
import type { Attempt } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import { LEAST_ATTEMPTS } from './pastAttempts';

/**
 * Returns the share of past due times that were skipped as unchanged, of each task that asks for it. Left out are tasks
 * with too few due times to say, and those without such a skip: perhaps their rows ask for it only now.
 */
export function findUnchangedShares(
  tasks: readonly TaskView[],
  attempts: readonly Attempt[],
): ReadonlyMap<TaskId, number> {
  const asked = tasks.filter(({ definition }) => definition.unlessUnchanged === true);
  const shares = asked.flatMap((task): [TaskId, number][] => {
    const { id } = task.definition;
    const own = attempts.filter((attempt) => attempt.id === id && attempt.power === task.state.power);
    const share = findShare(task, own);
    return share === null ? [] : [[id, share]];
  });
  return new Map(shares);
}

function findShare({ state, claim }: TaskView, attempts: readonly Attempt[]): number | null {
  const skips = [...attempts, claim, state].flatMap((one) => one?.skipped ?? []);
  const unchanged = skips.filter(({ why }) => why === 'unchanged').reduce((sum, { count }) => sum + count, 0);
  // Retries have the due time of their first attempt.
  const ran = new Set(attempts.flatMap(({ dueAt, catchUp }) => (catchUp === true ? [] : (dueAt ?? []))));
  const all = ran.size + unchanged;
  return all < LEAST_ATTEMPTS || unchanged === 0 ? null : unchanged / all;
}
