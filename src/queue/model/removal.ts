import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { QueueState } from './state/queueState';
import type { RowSet } from './rows';

/**
 * Refuses to remove rows while one of them runs, or where a row that stays depends on one.
 * @throws Problem `already-running`, `conflict`
 */
export function refuseRemoval(
  ids: readonly TaskId[],
  { rows }: Pick<RowSet, 'rows'>,
  { claims }: Pick<QueueState, 'claims'>,
): void {
  const running = ids.find((id) => claims.has(id));
  if (running !== undefined) {
    throw new Problem({ reason: 'already-running', kind: 'removes-running', id: running });
  }
  const removed = new Set(ids);
  for (const { definition } of rows) {
    const needed = definition.dependencies.find((id) => removed.has(id));
    if (needed === undefined || removed.has(definition.id)) continue;
    throw new Problem({ reason: 'conflict', kind: 'still-needed', id: needed, dependent: definition.id });
  }
}
