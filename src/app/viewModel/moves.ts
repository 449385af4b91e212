import { candidateOf } from '../../domain/order/candidates';
import { tenantOf } from '../../domain/order/choice';
import { settleWorld, type World } from '../../domain/reasons/world';
import { PRIORITIES, type Priority } from '../../domain/task/priority';
import type { TaskId } from '../../domain/task/task';
import type { TaskView } from '../../domain/queue/view';
import type { QueueViewModel, TaskViewModel } from './queueViewModel';

/** Direction in which the user moves a task among those that wait for a slot. */
export type MoveStep = 'up' | 'down' | 'top' | 'bottom';

/** Place beside another task. */
export interface MoveTarget {
  readonly beside: TaskId;
  readonly side: 'before' | 'after';
}

/** Move of a row before another; null: after all others. */
export interface RowMove {
  readonly id: TaskId;
  readonly before: TaskId | null;
}

/** Reason why moving a row would not change the order in which tasks run. */
export type MoveObstacle =
  /** The task, or the one beside which it was to go, does not wait for a slot. */
  | { readonly kind: 'not-waiting'; readonly id: TaskId }
  /** It is the first or the last already. */
  | { readonly kind: 'at-end' }
  /** Users take turns. */
  | { readonly kind: 'other-user'; readonly other: TaskId }
  /** `becomes`: priority with which the order of the rows would count; null: there is none. */
  | { readonly kind: 'other-priority'; readonly other: TaskId; readonly becomes: Priority | null };

/** Moves that change the order in which tasks run, one after the other, and the tasks that cannot be moved so. */
export interface MovePlan {
  readonly moves: readonly RowMove[];
  readonly blocked: readonly { readonly id: TaskId; readonly why: MoveObstacle }[];
}

/** Plans to move tasks by a step, all together. */
export function planSteps(viewModel: QueueViewModel, ids: readonly TaskId[], step: MoveStep): MovePlan {
  const line = new Line(viewModel, ids);
  const isUp = step === 'up' || step === 'top';
  const isFar = step === 'top' || step === 'bottom';
  for (const id of isUp ? line.chosen : line.chosen.toReversed()) line.step(id, isUp, isFar);
  return line.plan;
}

/** Plans to move tasks beside another one. */
export function planBeside(
  viewModel: QueueViewModel,
  ids: readonly TaskId[],
  { beside, side }: MoveTarget,
): MovePlan {
  const line = new Line(
    viewModel,
    ids.filter((id) => id !== beside),
  );
  for (const id of side === 'before' ? line.chosen : line.chosen.toReversed()) line.put(id, beside, side);
  return line.plan;
}

/** Returns the side of a task on which others are dropped: below it if they run before it now. */
export function sideOf(
  viewModel: QueueViewModel,
  ids: readonly TaskId[],
  beside: TaskId,
): MoveTarget['side'] {
  const placeOf = (id: TaskId): number => findShown(viewModel, id)?.place ?? 0;
  return ids.some((id) => placeOf(id) > placeOf(beside)) ? 'before' : 'after';
}

/** The rows of a queue while moves are planned. */
class Line {
  /** Tasks to move, in the order of the rows. */
  readonly chosen: readonly TaskId[];
  private rows: TaskId[];
  private readonly moves: RowMove[] = [];
  private readonly blocked: { readonly id: TaskId; readonly why: MoveObstacle }[] = [];
  /** Group of each task that waits for a slot: within it the rows decide. */
  private readonly groups: ReadonlyMap<TaskId, string>;
  private readonly world: World;

  constructor(
    private readonly viewModel: QueueViewModel,
    ids: readonly TaskId[],
  ) {
    this.world = settleWorld(viewModel.world);
    const { tasks } = viewModel;
    this.rows = tasks.map(({ task }) => task.definition.id);
    const waiting = tasks.filter(({ place }) => place !== null);
    this.groups = new Map(waiting.map(({ task }) => [task.definition.id, groupOf(task, this.world)]));
    this.chosen = this.rows.filter((id) => ids.includes(id));
    for (const id of ids)
      if (!this.rows.includes(id)) this.blocked.push({ id, why: { kind: 'not-waiting', id } });
  }

