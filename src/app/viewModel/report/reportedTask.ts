import type { Attempt, Denial, DiffSize } from '../../../domain/task/attempt';
import { changedTestsOf, hasPartialDiff } from '../../../domain/task/attemptFacts';
import { groupByTask } from '../../../domain/task/attemptsByTask';
import type { TaskId } from '../../../domain/task/task';
import { sumOf, type Sums } from '../ledger';
import type { TaskViewModel } from '../queueViewModel';
import { endOfTask, type TaskEnd } from './taskEnd';

/** A task in a report: what happened to it in the period. */
export interface ReportedTask {
  readonly id: TaskId;
  /** The task as it is now; null: its row was removed or changed. */
  readonly view: TaskViewModel | null;
  readonly end: TaskEnd;
  /** Attempts that ended in the period, oldest first. */
  readonly attempts: readonly Attempt[];
  /** Their totals. */
  readonly sums: Sums;
  /** Whether the user has undone the changes of its last attempt. */
  readonly isUndone: boolean;
  /** Sum of the known changes that were not undone. A file that two attempts changed counts twice. Null: none is known. */
  readonly diff: DiffSize | null;
  /** Whether changes of an attempt are not known. */
  readonly isDiffPartial: boolean;
  /** Whether its attempts changed a test file; null: not known. */
  readonly changedTests: boolean | null;
  /** Whether the user has accepted its last attempt. */
  readonly isAccepted: boolean;
  /** Actions that were refused in its attempts. */
  readonly denials: readonly Denial[];
}

/**
 * Returns the tasks of a period: those that were attempted in the order of their first start, then the others as in the
 * queue. Attempts of another row with the id of a task did other work: they are of a task of their own, without a row.
 * `attempts` ended in the period; `accepted`: tasks whose last attempt the user accepted in it; `claimed`: tasks with an
 * attempt that has not ended.
 */
export function reportTasks(
  views: readonly TaskViewModel[],
  attempts: readonly Attempt[],
  accepted: ReadonlySet<TaskId>,
  claimed: readonly TaskId[],
): readonly ReportedTask[] {
  const byId = new Map(views.map((view) => [view.task.definition.id, view]));
  const sorted = attempts.toSorted((one, other) => one.startedAt - other.startedAt);
  const isOfRow = ({ id, power }: Attempt): boolean => byId.get(id)?.task.state.power === power;
  const own = groupByTask(sorted.filter(isOfRow));
  const ofOthers = groupByTask(sorted.filter((attempt) => !isOfRow(attempt)));
  const tasks = views.flatMap((view): ReportedTask[] => {
    const { id } = view.task.definition;
    const mine = own.get(id) ?? [];
    const end = endOfTask(view, mine, accepted.has(id));
    return end === null ? [] : [reportTask(id, view, end, mine)];
  });
  const without = [...ofOthers].map(([id, theirs]) =>
    reportTask(id, null, byId.has(id) ? 'changed' : 'removed', theirs),
  );
  const rowless = claimed.filter((id) => !byId.has(id) && !ofOthers.has(id));
  const unended = rowless.map((id) => reportTask(id, null, 'removed', []));
  return [...tasks, ...without, ...unended].toSorted((one, other) => firstStart(one) - firstStart(other));
}

/** A task without an attempt has the largest number, so that the sort leaves these last and in their order. */
function firstStart({ attempts: [first] }: ReportedTask): number {
  return first?.startedAt ?? Number.MAX_VALUE;
}

/** Returns a task with these attempts, oldest first. */
export function reportTask(
  id: TaskId,
  view: TaskViewModel | null,
  end: TaskEnd,
  attempts: readonly Attempt[],
): ReportedTask {
  return { id, view, end, attempts, sums: sumOf(attempts), ...factsOf(attempts) };
}

/** Whether one of the attempts changed a test; null: not known. */
function haveChangedTests(attempts: readonly Attempt[]): boolean | null {
  const tests = attempts.map(changedTestsOf);
  if (tests.includes(true)) return true;
  return tests.length === 0 || tests.includes(null) ? null : false;
}

function factsOf(
  attempts: readonly Attempt[],
): Omit<ReportedTask, 'id' | 'view' | 'end' | 'attempts' | 'sums'> {
  const stayed = attempts.filter(({ undoneAt }) => undoneAt === undefined);
  const diffs = stayed.flatMap(({ diff }) => diff ?? []);
  const add = (of: keyof DiffSize): number => diffs.reduce((sum, diff) => sum + diff[of], 0);
  return {
    isUndone: attempts.at(-1)?.undoneAt !== undefined,
    diff:
      diffs.length === 0
        ? null
        : { files: add('files'), insertions: add('insertions'), deletions: add('deletions') },
    isDiffPartial: stayed.some(hasPartialDiff),
    changedTests: haveChangedTests(stayed),
    isAccepted: attempts.at(-1)?.acceptedAt !== undefined,
    denials: attempts.flatMap(({ denials = [] }) => denials),
  };
}
