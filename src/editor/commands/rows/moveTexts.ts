import type { MoveObstacle, MoveStep } from '../../../app/viewModel/moves';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import type { TaskId } from '../../../domain/task/task';
import { t } from '../../../platform/text/translate';

/** Describes why a task cannot be moved so. `step` is null where it was dropped on another. */
export function describeObstacle(
  { tasks }: QueueViewModel,
  id: TaskId,
  why: MoveObstacle,
  step: MoveStep | null,
): string {
  switch (why.kind) {
    case 'not-waiting':
      return t('Task {0} does not wait for a slot, so it has no place in the order.', why.id);
    case 'at-end':
      return step === 'down' || step === 'bottom'
        ? t('Task {0} is already the last.', id)
        : t('Task {0} is already the first.', id);
    case 'other-user':
      return t(
        'Task {0} and task {1} belong to different users, who take turns. Moving a row does not change that.',
        id,
        why.other,
      );
    case 'other-priority': {
      const [own, other] = [describePriority(tasks, id), describePriority(tasks, why.other)];
      const both = t('Task {0} has {1}, task {2} has {3}.', id, own, why.other, other);
      const reason =
        why.becomes === null
          ? t('Task {0} resumes an attempt or waited longer: moving a row does not change that.', why.other)
          : t('Rows decide the order only within a priority.');
      return `${both} ${reason}`;
    }
  }
}

function describePriority(tasks: QueueViewModel['tasks'], id: TaskId): string {
  const shown = tasks.find(({ task }) => task.definition.id === id);
  if (shown === undefined) return t('no priority');
  const { priority } = shown.task.definition;
  return shown.effectivePriority === priority
    ? t('priority {0}', priority)
    : t('priority {0}, counts as {1}', priority, shown.effectivePriority);
}
