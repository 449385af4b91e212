import { describeEmptied } from '../../app/present/problems/problem';
import { describeRowProblem, formatWhere } from '../../app/present/problems/rowProblem';
import { describeRowless } from '../../app/present/workers';
import type { Starts } from '../../app/simulate/worthForecasting';
import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import type { Context } from '../context';
import type { Line } from './line';
import { hasEnded, type TaskFilter } from './taskFilter';
import { countStates, layTasksOut } from './taskTable';

/**
 * Lays out the selected tasks as a table, those that run without a row, the invalid rows, and the number of tasks by state.
 * `starts`: those that a forecast expects.
 */
export function listTasks(
  viewModel: QueueViewModel,
  { fits, hidesEnded, hasInvalid, hasRowless }: TaskFilter,
  { queueFile, system }: Pick<Context, 'queueFile' | 'system'>,
  starts: Starts = new Map(),
): Line[] {
  const { tasks, snapshot, world } = viewModel;
  const chosen = tasks.filter(fits);
  const ended = hidesEnded ? chosen.filter(hasEnded) : [];
  const listed = hidesEnded ? chosen.filter((shown) => !hasEnded(shown)) : chosen;
  const hidden = ended.length === 0 ? '' : ` (not listed without --all: ${countStates(ended)})`;
  const counts = `Tasks: ${countStates(chosen)}${hidden}.`;
  const invalid = hasInvalid ? snapshot.problems : [];
  const rowless = hasRowless ? describeRowless(snapshot, world) : [];
  return [
    ...(listed.length === 0 ? [] : [layTasksOut(listed, { ...viewModel, starts }, system.columns)]),
    ...rowless,
    ...invalid.map((one) => `${formatWhere(queueFile, one.where)}  invalid  ${describeRowProblem(one)}`),
    ...(chosen.length > 0 ? [counts] : invalid.length + rowless.length > 0 ? [] : [describeNone(viewModel)]),
  ];
}

function describeNone({ tasks, snapshot }: Pick<QueueViewModel, 'tasks' | 'snapshot'>): string {
  return tasks.length === 0 ? (describeEmptied(snapshot) ?? 'There are no tasks.') : 'No task matches.';
}
