import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { TaskView } from '../../../domain/queue/view';
import type { TaskWorld } from '../../../domain/reasons/world';
import { toTaskRow, type RowFacts } from './taskRow';
import type { TreeRow } from './treeRow';

/** Row of a task, and all that it was made of. */
interface Made {
  readonly shown: TaskViewModel;
  readonly facts: RowFacts;
  readonly row: TreeRow;
  /** Whether it depends on the time. */
  readonly isTimed: boolean;
}

const made = new WeakMap<TaskView, Made>();

/** Returns the row of a task as `toTaskRow` does: the same object as before if it would say the same. */
export function keepTaskRow(shown: TaskViewModel, facts: RowFacts): TreeRow {
  const before = made.get(shown.task);
  if (before !== undefined && isSame(before, shown, facts)) return before.row;
  const { world, ...others } = facts;
  let isTimed = false;
  const noted: TaskWorld = {
    ...world,
    get now() {
      isTimed = true;
      return world.now;
    },
  };
  const row = toTaskRow(shown, { ...others, world: noted });
  made.set(shown.task, { shown, facts, row, isTimed });
  return row;
}

function isSame(before: Made, shown: TaskViewModel, facts: RowFacts): boolean {
  const { world, ...others } = facts;
  const { world: earlier, ...same } = before.facts;
  return (
    (!before.isTimed || earlier.now === world.now) &&
    earlier.timeZone === world.timeZone &&
    earlier.machine === world.machine &&
    isSameData(before.shown, shown) &&
    isSameData(same, others) &&
    shown.task.definition.dependencies.every((id) => earlier.byId.get(id) === world.byId.get(id))
  );
}

/** Whether plain data is the same. Faster than what Node has, which knows all kinds of objects. */
function isSameData(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => isSameData(Reflect.get(a, name), Reflect.get(b, name)))
  );
}
