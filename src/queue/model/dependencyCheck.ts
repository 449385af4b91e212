import { findTangles } from '../../domain/task/dependencies';
import { Problem } from '../../domain/problem';
import type { Definition } from '../../domain/task/task';
import type { Row, RowSet } from './rows';

/** Rows among which dependencies are looked up. */
interface Others extends Pick<RowSet, 'invalidIds'> {
  readonly rows: readonly Pick<Row, 'definition'>[];
}

/** Refuses a new or edited row that depends on a missing task or on itself. */
export function refuseBadDependencies(
  { id, dependencies }: Pick<Definition, 'id' | 'dependencies'>,
  { rows, invalidIds }: Others,
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

/** As `refuseBadDependencies`, for rows that are put back together. */
export function refuseBadRestore(restored: readonly Definition[], { rows, invalidIds }: Others): void {
  const all = [...rows, ...restored.map((definition) => ({ definition }))];
  for (const definition of restored) refuseBadDependencies(definition, { rows: all, invalidIds });
}
