import { isToRun } from '../task/dependencies';
import { findPauseObstacle } from '../reasons/explainQueue';
import { isOwnStop } from '../reasons/queueStops';
import type { World } from '../reasons/world';
import { covers, needsUser } from '../gate/gate';
import { phaseOf } from '../gate/gateOpening';
import { noticeOfDeath, type Notice } from './notices';
import { serviceOf } from '../order/service';
import { findMissingWorkers, type WorkerFacts } from './missingWorker';
import type { RegisteredWorker, TaskView } from './view';

/** Returns the notices that follow from the queue, the time and the account. */
export function observeNotices(world: World, died: readonly RegisteredWorker[]): Notice[] {
  const { gate, queue, now, settings } = world;
  const waiting = queue.tasks.filter(isToRun);
  const blocked = gate.closures
    // An open one is only remembered.
    .filter((block) => needsUser(block.kind) && phaseOf(block, now, settings).kind === 'closed')
    .filter((block) => waiting.some(({ definition }) => covers(gate, block, definition)))
    .map(({ kind, since }): Notice => ({ kind: 'blocked', gate: kind, since }));
  return [
    ...died.map(noticeOfDeath),
    ...blocked,
    ...observeStop(world),
    ...queue.tasks.flatMap((task) => observeDeadline(task, world) ?? []),
  ];
}

/** Returns a notice if the queue paused itself. It is also the end of a night whose last task reached a bound. */
function observeStop(world: World): Notice[] {
  const cause = findPauseObstacle(world)?.cause;
  if (cause?.kind === 'failures')
    return [{ kind: 'stopped', cause: 'failures', after: cause.streak.since ?? 0 }];
  return cause?.kind === 'hold' && isOwnStop(cause)
    ? [{ kind: 'stopped', cause: 'bound', after: cause.hold.at }]
    : [];
}

/**
 * Returns a notice if the timer should have started a worker and did not. `timeZone` is that of the timer's
 * machine, whose clock it follows.
 */
export function observeTimer(facts: Pick<WorkerFacts, 'timer' | 'workers' | 'now' | 'timeZone'>): Notice[] {
  const others = { claims: [], dueIds: [], nextDueAt: null };
  return findMissingWorkers({ ...others, ...facts }).found.flatMap((missing): Notice[] =>
    missing.kind === 'timer-late'
      ? [{ kind: 'timer-late', timer: missing.timer.by, expectedAt: missing.expectedAt }]
      : [],
  );
}

/** Returns a notice for a deadline that the row names. A service time that follows from a priority raises none. */
function observeDeadline(task: TaskView, world: World): Notice | null {
  const { id, deadline } = task.definition;
  if (deadline === undefined) return null;
  const service = serviceOf(task, world);
  if (service === null || service.standing === 'in-time') return null;
  const kind = service.standing === 'violated' ? 'late' : 'at-risk';
  return { kind, id, power: task.state.power, by: service.by };
}
