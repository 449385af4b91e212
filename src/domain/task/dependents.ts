import type { Definition, TaskId } from './task';

/** A task, and those that it waits for. */
export type Dependent = Pick<Definition, 'id' | 'dependencies'>;

/** Returns a function that finds the tasks that depend on one, directly or not; never that one. */
export function findDependents(tasks: Iterable<Dependent>): (id: TaskId) => Set<TaskId> {
  const direct = new Map<TaskId, TaskId[]>();
  for (const { id, dependencies } of tasks)
    for (const dependency of dependencies) {
      const known = direct.get(dependency);
      if (known === undefined) direct.set(dependency, [id]);
      else known.push(id);
    }
  return (id) => {
    const found = new Set([id]);
    // A set also visits what is added meanwhile.
    for (const one of found) for (const dependent of direct.get(one) ?? []) found.add(dependent);
    found.delete(id);
    return found;
  };
}
