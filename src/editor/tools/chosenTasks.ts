import { count } from '../../app/present/text';
import type { TaskViewModel } from '../../app/viewModel/queueViewModel';

/** Maximum number of tasks in a result: a model cannot use more. */
export const MOST_TASKS = 100;

const DONE: readonly string[] = ['completed', 'cancelled'];

/** Returns the tasks for a result: those that are not done first, then the newest of the others. */
export function chooseTasks(tasks: readonly TaskViewModel[]): ReadonlySet<TaskViewModel> {
  const isDone = ({ task }: TaskViewModel): boolean => DONE.includes(task.state.status);
  const open = tasks.filter((shown) => !isDone(shown));
  const done = tasks.filter(isDone).reverse();
  return new Set([...open, ...done].slice(0, MOST_TASKS));
}

/** Describes tasks that a result leaves out; null if there are none. */
export function describeOmitted(number: number): string | null {
  if (number === 0) return null;
  return `${count(number, 'task')} left out. "claude-queue list" in a terminal lists all.`;
}
