import { isDeepStrictEqual } from 'node:util';
import type { TaskQueue } from '../../queue/taskQueue';
import type { QueueContext } from '../context/queueContext';
import { peekGateView, type QueueViewModel } from './queueViewModel';

/** Opened queue with its context. */
interface Opened {
  readonly queueContext: QueueContext;
  readonly queue: TaskQueue;
}

/**
 * Whether something happened that nothing reports: a worker died, or a deadline came close or passed. Also whether the
 * gate or the approvals changed: VS Code may miss that.
 */
export async function isOutdated(
  { queueContext, queue }: Opened,
  viewModel: QueueViewModel,
): Promise<boolean> {
  const { snapshot, world, missingWorkers } = viewModel;
  const now = queue.now();
  const { atRiskBefore } = world.settings;
  const hasPassed = (at: number): boolean => at > world.now && at <= now;
  return (
    (await queue.hasLost(snapshot)) ||
    (missingWorkers.lookAgainAt !== null && hasPassed(missingWorkers.lookAgainAt)) ||
    snapshot.tasks.some(
      ({ definition: { deadline } }) =>
        deadline !== undefined && (hasPassed(deadline) || hasPassed(deadline - atRiskBefore)),
    ) ||
    isAccountOutdated(queueContext, viewModel)
  );
}

/** Whether the gate or the approvals are no longer those of the view model. */
export async function isAccountOutdated(
  queueContext: QueueContext,
  { world }: QueueViewModel,
): Promise<boolean> {
  const gate = await peekGateView(queueContext);
  const approvedRows = await queueContext.openApprovals().read();
  return !isDeepStrictEqual([gate, approvedRows], [world.gate, world.approvedRows]);
}
