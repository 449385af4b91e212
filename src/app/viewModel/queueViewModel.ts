import { explain } from '../../domain/reasons/explain';
import { createWorld, settleWorld, type World } from '../../domain/reasons/world';
import { explainFullPause } from '../../domain/reasons/explainQueue';
import type { FoundByKind } from '../../domain/reasons/explainWait';
import { OPEN_GATE, type GateView } from '../../domain/gate/limits';
import { choose, effectivePriorityOf } from '../../domain/order/order';
import type { Priority } from '../../domain/task/priority';
import { serviceOf, type Service } from '../../domain/order/service';
import { shownReason } from '../../domain/reasons/shownReason';
import type { TaskId } from '../../domain/task/task';
import type { TaskView } from '../../domain/queue/view';
import type { Snapshot, TaskQueue } from '../../queue/taskQueue';
import type { QueueContext } from '../context/queueContext';
import { describeAccountNotices, type ShownNotice } from '../notify/accountNotices';
import { summarizeGate, type GateSummary } from '../present/gateStatus';
import { findPlaces } from './placeInLine';
import { showReason, type ShownReason } from '../present/reasons/reason';
import { checkSilence, type ShownSilence } from './silence';
import { findIdleReason, type IdleReason } from './idleReason';
import { describeUsage } from '../present/usage';

/** A task as people see it. */
export interface TaskViewModel {
  readonly task: TaskView;
  readonly reason: ShownReason;
  readonly effectivePriority: Priority;
  /** How it is with its service time; null where none runs. */
  readonly service: Service | null;
}

/**
 * A queue as people see it, at one moment: all that the rules say of it is worked out here, once. The editor's views
 * show it without the rules, which are loaded only when a queue is read.
 */
export interface QueueViewModel {
  readonly snapshot: Snapshot;
  readonly world: World;
  readonly tasks: readonly TaskViewModel[];
  /** The one that would run next; null when none would. */
  readonly next: TaskId | null;
  /** What keeps every task from being started until the user acts. */
  readonly pause: ShownReason | null;
  /** Work that should continue and does not, and when to look again. */
  readonly silence: ShownSilence;
  /** Why no worker runs anything; null where one does, or is about to. */
  readonly idleReason: IdleReason | null;
  /** What there is to tell of the gate; null: it is plainly open. */
  readonly gateSummary: GateSummary | null;
  /** The account's closed gates that are shown by themselves, what needs the user first. */
  readonly account: readonly ShownNotice[];
  /** What is known of the account's windows, a line each. */
  readonly usage: readonly string[];
}

/** Looks at the queue, the gate and the approvals, and explains each task; `known`: the gate is this, not looked at. */
export async function buildViewModel(
  queueContext: QueueContext,
  queue: TaskQueue,
  known?: GateView,
): Promise<QueueViewModel> {
  const { settings, timeZone } = await queueContext.configure();
  const gate = known ?? (await (await queueContext.openGate()).view());
  const approvedRows = await queueContext.openApprovals().read();
  const snapshot = await queue.read();
  return composeViewModel(snapshot, {
    gate,
    approvedRows,
    settings,
    timeZone,
    now: queueContext.host.clock.now(),
  });
}

/** As `buildViewModel`, without asking Claude Code. The gate counts as open while it is not known whose account it is. */
export async function peekViewModel(queueContext: QueueContext, queue: TaskQueue): Promise<QueueViewModel> {
  const gate = await queueContext.peekGate();
  return buildViewModel(queueContext, queue, gate === null ? OPEN_GATE : await gate.view());
}

/** The picture of what was read. */
export function composeViewModel(snapshot: Snapshot, around: Omit<World, 'queue' | 'byId'>): QueueViewModel {
  const world = createWorld({ queue: snapshot, ...around });
  const settled = settleWorld(world);
  const found: FoundByKind = new Map();
  const tasks = withPlaces(
    snapshot.tasks.map((task) => ({
      task,
      reason: showReason(shownReason(task, explain(task, world, {}, found)), world),
      effectivePriority: priorityIn(settled, task),
      service: serviceOf(task, world),
    })),
    world,
    snapshot,
  );
  const pause = explainFullPause(world);
  const next = choose(settled)?.definition.id ?? null;
  return {
    snapshot,
    world,
    tasks,
    next,
    pause: pause === null ? null : showReason(pause, world),
    silence: checkSilence(snapshot, world),
    idleReason: findIdleReason(snapshot, world, next),
    gateSummary: summarizeGate(world),
    account: describeAccountNotices(world),
    usage: describeUsage(world),
  };
}

function priorityIn({ byId, settings, now }: World, task: TaskView): Priority {
  return effectivePriorityOf(byId.get(task.definition.id) ?? task, byId, settings, now);
}

/** Where the queue has pools, a task that only waits for a free slot has its place in line as its reason. */
function withPlaces(
  tasks: readonly TaskViewModel[],
  world: World,
  { workers }: Snapshot,
): readonly TaskViewModel[] {
  if (world.settings.pools.size === 0 || workers.length === 0) return tasks;
  const waiting = tasks.filter(({ reason }) => reason.shown === 'ready' || reason.slotsBusy === true);
  const places = findPlaces(
    waiting.map(({ task }) => task),
    world,
    workers,
  );
  return tasks.map((shown) => {
    const place = places.get(shown.task.definition.id);
    return place === undefined
      ? shown
      : { ...shown, reason: showReason({ ...shown.reason, causes: [place] }, world) };
  });
}
