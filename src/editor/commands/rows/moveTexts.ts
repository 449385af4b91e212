import type { MoveObstacle, MoveStep } from '../../../app/viewModel/moves';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import type { TaskId } from '../../../domain/task/task';

/** Describes why a task cannot be moved so. `step` is null where it was dropped on another. */
export function describeObstacle(
  { tasks }: QueueViewModel,
  id: TaskId,
  why: MoveObstacle,
  step: MoveStep | null,
): string {
  const name = (one: TaskId): string => `Task ${String(one)}`;
  const priorityOf = (one: TaskId): string => {
    const shown = tasks.find(({ task }) => task.definition.id === one);
    if (shown === undefined) return 'no priority';
    const { priority } = shown.task.definition;
    const raised = shown.effectivePriority === priority ? '' : `, counts as ${shown.effectivePriority}`;
    return `priority ${priority}${raised}`;
  };
  switch (why.kind) {
    case 'not-waiting':
      return `${name(why.id)} does not wait for a slot, so it has no place in the order.`;
    case 'at-end':
      return `${name(id)} is already the ${step === 'down' || step === 'bottom' ? 'last' : 'first'}.`;
    case 'other-user':
      return `${name(id)} and task ${String(why.other)} belong to different users, who take turns. Moving a row does not change that.`;
    case 'other-priority': {
      const both = `${name(id)} has ${priorityOf(id)}, task ${String(why.other)} has ${priorityOf(why.other)}.`;
      return why.becomes === null
        ? `${both} Task ${String(why.other)} resumes an attempt or waited longer: moving a row does not change that.`
        : `${both} Rows decide the order only within a priority.`;
    }
  }
}
