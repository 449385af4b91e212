import { createWorld, type World } from '../../domain/reasons/world';
import type { EpochMs } from '../../domain/time/epoch';
import { WaitingTasks } from '../../domain/order/waitingTasks';
import type { TaskId } from '../../domain/task/task';
import { isUnreviewed, type TaskView } from '../../domain/queue/view';
import { viewQueueOf, viewTask } from './queueView';
import { RowIndex } from './rowIndex';
import type { RowSet } from './rows';
import { takeChanges } from './state/changes';
import { rootOf } from './state/draftState';
import type { QueueState } from './state/queueState';

/** World of a step, with the tasks that wait in it. */
export interface IndexedWorld extends World {
  readonly waiting: WaitingTasks;
  /** Tasks that repeat. */
  readonly repeating: readonly TaskView[];
}

/** Tasks that changed, and tenants that were served. */
class Changes {
  constructor(
    readonly tasks = new Set<TaskId>(),
    readonly tenants = new Set<string>(),
  ) {}

  add({ tasks, tenants }: { readonly tasks: Iterable<TaskId>; readonly tenants: Iterable<string> }): void {
    for (const id of tasks) this.tasks.add(id);
    for (const tenant of tenants) this.tenants.add(tenant);
  }
}

/**
 * Tasks of one queue as the rules see them, kept from step to step: only tasks that changed are looked at again. The
 * worlds that it makes are valid until the next one is made.
 */
class TaskIndex {
  private readonly rows = new RowIndex();
  private readonly byId = new Map<TaskId, TaskView>();
  private readonly waiting = new WaitingTasks();
  private readonly unreviewed = new Set<TaskId>();
  private state: QueueState | null = null;
  /** Changes by the last state, if that was a draft: other states do not have them. */
  private drafted = new Changes();
  private tasks: readonly TaskView[] | null = null;

  /** Returns the world of the rules with this state and these rows. */
  world(
    state: QueueState,
    rows: RowSet,
    surroundings: Omit<World, 'queue' | 'byId' | 'now'>,
    now: EpochMs,
  ): IndexedWorld {
    const changed = new Changes(new Set(this.rows.update(rows.rows)));
    this.takeChanges(state, changed);
    for (const id of changed.tasks) this.view(id, state);
    if (changed.tasks.size > 0) this.tasks = null;
    const queue = viewQueueOf(state, rows, this.unreviewed.size, () => this.listTasks());
    const world = createWorld({ ...surroundings, queue, now }, this.byId);
    this.rows.addDependents(changed.tasks);
    this.waiting.update(world, changed);
    return { ...world, waiting: this.waiting, repeating: this.viewsOf(this.rows.repeating) };
  }

  /** Adds what changed in the state since the last world. */
  private takeChanges(state: QueueState, changed: Changes): void {
    if (state !== this.state) {
      changed.add(this.drafted);
      this.drafted = new Changes();
      this.state = state;
    }
    const root = rootOf(state);
    changed.add(this.take(root));
    if (state === root) return;
    const own = this.take(state);
    changed.add(own);
    this.drafted.add(own);
  }

  private take(state: QueueState): Parameters<Changes['add']>[0] {
    const { all, tasks, tenants } = takeChanges(state);
    return { tasks: all ? this.rows.ids : tasks, tenants };
  }

  private view(id: TaskId, state: QueueState): void {
    const placed = this.rows.get(id);
    const task = placed === undefined ? null : viewTask(state, placed.row, placed.order);
    if (task === null) this.byId.delete(id);
    else this.byId.set(id, task);
    if (task !== null && isUnreviewed(task)) this.unreviewed.add(id);
    else this.unreviewed.delete(id);
  }

  private listTasks(): readonly TaskView[] {
    this.tasks ??= this.viewsOf(this.rows.inOrder);
    return this.tasks;
  }

  private viewsOf(ids: Iterable<TaskId>): TaskView[] {
    return [...ids].flatMap((id) => this.byId.get(id) ?? []);
  }
}

const indexes = new WeakMap<QueueState, TaskIndex>();

/** Returns the index of a queue's tasks, which all drafts of its state share. */
export function indexOf(state: QueueState): TaskIndex {
  const root = rootOf(state);
  const known = indexes.get(root);
  if (known !== undefined) return known;
  const index = new TaskIndex();
  indexes.set(root, index);
  return index;
}
