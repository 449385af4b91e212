import type { Override, World } from '../reasons/world';
import type { Priority } from '../task/priority';
import type { Settings } from '../settings/settings';
import type { TaskId } from '../task/task';
import type { TaskView, WorkerChoice } from '../queue/view';
import { pick } from '../pick';
import { ownPriority } from './leftoverCapacity';

/** Selection of tasks that a claimer asks for: of priority, the own or effective one counts. */
export interface Choice extends WorkerChoice {
  /** Only this task. */
  readonly id?: TaskId;
  /** `time` counts only for a named task. */
  readonly override?: Override;
}

/** Returns the selection alone, without what else a request says. */
export function choiceOf(request: Choice): Choice {
  return pick(request, ['id', 'override', 'priorities', 'tags', 'users', 'stealFrom']);
}

/** Returns the tenant of a task. All rows that name none form a tenant of their own. */
export function tenantOf({ definition }: TaskView): string {
  return definition.user ?? '';
}

/** Whether a claimer takes a task that counts as `effective`. */
export function takes(choice: Choice, task: TaskView, effective: Priority, settings: Settings): boolean {
  return isMeantFor(choice, task) && isWanted(ownPriority(task.definition, settings), effective, choice);
}

/** Whether a claimer takes this task at some priority: it has one of its tags, and a tenant that it serves. */
export function isMeantFor({ tags, users, stealFrom }: Choice, task: TaskView): boolean {
  if (tags !== undefined && !tags.some((tag) => task.definition.tags?.includes(tag))) return false;
  const tenant = tenantOf(task);
  return stealFrom === undefined || stealFrom.includes(tenant) || users?.includes(tenant) === true;
}

/** Whether a claimer takes tasks of this own and effective priority at all. */
export function isWanted(own: Priority, effective: Priority, { priorities }: Choice): boolean {
  return priorities === undefined || priorities.includes(effective) || priorities.includes(own);
}

/** Returns the task that the claimer names, or all. */
export function candidatesFor({ queue, byId }: World, { id }: Choice): readonly TaskView[] {
  if (id === undefined) return queue.tasks;
  const task = byId.get(id);
  return task === undefined ? [] : [task];
}
