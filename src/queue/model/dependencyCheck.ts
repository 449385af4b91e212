import { findTangles } from '../../domain/task/dependencies';
import { Problem } from '../../domain/problem';
import type { Definition } from '../../domain/task/task';
import type { TaskDraft } from '../taskQueue';
import type { Row, RowSet } from './rows';

/** Rows among which dependencies are looked up. */
interface Others extends Pick<RowSet, 'invalidIds'> {
  readonly rows: readonly Pick<Row, 'definition'>[];
}

/**
 * Refuses new, edited or restored rows if one depends on a missing task or on itself. They may depend on each other.
 * @param places where the rows were read, in the same order
 */
export function refuseBadDependencies(
  changed: readonly Pick<Definition, 'id' | 'dependencies'>[],
  { rows, invalidIds }: Others,
  places: readonly Pick<TaskDraft, 'place'>[] = [],
): void {
  if (changed.every(({ dependencies }) => dependencies.length === 0)) return;
  const graph = new Map(rows.map(({ definition }) => [definition.id, definition.dependencies]));
  for (const { id, dependencies } of changed) graph.set(id, dependencies);
  for (const [index, { id, dependencies }] of changed.entries()) {
    const missing = dependencies.find((other) => !graph.has(other) && !invalidIds.has(other));
    if (missing === undefined) continue;
    throw new Problem({
      reason: 'usage',
      kind: 'unknown-dependency',
      id,
      missing,
      ...placeOf(places[index]),
    });
  }
  const path = findTangles(graph)[0]?.paths[0] ?? [];
  // Without the changed rows there is no cycle.
  const at = changed.findIndex(({ id }) => path.includes(id));
  const own = changed[at];
  if (own === undefined) return;
  throw new Problem({ reason: 'usage', kind: 'own-dependency', id: own.id, path, ...placeOf(places[at]) });
}

function placeOf({ place }: Pick<TaskDraft, 'place'> = {}): Pick<TaskDraft, 'place'> {
  return place === undefined ? {} : { place };
}
