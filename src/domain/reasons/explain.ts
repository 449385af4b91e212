import { findUnmet } from '../task/dependencies';
import { explainPlace } from './explainQueue';
import { explainWait, isUnhindered, type FoundByKind } from './explainWait';
import { approvable, isApproved, wasApproved } from '../task/approval';
import { missingRepository } from '../task/repository';
import type { Cause, Reason } from './reason';
import type { Claim, TaskState, TaskView } from '../queue/view';
import type { Override, World } from './world';

const NO_OVERRIDE: Override = {};
const READY: Reason = { state: 'ready', causes: [], waitsFor: 'nothing' };

/**
 * Returns why this task is not running now; `ready`: nothing prevents it. The same rules choose what runs. For many
 * tasks of one world with one override, pass the same `found` with each.
 */
export function explain(
  task: TaskView,
  world: World,
  override: Override = NO_OVERRIDE,
  found?: FoundByKind,
): Reason {
  return (
    explainTask(task, world, override) ??
    explainWait(task, world, override, found) ??
    (override.unattendedRules === true ? null : explainPlace(task, world, override)) ??
    READY
  );
}

/** Function that returns the reason of a task, as `explain` does. */
export type Explain = (task: TaskView) => Reason;

/** Returns `explain` for the tasks of one world: each is explained once, however often it is asked about. */
export function explainOnce(world: World, override?: Override): Explain {
  const found: FoundByKind = new Map();
  const known = new Map<TaskView, Reason>();
  return (task) => {
    const before = known.get(task);
    if (before !== undefined) return before;
    const reason = explain(task, world, override, found);
    known.set(task, reason);
    return reason;
  };
}

/** Whether `explain` returns `ready` for the task. */
export function isReady(
  task: TaskView,
  world: World,
  override: Override = NO_OVERRIDE,
  found?: FoundByKind,
): boolean {
  return (
    explainTask(task, world, override) === null &&
    isUnhindered(task, world, override, found) &&
    (override.unattendedRules === true || explainPlace(task, world, override) === null)
  );
}

/** Whether nothing but the running attempts may keep the task from starting. */
export function isReadyForRoom(task: TaskView, world: World, found: FoundByKind): boolean {
  return explainTask(task, world) === null && isUnhindered(task, world, NO_OVERRIDE, found);
}

/** Returns what in the task itself, or in its dependencies, keeps it from starting; null: nothing. */
export function explainTask(task: TaskView, world: World, override: Override = NO_OVERRIDE): Reason | null {
  return (
    explainStatus(task) ??
    explainRepository(task) ??
    (override.unattendedRules === true ? null : explainApproval(task, world)) ??
    explainDependencies(task, world)
  );
}

/** Whether a task's status and claim let it start. */
export function isOpen(task: TaskView): boolean {
  return explainStatus(task) === null;
}

function explainStatus({ definition, state, claim }: TaskView): Reason | null {
  if (claim !== undefined) return explainClaim(claim);
  switch (state.status) {
    case 'review':
      return { state: 'review', causes: [reviewCause(state)], waitsFor: 'person' };
    case 'completed':
      return { state: 'completed', causes: causesOfCompleted(state), waitsFor: 'nothing' };
    case 'cancelled':
      return { state: 'cancelled', causes: [], waitsFor: 'nothing' };
    case 'failed':
      return { state: 'dead', causes: [messageCause(state)], waitsFor: 'person' };
    case 'running':
    case 'pending': {
      const { retryCount: count } = state;
      const { maxRetries: max } = definition;
      if (count < max) return null;
      return { state: 'dead', causes: [{ kind: 'retries-used-up', count, max }], waitsFor: 'person' };
    }
  }
}

/** Returns what is to be said of a completed task: that the user has undone it, or that nothing confirms its success. */
function causesOfCompleted({ undone, unconfirmed }: TaskState): readonly Cause[] {
  if (undone === true) return [{ kind: 'undone' }];
  return unconfirmed === true ? [{ kind: 'not-confirmed' }] : [];
}

/** Returns why a task awaits review: its question, where it asks one. */
export function reviewCause(state: Pick<TaskState, 'question' | 'lastMessage' | 'lastNote'>): Cause {
  const { question } = state;
  return question === undefined ? messageCause(state) : { kind: 'question', question: question.text };
}

function messageCause({ lastMessage, lastNote: note }: Pick<TaskState, 'lastMessage' | 'lastNote'>): Cause {
  return { kind: 'message', message: lastMessage ?? '', ...(note === undefined ? {} : { note }) };
}

function explainClaim({ owner, ownerDied }: Claim): Reason {
  const isOwnerDead = ownerDied === true;
  return {
    state: isOwnerDead ? 'waiting' : 'running',
    causes: [{ kind: 'claimed', owner, isOwnerDead }],
    waitsFor: 'machine',
  };
}

/** A machine without the repository leaves the task to others. What else it waits for is their business. */
function explainRepository({ definition }: TaskView): Reason | null {
  const name = missingRepository(definition);
  return name === null
    ? null
    : { state: 'waiting', causes: [{ kind: 'repository', name }], waitsFor: 'elsewhere' };
}

function explainApproval({ definition, state }: TaskView, { approvedRows }: World): Reason | null {
  if (approvedRows.trusted) return null;
  if (state.reopened) return { state: 'unapproved', causes: [{ kind: 'reopened' }], waitsFor: 'person' };
  if (isApproved(approvable(definition, state.power), approvedRows)) return null;
  const kind = wasApproved(definition.id, approvedRows) ? 'changed' : 'not-approved';
  return { state: 'unapproved', causes: [{ kind }], waitsFor: 'person' };
}

function explainDependencies(task: TaskView, world: World): Reason | null {
  const unmet = findUnmet(task, world);
  if (unmet === null) return null;
  const causes: readonly Cause[] = [{ kind: 'dependency', unmet }];
  return unmet.stuck
    ? { state: 'stuck', causes, waitsFor: 'person' }
    : { state: 'blocked', causes, waitsFor: 'task' };
}
