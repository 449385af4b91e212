import { describeOwner } from './claimWords';
import { findUnmet } from './dependencies';
import type { EpochMs } from './epoch';
import { explainPlace } from './explainQueue';
import { explainWait, isUnhindered, type FoundByKind } from './explainWait';
import type { GateView } from './limits';
import type { Moment } from './moment';
import { approvable, isApproved, type ProofCheck } from './proof';
import type { Settings } from './settings';
import type { TaskId } from './task';
import type { Claim, QueueView, TaskState, TaskView } from './view';

/** The words under which people see tasks. */
export const SHOWN = [
  'invalid',
  'unapproved',
  'ready',
  'scheduled',
  'blocked',
  'stuck',
  'retrying',
  'waiting',
  'running',
  'review',
  'completed',
  'cancelled',
  'dead',
] as const;
export type Shown = (typeof SHOWN)[number];

/** What a task waits for: `machine` passes by itself soon, `schedule` at its owner's time, `person` never by itself. */
export type WaitsFor = 'machine' | 'schedule' | 'task' | 'person' | 'nothing';

/** Why a task is not running now. */
export interface Reason {
  readonly shown: Shown;
  /** Fit for a person; empty where the shown word says it all. */
  readonly text: string;
  readonly waitsFor: WaitsFor;
  /** When that changes by itself, where it is known. */
  readonly until?: EpochMs;
  /** Set where only the account's limits or the queue's budget keep it from running. */
  readonly atLimit?: true;
  /** Set where it waits for a limit that the user may have reset: Claude Code reports that to nobody. */
  readonly resettable?: true;
  /** Set where it only waits for one of the running tasks to end. */
  readonly slotsBusy?: true;
}

/** Everything a reason depends on. */
export interface World extends Moment {
  readonly queue: QueueView;
  readonly byId: ReadonlyMap<TaskId, TaskView>;
  readonly gate: GateView;
  readonly proofs: ProofCheck;
  readonly settings: Settings;
}

/** The world of one queue at one moment. */
export function createWorld(parts: Omit<World, 'byId'>): World {
  return { ...parts, byId: new Map(parts.queue.tasks.map((task) => [task.definition.id, task])) };
}

/** What may be passed over for a task that a person names: its time, or also what only guards unattended runs. */
export interface Override {
  readonly time?: boolean;
  readonly unattendedRules?: boolean;
}

const NO_OVERRIDE: Override = {};
const READY: Reason = { shown: 'ready', text: '', waitsFor: 'nothing' };

/**
 * Why this task is not running now; `ready` when nothing is in its way. The same rules choose what runs. Who asks about
 * many tasks of one world with one override hands over the same `found` with each.
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
    (override.unattendedRules === true ? null : explainPlace(task, world)) ??
    READY
  );
}

/** Whether nothing is in the task's way: what `explain` calls `ready`, without the words. */
export function isReady(
  task: TaskView,
  world: World,
  override: Override = NO_OVERRIDE,
  found?: FoundByKind,
): boolean {
  return (
    explainTask(task, world, override) === null &&
    isUnhindered(task, world, override, found) &&
    (override.unattendedRules === true || explainPlace(task, world) === null)
  );
}

/** What of the task itself, and of those that it depends on, keeps it from starting. */
function explainTask(task: TaskView, world: World, override: Override): Reason | null {
  return (
    explainStatus(task) ??
    (override.unattendedRules === true ? null : explainApproval(task, world)) ??
    explainDependencies(task, world)
  );
}

function explainStatus({ definition, state, claim }: TaskView): Reason | null {
  if (claim !== undefined) return explainClaim(claim);
  const text = state.lastMessage ?? '';
  switch (state.status) {
    case 'review':
      return { shown: 'review', text: tellReview(state), waitsFor: 'person' };
    case 'completed':
      return {
        shown: 'completed',
        text: state.unconfirmed === true ? 'not confirmed' : '',
        waitsFor: 'nothing',
      };
    case 'cancelled':
      return { shown: 'cancelled', text: '', waitsFor: 'nothing' };
    case 'failed':
      return { shown: 'dead', text, waitsFor: 'person' };
    case 'running':
    case 'pending':
      return state.retryCount >= definition.maxRetries
        ? {
            shown: 'dead',
            text: `retries used up (${String(state.retryCount)} of ${String(definition.maxRetries)})`,
            waitsFor: 'person',
          }
        : null;
  }
}

/** Why a task awaits review: its question, where it asks one. */
export function tellReview({ question, lastMessage }: Pick<TaskState, 'question' | 'lastMessage'>): string {
  return question === undefined ? (lastMessage ?? '') : `needs an answer: ${question.text}`;
}

function explainClaim({ owner, ownerDied }: Claim): Reason {
  const who = describeOwner(owner);
  if (ownerDied !== true) return { shown: 'running', text: who, waitsFor: 'machine' };
  const text = `${who} died during its run; the next worker ends what is left of it, and goes on`;
  return { shown: 'waiting', text, waitsFor: 'machine' };
}

function explainApproval({ definition, state }: TaskView, { proofs }: World): Reason | null {
  if (proofs.trusted) return null;
  if (state.reopened) {
    return {
      shown: 'unapproved',
      text: 'was finished and is pending again by an edit of the file',
      waitsFor: 'person',
    };
  }
  if (isApproved(approvable(definition, state.power), proofs)) return null;
  return { shown: 'unapproved', text: 'nobody has approved it on this machine', waitsFor: 'person' };
}

function explainDependencies(task: TaskView, world: World): Reason | null {
  const unmet = findUnmet(task, world);
  if (unmet === null) return null;
  const text = `waits for ${String(unmet.id)} (${unmet.why})`;
  return unmet.stuck
    ? { shown: 'stuck', text, waitsFor: 'person' }
    : { shown: 'blocked', text, waitsFor: 'task' };
}
