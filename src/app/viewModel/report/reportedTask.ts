import type { Attempt, Denial, DiffSize } from '../../../domain/task/attempt';
import { groupByTask } from '../../../domain/task/attemptsByTask';
import type { TaskId } from '../../../domain/task/task';
import type { TaskViewModel } from '../queueViewModel';
import { endOfTask, type TaskEnd } from './taskEnd';

/** A task in a report: what happened to it in the period. */
export interface ReportedTask {
  readonly id: TaskId;
  /** The task as it is now; null: its row was removed. */
  readonly view: TaskViewModel | null;
  readonly end: TaskEnd;
  /** Attempts that ended in the period, oldest first. */
  readonly attempts: readonly Attempt[];
  /** Sum of the known costs; null: none is known. */
  readonly costUsd: number | null;
  /** Whether an attempt did not report its cost: the sum is at least that. */
  readonly isCostPartial: boolean;
  /** Whether the user has undone the changes of its last attempt. */
  readonly isUndone: boolean;
  /** Sum of the known changes that were not undone. A file that two attempts changed counts twice. Null: none is known. */
  readonly diff: DiffSize | null;
  /** Whether the changes of an attempt are not known. */
  readonly isDiffPartial: boolean;
  /** Whether its attempts changed a test file; null: not known. */
  readonly changedTests: boolean | null;
  /** Whether the user has accepted its last attempt. */
  readonly isAccepted: boolean;
  /** Actions that were refused in its attempts. */
  readonly denials: readonly Denial[];
}

/** Returns the tasks of a period: those that were attempted in the order of their first start, then the others as in the queue. */
export function reportTasks(
  views: readonly TaskViewModel[],
  attempts: readonly Attempt[],
): readonly ReportedTask[] {
  const byId = new Map(views.map((view) => [view.task.definition.id, view]));
  const own = groupByTask(attempts.toSorted((one, other) => one.startedAt - other.startedAt));
  const others = [...byId.keys()].filter((id) => !own.has(id));
  return [...own.keys(), ...others].flatMap((id): ReportedTask[] => {
    const [view, mine] = [byId.get(id) ?? null, own.get(id) ?? []];
    const end = endOfTask(view, mine);
    return end === null ? [] : [reportTask(id, view, end, mine)];
  });
}

/** Returns a task with these attempts, oldest first. */
export function reportTask(
  id: TaskId,
  view: TaskViewModel | null,
  end: TaskEnd,
  attempts: readonly Attempt[],
): ReportedTask {
  return { id, view, end, attempts, ...sumsOf(attempts) };
}

function sumsOf(attempts: readonly Attempt[]): Omit<ReportedTask, 'id' | 'view' | 'end' | 'attempts'> {
  const costs = attempts.flatMap(({ costUsd }) => costUsd ?? []);
  const stayed = attempts.filter(({ undoneAt }) => undoneAt === undefined);
  const tests = stayed.flatMap(({ changedTests }) => changedTests ?? []);
  const diffs = stayed.flatMap(({ diff }) => diff ?? []);
  const add = (of: keyof DiffSize): number => diffs.reduce((sum, diff) => sum + diff[of], 0);
  return {
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    isCostPartial: costs.length < attempts.length,
    isUndone: attempts.at(-1)?.undoneAt !== undefined,
    diff:
      diffs.length === 0
        ? null
        : { files: add('files'), insertions: add('insertions'), deletions: add('deletions') },
    isDiffPartial: diffs.length < stayed.length,
    changedTests: tests.length === 0 ? null : tests.includes(true),
    isAccepted: attempts.at(-1)?.acceptedAt !== undefined,
    denials: attempts.flatMap(({ denials = [] }) => denials),
  };
}
