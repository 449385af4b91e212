import { findTangles } from '../../domain/task/dependencies';
import { Problem } from '../../domain/problem';
import type { Definition } from '../../domain/task/task';
import type { RowSet } from './rows';

/** Refuses a new or edited row that depends on a missing task or on itself. */
export function refuseBadDependencies(
  { id, dependencies }: Pick<Definition, 'id' | 'dependencies'>,
  { rows, invalidIds }: Pick<RowSet, 'rows' | 'invalidIds'>,
): void {
  if (dependencies.length === 0) return;
  const graph = new Map(rows.map(({ definition }) => [definition.id, definition.dependencies]));
  graph.set(id, dependencies);
  const missing = dependencies.find((other) => !graph.has(other) && !invalidIds.has(other));
  if (missing !== undefined) {
    throw new Problem({ reason: 'usage', kind: 'unknown-dependency', id, missing });
  }
  const path = findTangles(graph)[0]?.paths[0];
  if (path !== undefined) throw new Problem({ reason: 'usage', kind: 'own-dependency', id, path });
}
