import { describeRowProblem, formatWhere } from '../../app/present/problems/rowProblem';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { Snapshot } from '../../queue/taskQueue';

/** Returns the problem with a task that is not there: what is wrong with each of its rows, and where, if it has one. */
export function explainMissing(id: TaskId, { problems }: Snapshot, file: string): Problem {
  const own = problems.filter((problem) => problem.id === id);
  if (own.length === 0) return new Problem('no-such-task', `There is no task ${String(id)}.`);
  const lines = own.map((one) => `${formatWhere(file, one.where)}  ${describeRowProblem(one)}`);
  return new Problem('no-such-task', `Task ${String(id)} is invalid:\n${lines.join('\n')}`);
}
