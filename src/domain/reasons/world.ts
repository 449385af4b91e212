import type { GateView } from '../gate/gate';
import { settleUntil } from '../time/missedRuns';
import type { Moment } from '../time/moment';
import type { ApprovalSet } from '../task/approval';
import type { Settings } from '../settings/settings';
import type { TaskId } from '../task/task';
import type { QueueView, TaskView } from '../queue/view';

/** Everything a reason depends on. */
export interface World extends Moment {
  readonly queue: QueueView;
  readonly byId: ReadonlyMap<TaskId, TaskView>;
  readonly gate: GateView;
  readonly approvedRows: ApprovalSet;
  readonly settings: Settings;
  /** Names of the settings that are not valid: no task starts until they are. Absent: none. */
  readonly wrongSettings?: readonly string[];
}

/** World of the texts of one task. */
export type TaskWorld = Moment & Pick<World, 'byId'>;

/** Returns the world of one queue at one moment. */
export function createWorld(parts: Omit<World, 'byId'>, byId = tasksById(parts.queue)): World {
  return { ...parts, byId };
}

/** Returns the tasks of a queue by id. */
export function tasksById({ tasks }: Pick<QueueView, 'tasks'>): World['byId'] {
  return new Map(tasks.map((task) => [task.definition.id, task]));
}

/** Returns the world as the next claim finds it, after that has settled what repeating tasks missed. */
export function settleWorld(world: World): World {
  if (world.settings.missedRuns !== 'skip') return world;
  const tasks = world.queue.tasks.map((task) => settleUntil(task, world.now, world));
  return createWorld({ ...world, queue: { ...world.queue, tasks } });
}

/** Rules to skip for a task that the user names: its time, or also the rules for unattended attempts. */
export interface Override {
  readonly time?: boolean;
  readonly unattendedRules?: boolean;
}
