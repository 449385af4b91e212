import { editTask } from '../../../app/actions/rows/editTask';
import { moveRows } from '../../../app/actions/rows/moveTask';
import {
  planBeside,
  planSteps,
  type MoveObstacle,
  type MovePlan,
  type MoveStep,
  type MoveTarget,
} from '../../../app/viewModel/moves';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import type { Priority } from '../../../domain/task/priority';
import type { TaskId } from '../../../domain/task/task';
import type { ExtensionServices } from '../../state/extensionServices';
import { reportResult } from '../several/bulkResult';
import { saveToMove } from '../tasks/saveFirst';
import { chooseTasks } from '../tasks/taskTarget';
import { describeObstacle } from './moveTexts';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

const TITLES: Readonly<Record<MoveStep, string>> = {
  up: t('Move Up'),
  down: t('Move Down'),
  top: t('Move to Top'),
  bottom: t('Move to Bottom'),
};

/** Moves tasks by a step among those that wait for a slot. */
export async function moveTasks(
  services: ExtensionServices,
  targets: readonly unknown[],
  step: MoveStep,
): Promise<void> {
  const ids = await chooseTasks(services, targets, {
    title: TITLES[step],
    suits: (shown) => possibleActions(shown).has('move'),
  });
  if (ids.length === 0) return;
  await carryOut(services, ids, (viewModel) => planSteps(viewModel, ids, step), step);
}

/** Moves tasks beside another one. */
export async function moveBeside(
  services: ExtensionServices,
  ids: readonly TaskId[],
  target: MoveTarget,
): Promise<void> {
  await carryOut(services, ids, (viewModel) => planBeside(viewModel, ids, target), null);
}

async function carryOut(
  services: ExtensionServices,
  ids: readonly TaskId[],
  plan: (viewModel: QueueViewModel) => MovePlan,
  step: MoveStep | null,
): Promise<void> {
  const session = await services.queueModel.useQueue();
  const viewModel = await session.look();
  const { moves, blocked } = plan(viewModel);
  if (moves.length > 0) {
    if (!(await saveToMove(services))) return;
    await services.queueModel.change(({ queueContext, queue }) => moveRows(queueContext, queue, moves));
  }
  const [first] = blocked;
  if (ids.length === 1 && first !== undefined) return refuse(services, viewModel, first, step);
  reportResult(
    moves.length,
    blocked.map(({ id }) => id),
    'moved',
  );
}

/** Reports why a task was not moved, and offers the priority with which it can be. */
async function refuse(
  services: ExtensionServices,
  viewModel: QueueViewModel,
  { id, why }: { readonly id: TaskId; readonly why: MoveObstacle },
  step: MoveStep | null,
): Promise<void> {
  const message = describeObstacle(viewModel, id, why, step);
  if (why.kind !== 'other-priority' || why.becomes === null) {
    void showInformation(message);
    return;
  }
  const change = t('Change Priority to {0} and Move', why.becomes);
  if ((await showInformation(message, change)) !== change) return;
  const placeOf = (one: TaskId): number =>
    viewModel.tasks.find(({ task }) => task.definition.id === one)?.place ?? 0;
  const side = placeOf(id) > placeOf(why.other) ? 'before' : 'after';
  await changeAndMove(services, id, why.becomes, { beside: why.other, side });
}

async function changeAndMove(
  services: ExtensionServices,
  id: TaskId,
  priority: Priority,
  target: MoveTarget,
): Promise<void> {
  await services.queueModel.change(({ queueContext, queue }) =>
    editTask(queueContext, queue, id, { priority }),
  );
  await moveBeside(services, [id], target);
}
