import { isAboutOneTask } from '../app/actions/tasks/decideTask';
import { describeError } from '../app/present/problems/problem';
import type { TaskId } from '../domain/task/task';
import { FAILED, OK } from './exitCodes';
import type { System } from './system';

/**
 * Runs `act` for each task, in order. A failure for one task is reported, and the next ones follow. Returns `FAILED` if
 * one failed or `act` returned false.
 */
export async function eachTask<T extends TaskId | undefined>(
  { err }: Pick<System, 'err'>,
  ids: readonly T[],
  act: (id: T) => Promise<boolean>,
): Promise<number> {
  let code = OK;
  for (const id of ids) {
    try {
      if (!(await act(id))) code = FAILED;
    } catch (error) {
      if (ids.length === 1 || !isAboutOneTask(error)) throw error;
      err(describeError(error));
      code = FAILED;
    }
  }
  return code;
}
