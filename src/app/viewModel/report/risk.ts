import { needsApproval } from '../../../domain/reasons/approver';
import { hasPassedBefore, type Attempt, type DiffSize } from '../../../domain/task/attempt';
import type { TaskId } from '../../../domain/task/task';
import { possibleActions, type TaskAction } from '../possibleActions';
import type { TaskViewModel } from '../queueViewModel';
import type { ReportedTask } from './reportedTask';

/**
 * Risks of a task for its user, the highest first. The order is that of harm if nobody looks:
 * - `failed`: the work is not there, and what depends on it never starts.
 * - `refused`: Claude was refused actions, so the work may be half done.
 * - `question`: Claude stopped and waits for an answer.
 * - `review`: another sign says that the work may not be done.
 * - `stuck`: it depends on a task that will not complete.
 * - `large`: completed, but the change is too large to be taken on trust.
 * - `unconfirmed`: completed, but neither Claude nor a check confirmed it.
 * - `unproven`: completed, and its check passed, but it had passed before the attempt as well.
 * - `unchecked`: completed with changes that no check has tested.
 * - `unapproved`: nothing happened, and nothing will before the user approves it.
 */
export const RISKS = [
  'failed',
  'refused',
  'question',
  'review',
  'stuck',
  'large',
  'unconfirmed',
  'unproven',
  'unchecked',
  'unapproved',
] as const;
export type Risk = (typeof RISKS)[number];

/** Risks of work that is completed: it is worth a look, and nothing waits for it. */
const LOOKS: readonly Risk[] = ['large', 'unconfirmed', 'unproven', 'unchecked'];

/** Risks that are the same for each of their tasks: they are settled together. */
const TOGETHER: readonly Risk[] = ['unchecked', 'unapproved'];

/** Whether the tasks with this risk are listed in short, because one answer is for all. */
export function isListedTogether(risk: Risk): boolean {
  return TOGETHER.includes(risk);
}

/** Whether something waits until the user has acted. */
export function needsAction(risk: Risk): boolean {
  return !LOOKS.includes(risk);
}

/** Sizes from which a change counts as large: changed files, or inserted and deleted lines. */
const LARGE = { files: 20, lines: 400 } as const;

/** A task with its risk, as far as it has one. */
export interface Review {
  /** Null: none. */
  readonly risk: Risk | null;
  readonly task: ReportedTask;
  /** Tasks that wait for it, directly or not. */
  readonly dependents: readonly TaskId[];
  /** Actions that are possible now, the most likely first. */
  readonly actions: readonly TaskAction[];
}

/** A task that needs the user, or is worth a look. */
export interface Need extends Review {
  readonly risk: Risk;
}

/** Returns the tasks that wait for one, directly or not. */
type DependentsOf = (id: TaskId) => readonly TaskId[];

/**
 * Returns the tasks that need the user or are worth a look, ordered by risk: first by kind (`RISKS`), then those for which
 * more tasks wait, then those with refused actions, those not known to have changed a test, those with the larger change,
 * then by id.
 */
export function orderByRisk(tasks: readonly ReportedTask[], dependentsOf: DependentsOf): readonly Need[] {
  return sortByRisk(
    tasks.flatMap((task): Need[] => {
      const risk = riskOf(task);
      return risk === null ? [] : [{ risk, ...reviewOf(task, risk, dependentsOf) }];
    }),
  );
}

/** Returns all of these tasks, which the user has not reviewed, in the same order: those without a risk last. */
export function orderReviews(tasks: readonly ReportedTask[], dependentsOf: DependentsOf): readonly Review[] {
  return sortByRisk(
    tasks.map((task): Review => {
      const risk = task.view === null ? null : riskOfEnd(task, task.view);
      return { risk, ...reviewOf(task, risk, dependentsOf) };
    }),
  );
}

function reviewOf(task: ReportedTask, risk: Risk | null, dependentsOf: DependentsOf): Omit<Review, 'risk'> {
  return { task, dependents: dependentsOf(task.id), actions: actionsFor(risk, task) };
}

function sortByRisk<T extends Review>(reviews: readonly T[]): readonly T[] {
  return reviews.toSorted((one, other) => compareRanks(rankOf(one), rankOf(other)));
}