  get plan(): MovePlan {
    return { moves: this.moves, blocked: this.blocked };
  }

  /** Moves a task up or down in its group: by one, or past all others. */
  step(id: TaskId, isUp: boolean, isFar: boolean): void {
    const group = this.groups.get(id);
    const peers = group === undefined ? [] : this.rows.filter((one) => this.groups.get(one) === group);
    const index = peers.indexOf(id);
    const inTheWay = isUp ? peers.slice(0, Math.max(index, 0)).toReversed() : peers.slice(index + 1);
    const others = inTheWay.filter((one) => !this.chosen.includes(one));
    const target = isFar ? others.at(-1) : others[0];
    if (target === undefined) this.block(id, this.explainEnd(id, isUp));
    else this.move(id, target, isUp ? 'before' : 'after');
  }

  /** Moves a task beside another one. */
  put(id: TaskId, target: TaskId, side: MoveTarget['side']): void {
    const group = this.groups.get(id);
    if (group !== undefined && group === this.groups.get(target)) this.move(id, target, side);
    else this.block(id, this.explainPair(id, target));
  }

  private move(id: TaskId, target: TaskId, side: MoveTarget['side']): void {
    const rows = this.rows.filter((one) => one !== id);
    const at = rows.indexOf(target) + (side === 'before' ? 0 : 1);
    this.moves.push({ id, before: rows[at] ?? null });
    this.rows = rows.toSpliced(at, 0, id);
  }

  private block(id: TaskId, why: MoveObstacle): void {
    this.blocked.push({ id, why });
  }

  /** Returns why a task cannot pass the next one that is not moved too. */
  private explainEnd(id: TaskId, isUp: boolean): MoveObstacle {
    const own = findShown(this.viewModel, id)?.place ?? null;
    if (own === null) return { kind: 'not-waiting', id };
    const passed = this.viewModel.tasks
      .filter(({ place, task }) => {
        if (place === null || this.chosen.includes(task.definition.id)) return false;
        return isUp ? place < own : place > own;
      })
      .toSorted((a, b) => (isUp ? (b.place ?? 0) - (a.place ?? 0) : (a.place ?? 0) - (b.place ?? 0)));
    const next = passed[0]?.task.definition.id;
    return next === undefined ? { kind: 'at-end' } : this.explainPair(id, next);
  }

  /** Returns why the order of these rows does not decide which of the tasks runs first. */
  private explainPair(id: TaskId, other: TaskId): MoveObstacle {
    for (const one of [id, other]) if (!this.groups.has(one)) return { kind: 'not-waiting', id: one };
    const [task, beside] = [this.taskOf(id), this.taskOf(other)];
    if (task === undefined || beside === undefined) return { kind: 'not-waiting', id: other };
    if (tenantOf(task) !== tenantOf(beside)) return { kind: 'other-user', other };
    const group = this.groups.get(other);
    const becomes = PRIORITIES.find(
      (priority) => groupOf(withPriority(task, priority), this.world) === group,
    );
    return { kind: 'other-priority', other, becomes: becomes ?? null };
  }

  private taskOf(id: TaskId): TaskView | undefined {
    return findShown(this.viewModel, id)?.task;
  }
}

/** Returns a name of the tasks among which only the order of the rows decides. */
function groupOf(task: TaskView, world: World): string {
  const settled = world.byId.get(task.definition.id);
  const current = settled === undefined ? task : { ...settled, definition: task.definition };
  return `${String(candidateOf(current, world).rank)} ${tenantOf(task)}`;
}

function withPriority(task: TaskView, priority: Priority): TaskView {
  return { ...task, definition: { ...task.definition, priority } };
}

function findShown({ tasks }: QueueViewModel, id: TaskId): TaskViewModel | undefined {
  return tasks.find(({ task }) => task.definition.id === id);
}
