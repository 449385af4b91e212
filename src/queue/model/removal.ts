import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { QueueState } from './queueState';
import type { RowSet } from './rows';

/**
 * Refuses to remove rows while one of them runs, or where a row that stays depends on one.
 * @throws Problem `already-running`, `usage`
 */
export function refuseRemoval(
  ids: readonly TaskId[],
  { rows }: Pick<RowSet, 'rows'>,
  { claims }: Pick<QueueState, 'claims'>,
): void {
  const running = ids.find((id) => claims.has(id));
  if (running !== undefined) {
    throw new Problem(
      'already-running',
      `Task ${String(running)} is running or in your hands. Cancel or release it first.`,
    );
  }
  const removed = new Set(ids);
  for (const { definition } of rows) {
    const needed = definition.dependencies.find((id) => removed.has(id));
    if (needed === undefined || removed.has(definition.id)) continue;
    const [dependent, id] = [String(definition.id), String(needed)];
    throw new Problem(
      'usage',
      `Task ${dependent} depends on task ${id}. Remove both, or change it with "claude-queue edit ${dependent} --after …".`,
    );
  }
}
