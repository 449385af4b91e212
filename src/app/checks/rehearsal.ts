import type { Attempt, Denial, Outcome, Permissions } from '../../domain/task/attempt';
import { approvable, approvalOf } from '../../domain/task/approval';
import type { PermissionMode, TaskId } from '../../domain/task/task';
import type { QueueViewModel, TaskViewModel } from '../viewModel/queueViewModel';
import { runsByItself } from '../viewModel/possibleActions';

/** A task that may run tonight, as far as what it may do is concerned. */
export interface Rehearsed {
  readonly shown: TaskViewModel;
  /** What its run would be allowed. */
  readonly permissions: Permissions;
  readonly isApproved: boolean;
  /** Whether the person trusts its folder in Claude Code: else its settings and CLAUDE.md are left out. */
  readonly isTrusted: boolean;
  /** Whether it came to an end before, as its row is now and with these very permissions. */
  readonly hasRun: boolean;
  /** What its last attempt was refused, whatever its row said then; without what is allowed by now. */
  readonly refused: readonly Denial[];
  /** What it needs and this machine does not have, in sentences. */
  readonly lacks: readonly string[];
}

/** What a rehearsal goes by besides the picture. */
export interface RehearsalFacts {
  /** All that are known, newest first. */
  readonly attempts: readonly Attempt[];
  /** What Claude may do where a row does not say it. */
  readonly mode: PermissionMode;
  /** What the user allowed after refusals, by the approval of the row. */
  readonly grants: ReadonlyMap<string, readonly string[]>;
  /** The folders that nobody trusts in Claude Code. */
  readonly untrusted: ReadonlySet<string>;
  /** What tasks need and this machine does not have; absent: it was not looked at. */
  readonly lacks?: ReadonlyMap<TaskId, readonly string[]>;
}

const NIGHT_MS = 24 * 3_600_000;

/** What may run within a day, approved or not: everything that waits for no later time, and for no person but its approver. */
export function listTonight({ tasks, world }: QueueViewModel): TaskViewModel[] {
  return tasks.filter((shown) => {
    const { reason } = shown;
    const isOnTime = reason.shown === 'scheduled' || reason.shown === 'review';
    if (isOnTime && (reason.until ?? 0) > world.now + NIGHT_MS) return false;
    return runsByItself(shown) || reason.shown === 'unapproved';
  });
}

/** Looks at what these tasks would be allowed, and at what they were refused. Nothing is run. */
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
    isApproved: shown.reason.shown !== 'unapproved',
    isTrusted: !facts.untrusted.has(definition.workingDir),
    hasRun: attempts.some(
      (attempt) =>
        attempt.power === state.power && TELLING.includes(attempt.outcome) && isSame(attempt, permissions),
    ),
    lacks: facts.lacks?.get(definition.id) ?? [],
    refused: (attempts[0]?.denials ?? []).filter(
      ({ rule }) => rule === undefined || !permissions.tools.includes(rule),
    ),
  };
}

/** The ends of attempts that show what a run needs: at a limit, say, it may not have started yet. */
const TELLING: readonly Outcome[] = ['success', 'review', 'error'];

function isSame({ permissions }: Attempt, { mode, tools }: Permissions): boolean {
  if (permissions?.mode !== mode) return false;
  const before = new Set(permissions.tools);
  return before.size === new Set(tools).size && tools.every((tool) => before.has(tool));
}

function groupByTask(attempts: readonly Attempt[]): ReadonlyMap<TaskId, Attempt[]> {
  const byTask = new Map<TaskId, Attempt[]>();
  for (const attempt of attempts) {
    const own = byTask.get(attempt.id);
    if (own === undefined) byTask.set(attempt.id, [attempt]);
    else own.push(attempt);
  }
  return byTask;
}
