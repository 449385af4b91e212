import * as path from 'node:path';
import { timerZone } from '../schedule/timerZone';
import { explainBesideOthers, searchApprover } from '../../domain/reasons/approver';
import { explain, explainOnce, isReady, type Explain } from '../../domain/reasons/explain';
import { createWorld, settleWorld, type World } from '../../domain/reasons/world';
import { explainFullPause, isFull } from '../../domain/reasons/explainQueue';
import type { FoundByKind } from '../../domain/reasons/explainWait';
import { OPEN_GATE, type GateView } from '../../domain/gate/gate';
import { inServingOrder } from '../../domain/order/order';
import { effectivePriorityOf } from '../../domain/order/effectivePriority';
import { lookAhead } from '../../domain/order/lookAhead';
import type { Priority } from '../../domain/task/priority';
import { serviceOf, type Service } from '../../domain/order/service';
import { findQueueStops, liftStops } from '../../domain/reasons/queueStops';
import type { Moment } from '../../domain/time/moment';
import { reasonOf, waitsForSlot, type Reason } from '../../domain/reasons/reason';
import { shownReason } from '../../domain/reasons/shownReason';
import type { SettingProblem } from '../../domain/settings/settings';
import type { TaskId } from '../../domain/task/task';
import { isFarFrom, type TaskView } from '../../domain/queue/view';
import type { Snapshot, TaskQueue } from '../../queue/taskQueue';
import type { QueueContext } from '../context/queueContext';
import { describeAccountNotices, type ShownNotice } from '../notify/accountNotices';
import { summarizeGate, type GateSummary } from '../present/gate';
import { findPlaces, isTakenBy } from './placeInLine';
import { showReason, type ShownReason } from '../present/reasons/reason';
import { findMissingWorkers, type WorkerCheck } from '../../domain/queue/missingWorker';
import { describeMissingWorker } from '../present/timers/missingWorkerTexts';
import { findIdleReason, type IdleReason } from './idleReason';
import { describeUsage } from '../present/usageWindows';

/** View model of a task. */
export interface TaskViewModel {
  readonly task: TaskView;
  readonly reason: ShownReason;
  readonly effectivePriority: Priority;
  /** State of its service time; null if it has none. */
  readonly service: Service | null;
  /**
   * Place among all tasks that only wait for a free slot, or for what keeps every task from starting, from 1; null if it
   * waits for something else.
   */
  readonly place: number | null;
}

/**
 * View model of a queue at one moment: everything that the rules say, computed once. The editor's views show it without
 * the rules, which are loaded only when a queue is read.
 */
export interface QueueViewModel {
  readonly snapshot: Snapshot;
  readonly world: World;
  readonly tasks: readonly TaskViewModel[];
  /** Task that would run next; null if none would. */
  readonly next: TaskId | null;
  /** Reason why no task starts until the user acts. */
  readonly pause: ShownReason | null;
  /** Everything that keeps every task from starting now, besides busy slots: what waits for the user first. */
  readonly stops: readonly ShownReason[];
  /** Invalid settings, which are one of the stops. */
  readonly settingProblems: readonly SettingProblem[];
  /** Workers that should run and do not, and when to check again. */
  readonly missingWorkers: ShownWorkerCheck;
  /** Reason why no worker runs a task; null if one does or is about to. */
  readonly idleReason: IdleReason | null;
  /** Summary of the gate; null if it is fully open. */
  readonly gateSummary: GateSummary | null;
  /** Closed gates of the account that are shown separately, those that need the user first. */
  readonly account: readonly ShownNotice[];
  /** Usage windows of the account, one line each. */
  readonly usage: readonly string[];
}

/**
 * Reads the queue, the gate and the approvals, and explains each task. `known` is used as the gate instead of reading
 * it.
 */
export async function buildViewModel(
  queueContext: QueueContext,
  queue: TaskQueue,
  known?: GateView,
): Promise<QueueViewModel> {
  const { settings, timeZone, problems } = await queueContext.configure();
  const gate = known ?? (await (await queueContext.openGate()).view());
  const approvedRows = await queueContext.openApprovals().read();
  const snapshot = await queue.read();
  const around = {
    gate,
    approvedRows,
    settings,
    wrongSettings: problems.map(({ name, source }) => (name === '' ? path.basename(source) : name)),
    timeZone,
    now: queue.now(),
    machine: queueContext.machine.id,
  };
  return composeViewModel(snapshot, around, problems);
}

/** Like `buildViewModel`, but does not ask Claude Code. The gate counts as open while the account is unknown. */
export async function peekViewModel(queueContext: QueueContext, queue: TaskQueue): Promise<QueueViewModel> {
  return buildViewModel(queueContext, queue, await peekGateView(queueContext));
}

/** Returns the gate without asking Claude Code; an open one while the account is unknown. */
export async function peekGateView(queueContext: QueueContext): Promise<GateView> {
  const gate = await queueContext.peekGate();
  return gate === null ? OPEN_GATE : gate.view();
}

