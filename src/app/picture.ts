import { createWorld, explain, type Reason, type World } from '../domain/explain';
import type { FoundByKind } from '../domain/explainQueue';
import type { GateView } from '../domain/limits';
import { choose, effectivePriorityOf } from '../domain/order';
import type { Priority } from '../domain/priority';
import type { TaskId } from '../domain/task';
import type { TaskView } from '../domain/view';
import type { Snapshot, TaskQueue } from '../queue/taskQueue';
import type { QueueSite } from './site';

/** A task as people see it. */
export interface ShownTask {
  readonly task: TaskView;
  readonly reason: Reason;
  readonly effectivePriority: Priority;
}

/** A queue as people see it, at one moment. */
export interface Picture {
  readonly snapshot: Snapshot;
  readonly world: World;
  readonly gate: GateView;
  readonly tasks: readonly ShownTask[];
  /** The one that would run next; null when none would. */
  readonly next: TaskId | null;
}

/** Looks at the queue, the gate and the approvals, and explains each task; `known`: the gate is this, not looked at. */
export async function takePicture(site: QueueSite, queue: TaskQueue, known?: GateView): Promise<Picture> {
  const { settings, timeZone } = await site.configure();
  const gate = known ?? (await (await site.openGate()).view());
  const proofs = await site.openApprovals().read();
  const snapshot = await queue.read();
  const now = site.host.clock.now();
  const world = createWorld({ queue: snapshot, gate, proofs, settings, timeZone, now });
  const found: FoundByKind = new Map();
  const tasks = snapshot.tasks.map((task) => ({
    task,
    reason: explain(task, world, {}, found),
    effectivePriority: effectivePriorityOf(task, world.byId, settings, now),
  }));
  return { snapshot, world, gate, tasks, next: choose(world)?.definition.id ?? null };
}
