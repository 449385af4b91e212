import { describeRowProblem, formatWhere } from '../../app/present/problems/rowProblem';
import { describeRowless } from '../../app/present/workers';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { Snapshot } from '../../queue/taskQueue';
import type { Context } from '../context';

/**
 * Returns the problem with a task that is not there: what is wrong with each of its rows, and where, if it has one. Of one whose row
 * was removed while somebody has it, who that is.
 */
export function explainMissing(
  id: TaskId,
  snapshot: Snapshot,
  context: Pick<Context, 'queueFile' | 'moment'>,
): Problem {
  const own = snapshot.problems.filter((problem) => problem.id === id);
  const claims = snapshot.claims.filter((claim) => claim.id === id);
  const held = describeRowless({ ...snapshot, claims }, context.moment());
  const found = own.map((one) => `${formatWhere(context.queueFile, one.where)}  ${describeRowProblem(one)}`);
  const lines = found.length === 0 ? held : [`Task ${String(id)} is invalid:`, ...found, ...held];
  return new Problem(
    'no-such-task',
    lines.length === 0 ? `There is no task ${String(id)}.` : lines.join('\n'),
  );
}
