import { findTangles } from '../../domain/task/dependencies';
import { Problem } from '../../domain/problem';
import type { Definition } from '../../domain/task/task';
import type { Row, RowSet } from './rows';

/** Rows among which dependencies are looked up. */
interface Others extends Pick<RowSet, 'invalidIds'> {
  readonly rows: readonly Pick<Row, 'definition'>[];
}

/** Refuses new, edited or restored rows if one depends on a missing task or on itself. They may depend on each other. */
export function refuseBadDependencies(
  changed: readonly Pick<Definition, 'id' | 'dependencies'>[],
  { rows, invalidIds }: Others,
): void {
  if (changed.every(({ dependencies }) => dependencies.length === 0)) return;
  const graph = new Map(rows.map(({ definition }) => [definition.id, definition.dependencies]));
  for (const { id, dependencies } of changed) graph.set(id, dependencies);
  for (const { id, dependencies } of changed) {
    const missing = dependencies.find((other) => !graph.has(other) && !invalidIds.has(other));
    if (missing === undefined) continue;
    throw new Problem({ reason: 'usage', kind: 'unknown-dependency', id, missing });
  }
  const path = findTangles(graph)[0]?.paths[0] ?? [];
  // Without the changed rows there is no cycle.
  const own = changed.find(({ id }) => path.includes(id));
  if (own !== undefined) throw new Problem({ reason: 'usage', kind: 'own-dependency', id: own.id, path });
}