function rankOf({ risk, dependents, task }: Review): readonly number[] {
  return [
    risk === null ? RISKS.length : RISKS.indexOf(risk),
    -dependents.length,
    task.denials.length > 0 ? 0 : 1,
    findUntested(task) === null ? 1 : 0,
    -linesOf(task.diff),
    task.id,
  ];
}

/**
 * Returns whether no test is among the changed files, or that is not known. Null: one is, or no file is known to have
 * changed.
 */
export function findUntested({ diff, changedTests }: ReportedTask): 'untested' | 'unknown' | null {
  if (diff === null || diff.files === 0 || changedTests === true) return null;
  return changedTests === false ? 'untested' : 'unknown';
}

/** Returns the highest risk of a task; null: none. Approval comes before a look, because its next attempt waits for that. */
function riskOf(task: ReportedTask): Risk | null {
  if (task.view === null) return null;
  const risk = riskOfEnd(task, task.view);
  if (risk !== null && needsAction(risk)) return risk;
  return needsApproval(task.view.reason) ? 'unapproved' : risk;
}

function riskOfEnd(reported: ReportedTask, { task }: TaskViewModel): Risk | null {
  const { end, diff, attempts, isAccepted } = reported;
  switch (end) {
    case 'failed':
      return 'failed';
    case 'review':
      if (task.state.question !== undefined) return 'question';
      return task.state.refused === true ? 'refused' : 'review';
    case 'stuck':
      return 'stuck';
    case 'checked':
      return isAccepted ? null : riskOfChecked(task.state.unconfirmed === true, diff, attempts.at(-1));
    case 'unchecked':
      return isAccepted ? null : riskOfUnchecked(task.state.unconfirmed === true, reported);
    case 'continues':
    case 'waiting':
    case 'accepted':
    case 'undone':
    case 'interrupted':
    case 'running':
    case 'cancelled':
    case 'removed':
    case 'changed':
      return null;
  }
}

function riskOfChecked(
  isUnconfirmed: boolean,
  diff: DiffSize | null,
  last: Attempt | undefined,
): Risk | null {
  if (isLarge(diff)) return 'large';
  if (isUnconfirmed) return 'unconfirmed';
  return hasPassedBefore(last) ? 'unproven' : null;
}

function riskOfUnchecked(isUnconfirmed: boolean, { diff, isDiffPartial }: ReportedTask): Risk | null {
  if (isLarge(diff)) return 'large';
  if (isUnconfirmed) return 'unconfirmed';
  return diff?.files === 0 && !isDiffPartial ? null : 'unchecked';
}

function isLarge(diff: DiffSize | null): boolean {
  return diff !== null && (diff.files >= LARGE.files || linesOf(diff) >= LARGE.lines);
}

/** Returns the number of inserted and deleted lines. */
export function linesOf(diff: DiffSize | null): number {
  return diff === null ? 0 : diff.insertions + diff.deletions;
}

/** Actions that answer each risk, the most likely first. */
const ANSWERS: Readonly<Record<Risk, readonly TaskAction[]>> = {
  failed: ['showOutput', 'retry', 'showChanges'],
  refused: ['showChanges', 'allow', 'accept', 'retry', 'showOutput'],
  question: ['answer', 'showOutput', 'showChanges'],
  review: ['showChanges', 'showOutput', 'accept', 'retry'],
  stuck: ['edit'],
  large: ['showChanges', 'accept', 'retry'],
  unconfirmed: ['showChanges', 'showOutput', 'accept', 'retry'],
  unproven: ['showChanges', 'showOutput', 'accept', 'retry'],
  unchecked: ['showChanges', 'showOutput', 'accept', 'retry'],
  unapproved: ['approve'],
};

/** Actions for a task without a risk. */
const ANSWERS_TO_NONE: readonly TaskAction[] = ['accept', 'showChanges', 'showOutput', 'retry'];

function actionsFor(risk: Risk | null, { view }: ReportedTask): readonly TaskAction[] {
  if (view === null) return [];
  const possible = possibleActions(view);
  return (risk === null ? ANSWERS_TO_NONE : ANSWERS[risk]).filter((action) => possible.has(action));
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  for (const [index, rank] of one.entries()) {
    const difference = rank - (other[index] ?? rank);
    if (difference !== 0) return difference;
  }
  return 0;
}
