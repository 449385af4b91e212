import type { Attempt, Denial, Outcome, Permissions } from '../../domain/task/attempt';
import { groupByTask } from '../../domain/task/attemptsByTask';
import { approvable, approvalOf } from '../../domain/task/approval';
import { placeOf } from '../../domain/task/place';
import type { PermissionMode, TaskId } from '../../domain/task/task';
import type { QueueViewModel, TaskViewModel } from '../viewModel/queueViewModel';
import { runsByItself } from '../viewModel/possibleActions';

/** Task that may run tonight, with what it may do. */
export interface Rehearsed {
  readonly shown: TaskViewModel;
  /** Permissions that its attempt would have. */
  readonly permissions: Permissions;
  readonly isApproved: boolean;
  /** Whether the user trusts its folder in Claude Code; if not, the folder's settings and CLAUDE.md are not used. */
  readonly isTrusted: boolean;
  /** Whether an attempt ended before with the current row and these permissions. */
  readonly hasRun: boolean;
  /** Refusals of its last attempt, whatever its row was then, without those allowed since. */
  readonly refused: readonly Denial[];
  /** Requirements that this machine lacks, in sentences. */
  readonly lacks: readonly string[];
}

/** Facts for a dry run besides the view model. */
export interface RehearsalFacts {
  /** All known attempts, newest first. */
  readonly attempts: readonly Attempt[];
  /** Permission mode of rows that name none. */
  readonly mode: PermissionMode;
  /** Tools that the user allowed after refusals, by the row's approval. */
  readonly grants: ReadonlyMap<string, readonly string[]>;
  /** Folders that the user does not trust in Claude Code. */
  readonly untrusted: ReadonlySet<string>;
  /** Requirements that this machine lacks, by task; absent if not checked. */
  readonly lacks?: ReadonlyMap<TaskId, readonly string[]>;
}

const NIGHT_MS = 24 * 3_600_000;

/**
 * Returns the tasks that may run within 24 hours, approved or not. Leaves out tasks that wait for a later time, or for
 * a user's action other than approval.
 */
export function listTonight({ tasks, world }: QueueViewModel): TaskViewModel[] {
  return tasks.filter((shown) => {
    const { reason } = shown;
    const isOnTime = reason.state === 'scheduled' || reason.state === 'review';
    if (isOnTime && (reason.until ?? 0) > world.now + NIGHT_MS) return false;
    return runsByItself(shown) || reason.state === 'unapproved';
  });
}

/** Compares what these tasks would be allowed with what they were refused. Runs nothing. */
export function rehearse(tonight: readonly TaskViewModel[], facts: RehearsalFacts): Rehearsed[] {
  const byTask = groupByTask(facts.attempts);
  return tonight.map((shown) => rehearseTask(shown, byTask.get(shown.task.definition.id) ?? [], facts));
}

function rehearseTask(shown: TaskViewModel, attempts: readonly Attempt[], facts: RehearsalFacts): Rehearsed {
  const { definition, state } = shown.task;
  const permissions: Permissions = {
    mode: definition.permissionMode ?? facts.mode,
    tools: [
      ...(definition.allowedTools ?? []),
      ...(facts.grants.get(approvalOf(approvable(definition, state.power))) ?? []),
    ],
  };
  return {
    shown,
    permissions,
    isApproved: shown.reason.state !== 'unapproved',
    isTrusted: !facts.untrusted.has(placeOf(definition).folder),
    hasRun: attempts.some(
      (attempt) =>
        attempt.power === state.power &&
        CONCLUSIVE_OUTCOMES.includes(attempt.outcome) &&
        isSame(attempt, permissions),
    ),
    lacks: facts.lacks?.get(definition.id) ?? [],
    refused: (attempts[0]?.denials ?? []).filter(
      ({ rule }) => rule === undefined || !permissions.tools.includes(rule),
    ),
  };
}

/** Outcomes that show what an attempt needs; at a limit, for example, it may not have started. */
const CONCLUSIVE_OUTCOMES: readonly Outcome[] = ['success', 'review', 'error'];

function isSame({ permissions }: Attempt, { mode, tools }: Permissions): boolean {
  if (permissions?.mode !== mode) return false;
  const before = new Set(permissions.tools);
  return before.size === new Set(tools).size && tools.every((tool) => before.has(tool));
}