/** Builds the view model from a snapshot. */
export function composeViewModel(
  snapshot: Snapshot,
  around: Omit<World, 'queue' | 'byId'>,
  settingProblems: readonly SettingProblem[] = [],
): QueueViewModel {
  // A whole world has a queue of its own, of another moment.
  const world = createWorld({ ...around, queue: snapshot });
  const settled = settleWorld(world);
  const others = snapshot.workers.filter(({ owner }) => isFarFrom(world, owner));
  const explainHere = explainBesideOthers(explainOnce(world), searchApprover(others));
  const show = showOnce(world);
  const explained = snapshot.tasks.map((task) => ({ task, reason: explainHere(task) }));
  const stops = findQueueStops(world);
  // By the rules, not as shown: a repeating task in review is in the line too.
  const line = lineUp(explained, settled);
  const places = new Map(line.map(({ definition }, index) => [definition.id, index + 1]));
  const tasks = withPoolPlaces(
    explained.map((each) => {
      const { task } = each;
      const reason = shownReason(task, each.reason);
      return {
        task,
        reason: show(reason),
        effectivePriority: priorityIn(settled, task),
        service: serviceOf(task, world),
        place: reason === each.reason ? (places.get(task.definition.id) ?? null) : null,
      };
    }),
    world,
    snapshot,
  );
  const pause = explainFullPause(world);
  const canStart = stops.length === 0 && !isFull(settled);
  const next = canStart ? (findReady(line, settled)?.definition.id ?? null) : null;
  return {
    snapshot,
    world,
    tasks,
    next,
    pause: pause === null ? null : showReason(pause, world),
    stops: stops.map((stop) => showReason(reasonOf(stop), world)),
    settingProblems,
    missingWorkers: checkWorkers(snapshot, world, explainHere),
    idleReason: findIdleReason(snapshot, world, next, explainHere),
    gateSummary: summarizeGate(world),
    account: describeAccountNotices(world),
    usage: describeUsage(world),
  };
}

/** Returns `showReason` for one moment: tasks with the same reason share its text. */
function showOnce(moment: Moment): (reason: Reason) => ShownReason {
  const known = new Map<Reason, ShownReason>();
  return (reason) => {
    const before = known.get(reason);
    if (before !== undefined) return before;
    const shown = showReason(reason, moment);
    known.set(reason, shown);
    return shown;
  };
}

function priorityIn({ byId, settings, now }: World, task: TaskView): Priority {
  return effectivePriorityOf(byId.get(task.definition.id) ?? task, byId, settings, now);
}

/**
 * Returns the tasks that only wait for a free slot, or for what keeps every task from starting, in the order in which they
 * would start if nothing changed.
 */
function lineUp(
  tasks: readonly { readonly task: TaskView; readonly reason: Reason }[],
  settled: World,
): readonly TaskView[] {
  const lifted = liftStops(settled);
  const found: FoundByKind = new Map();
  const isInLine = (task: TaskView, reason: Reason): boolean =>
    waitsForSlot(reason) ||
    (lifted !== settled && reason.state === 'waiting' && waitsForSlot(explain(task, lifted, {}, found)));
  const waiting: TaskView[] = [];
  for (const { task, reason } of tasks) {
    const own = settled.byId.get(task.definition.id) ?? task;
    if (isInLine(own, reason)) waiting.push(own);
  }
  return inServingOrder(waiting, lifted);
}

/** Returns the first of these tasks that is ready. It is the one that `choose` returns. */
function findReady(line: readonly TaskView[], world: World): TaskView | undefined {
  const found: FoundByKind = new Map();
  return line.find((task) => isReady(task, world, {}, found));
}

/** Sets the place in line as the reason of a task that only waits for a free slot, if the queue has pools. */
function withPoolPlaces(
  tasks: readonly TaskViewModel[],
  world: World,
  { workers }: Snapshot,
): readonly TaskViewModel[] {
  if (world.settings.pools.size === 0 || workers.length === 0) return tasks;
  const places = findPlaces(
    tasks.filter(({ place, reason }) => place !== null && waitsForSlot(reason)).map(({ task }) => task),
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

/** Missing workers with their texts. */
interface ShownWorkerCheck extends WorkerCheck {
  /** Findings, one line each. */
  readonly lines: readonly string[];
}

/** Checks whether a worker should run and does not. */
function checkWorkers(
  { tasks, claims, workers, timer }: Snapshot,
  world: World,
  explainHere: Explain,
): ShownWorkerCheck {
  // By the rules, not by `shown`: a repeating task in review is still due.
  const takesAll = workers.some(({ takes }) => takes === undefined);
  const isTaken = (task: TaskView): boolean =>
    takesAll || workers.some(({ takes = {} }) => isTakenBy(task, world, takes));
  const due = tasks.filter((task) => explainHere(task).state === 'ready' && !isTaken(task));
  const nextDueAt = lookAhead(world, {}, explainHere).askAgainAt;
  const { now } = world;
  const check = findMissingWorkers({
    claims,
    workers,
    timer,
    dueIds: due.map(({ definition }) => definition.id),
    nextDueAt,
    now,
    timeZone: timerZone(timer),
  });
  return { ...check, lines: check.found.map((missing) => describeMissingWorker(missing, world)) };
}
