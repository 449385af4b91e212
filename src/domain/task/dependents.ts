import { groupBy } from '../lists';
import type { Definition, TaskId } from './task';

/** A task, and those that it waits for. */
export type Dependent = Pick<Definition, 'id' | 'dependencies'>;

/** Returns a function that finds the tasks that depend on one, directly or not; never that one. */
export function findDependents(tasks: Iterable<Dependent>): (id: TaskId) => Set<TaskId> {
  const links = [...tasks].flatMap(({ id, dependencies }) =>
    dependencies.map((dependency) => ({ id, dependency })),
  );
  const direct = groupBy(links, ({ dependency }) => dependency);
  return (id) => {
    const found = new Set([id]);
    // A set also visits what is added meanwhile.
    for (const one of found) for (const dependent of direct.get(one) ?? []) found.add(dependent.id);
    found.delete(id);
    return found;
  };
}
