import { describeError } from '../app/present/problems/problem';
import { isProblem, Problem } from '../domain/problem';
import type { TaskId } from '../domain/task/task';

/** Runs `act`, which changes all these tasks or none. If it fails for several, the message ends with `nothing`. */
export async function allOrNone<T>(
  ids: readonly TaskId[],
  nothing: string,
  act: () => T | Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (ids.length < 2 || !isProblem(error)) throw error;
    throw new Problem(error.reason, `${describeError(error)} ${nothing}`, { cause: error });
  }
}
