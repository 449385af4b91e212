import type { Override, Reason, World } from './explain';
import { describeClaim, explain } from './explain';
import type { Priority } from './priority';
import { comparePriority, effectivePriority } from './priority';
import type { Settings } from './settings';
import type { EpochMs } from './epoch';
import type { TaskId } from './task';
import type { TaskView } from './view';

/** What a claimer asks for. */
export interface Choice {
  /** Only this task. */
  readonly id?: TaskId;
  readonly override?: Override;
}

/** Since when a task waits: retries and limits do not start it again. */
export function waitingSince(task: TaskView, byId: ReadonlyMap<TaskId, TaskView>): EpochMs {
  const { definition, state } = task;
  const dependenciesDone = definition.dependencies.map((id) => byId.get(id)?.state.lastSuccessAt ?? 0);
  return Math.max(
    definition.createdAt ?? state.firstSeenAt,
    state.ownerScheduledAt ?? 0,
    state.dueCause === 'repeat' ? (state.dueAt ?? 0) : 0,
    definition.repeat === undefined ? 0 : (state.lastSuccessAt ?? 0),
    ...dependenciesDone,
  );
}

/** The class in which a task is served now; computed at the claim, never written. */
export function effectivePriorityOf(
  task: TaskView,
  byId: ReadonlyMap<TaskId, TaskView>,
  settings: Settings,
  now: EpochMs,
): Priority {
  return effectivePriority(task.definition.priority, now - waitingSince(task, byId), {
    strict: settings.strict,
    mediumToHighMs: settings.mediumToHigh,
    lowToMediumMs: settings.lowToMedium,
    promotedToHighMs: settings.promotedToHigh,
  });
}

interface Candidate {
  readonly task: TaskView;
  readonly effective: Priority;
}

/** Negative when `a` goes first: class, then what was stopped, then what was promoted, then row order. */
function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    comparePriority(a.effective, b.effective) ||
    rank(isStopped(b)) - rank(isStopped(a)) ||
    rank(isPromoted(b)) - rank(isPromoted(a)) ||
    a.task.order - b.task.order
  );
}

function isStopped({ task }: Candidate): boolean {
  return task.state.resume === 'limit' || task.state.resume === 'lost' || task.state.resume === 'stopped';
}

function isPromoted({ task, effective }: Candidate): boolean {
  return effective !== task.definition.priority;
}

function rank(flag: boolean): number {
  return flag ? 1 : 0;
}

/** The next task by the queue's order, or null when none is ready. */
export function choose(world: World, choice: Choice = {}): TaskView | null {
  let best: Candidate | null = null;
  for (const task of candidatesFor(world, choice)) {
    if (explain(task, world, choice.override).shown !== 'ready') continue;
    const effective = effectivePriorityOf(task, world.byId, world.settings, world.now);
    const candidate = { task, effective };
    if (best === null || compareCandidates(candidate, best) < 0) best = candidate;
  }
  return best?.task ?? null;
}

function candidatesFor(world: World, choice: Choice): readonly TaskView[] {
  if (choice.id === undefined) return world.queue.tasks;
  const task = world.byId.get(choice.id);
  return task === undefined ? [] : [task];
}

/** What the queue as a whole waits for when nothing is ready. */
export interface Outlook {
  /** When a task may become ready by itself, at the earliest; null: not by time alone. */
  readonly askAgainAt: EpochMs | null;
  /** Whether a task waits for something that passes by itself: back-off, limit, budget, another run. */
  readonly passesByItself: boolean;
  /** Whether only the account's limits or the budget keep something from running. */
  readonly atLimit: boolean;
  /** The reason to tell: of the task that would have gone first. */
  readonly why: Reason;
}

const NOTHING: Reason = { shown: 'completed', text: 'nothing is left to run', waitsFor: 'nothing' };

/** Weight of what is in the way: what passes soonest is told first. */
const TOLD_FIRST: Record<Reason['waitsFor'], number> = {
  machine: 0,
  schedule: 1,
  person: 2,
  task: 3,
  nothing: 4,
};

/** What keeps back a task that is due is told before the time of another that is not. */
function tellingWeight({ shown, waitsFor }: Reason): number {
  return shown === 'waiting' ? -1 : TOLD_FIRST[waitsFor];
}

/** Why nothing can be chosen now, and when to ask again. */
export function lookAhead(world: World, choice: Choice = {}): Outlook {
  let askAgainAt: EpochMs | null = null;
  let passesByItself = false;
  let atLimit = false;
  let why = NOTHING;
  for (const task of candidatesFor(world, choice)) {
    const reason = explain(task, world, choice.override);
    if (reason.until !== undefined) askAgainAt = Math.min(askAgainAt ?? reason.until, reason.until);
    if (reason.atLimit === true) atLimit = true;
    if (reason.waitsFor === 'machine' && task.claim?.owner.kind !== 'person') passesByItself = true;
    const told = task.claim === undefined ? reason : { ...reason, text: describeClaim(task.claim) };
    if (tellingWeight(told) < tellingWeight(why)) why = told;
  }
  return { askAgainAt, passesByItself, atLimit, why };
}
