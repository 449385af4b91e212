import type { ResumeCause } from '../task/attempt';
import type { World } from '../reasons/world';
import type { Cause, Reason } from '../reasons/reason';
import { explain, isReady } from '../reasons/explain';
import type { FoundByKind } from '../reasons/explainWait';
import type { Ageing, Priority } from '../task/priority';
import { comparePriority, effectivePriority, nextPromotion } from '../task/priority';
import type { Settings } from '../settings/settings';
import { isMeantFor, isWanted, takes, tenantOf, type Choice } from './choice';
import { isLeftover, ownPriority } from './leftoverCapacity';
import type { EpochMs } from '../time/epoch';
import type { Status, TaskId } from '../task/task';
import type { QueueView, TaskView } from '../queue/view';

/** Returns when a task started to wait. Retries and limits do not restart the wait. */
export function waitingSince({ definition, state }: TaskView, byId: ReadonlyMap<TaskId, TaskView>): EpochMs {
  let since = Math.max(
    definition.createdAt ?? state.firstSeenAt,
    state.ownerScheduledAt ?? 0,
    state.dueCause === 'repeat' ? (state.dueAt ?? 0) : 0,
    state.turnAt ?? 0,
    definition.repeat === undefined ? 0 : (state.lastSuccessAt ?? 0),
  );
  for (const id of definition.dependencies) {
    since = Math.max(since, byId.get(id)?.state.lastSuccessAt ?? 0);
  }
  return since;
}

/** Returns the settings by which waiting raises a priority. */
export function ageingOf(settings: Settings): Ageing {
  return {
    strict: settings.strict,
    mediumToHighMs: settings.mediumToHigh,
    lowToMediumMs: settings.lowToMedium,
    promotedToHighMs: settings.promotedToHigh,
  };
}

/**
 * Returns the effective priority of a task, its class: computed at the claim, and kept while it runs. An ended task has
 * its row's own.
 */
export function effectivePriorityOf(
  task: TaskView,
  byId: ReadonlyMap<TaskId, TaskView>,
  settings: Settings,
  now: EpochMs,
): Priority {
  if (isLeftover(task.definition, settings)) return 'low';
  if (task.claim?.priority !== undefined) return task.claim.priority;
  if (ENDED.includes(task.state.status)) return task.definition.priority;
  return effectivePriority(task.definition.priority, now - waitingSince(task, byId), ageingOf(settings));
}

const ENDED: readonly Status[] = ['review', 'completed', 'failed', 'cancelled'];

/** Causes that end a run without its task's fault. */
const STOPPED: readonly (ResumeCause | null)[] = ['limit', 'blocked', 'lost', 'stopped', 'interrupted'];

/** Whether its last run was cut short without its own fault. Such a task continues first in its class. */
export function isStopped({ state }: TaskView): boolean {
  return STOPPED.includes(state.resume);
}

interface Candidate {
  readonly task: TaskView;
  readonly effective: Priority;
  readonly isLeftover: boolean;
}

/**
 * Negative when `a` goes first. Order: class, leftover tasks last, then stopped tasks, then promoted ones, then row
 * order.
 */
function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    comparePriority(a.effective, b.effective) ||
    rank(a.isLeftover) - rank(b.isLeftover) ||
    rank(isStopped(b.task)) - rank(isStopped(a.task)) ||
    rank(isPromoted(b)) - rank(isPromoted(a)) ||
    a.task.order - b.task.order
  );
}

function isPromoted({ task, effective, isLeftover: isLast }: Candidate): boolean {
  return !isLast && effective !== task.definition.priority;
}

function rank(flag: boolean): number {
  return flag ? 1 : 0;
}

/** Rank of a tenant that no worker has served yet: before all others. */
const NEVER_SERVED = -1;

/**
 * Returns the rank of a tenant, lowest served first: the claimer's own tenants, then by the longest time since the last
 * claim.
 */
export function lastServedAt(tenant: string, { turns }: QueueView, { users }: Choice): number {
  const isOwn = users === undefined || users.includes(tenant);
  return (turns.get(tenant) ?? NEVER_SERVED) + (isOwn ? 0 : OTHERS_OFFSET);
}

/** Offset for other tenants: above every token that a queue can reach. */
const OTHERS_OFFSET = 2 ** 48;

/**
 * Returns the next task in the queue's order; null: none is ready. Tenants alternate: of those with a ready task, the
 * one served longest ago, or never, is next. Among several never served, the one whose task has the highest class is
 * next, then the one whose task is first.
 * Within a tenant the highest class is served: in it stopped tasks, then promoted ones, then row order. Leftover tasks
 * come last.
 *
 * Promise about waiting: let a task count as high because it waited, with only other tasks in its way. Workers that may
 * take it, and serve all tenants alike, then start only these before it:
 * - of its own tenant: critical tasks, and tasks of its class that were stopped, or were promoted too and are above it.
 *   Each of the latter two starts for one occurrence: until it succeeds, ends in review or has failed. A repeating task
 *   does so again when it has waited as long again.
 * - of each other tenant: at most one task more than of its own.
 * By default a medium task counts as high after 4 hours, a low one after 28. So without critical tasks only leftover
 * tasks can wait for ever.
 */
export function choose(world: World, choice: Choice = {}): TaskView | null {
  const bests = new Map<string, Candidate>();
  for (const candidate of findReady(world, choice)) {
    const tenant = tenantOf(candidate.task);
    const best = bests.get(tenant);
    if (best === undefined || compareCandidates(candidate, best) < 0) bests.set(tenant, candidate);
  }
  let next: Candidate | null = null;
  for (const best of bests.values()) if (next === null || isBefore(best, next, world, choice)) next = best;
  return next?.task ?? null;
}

/** Returns these tasks in the order in which workers would take them if nothing changed meanwhile. */
export function inServingOrder(tasks: readonly TaskView[], world: World): TaskView[] {
  const { byId, settings, now, queue } = world;
  const byTenant = new Map<string, Candidate[]>();
  for (const task of tasks) {
    const effective = effectivePriorityOf(task, byId, settings, now);
    const candidate = { task, effective, isLeftover: isLeftover(task.definition, settings) };
    const own = byTenant.get(tenantOf(task));
    if (own === undefined) byTenant.set(tenantOf(task), [candidate]);
    else own.push(candidate);
  }
  const tenants = [...byTenant.entries()].map(([tenant, own]) => ({
    servedAt: lastServedAt(tenant, queue, {}),
    own: own.sort(compareCandidates),
  }));
  const rounds = tenants.flatMap(({ servedAt, own }) =>
    own.map((candidate, round) => ({ candidate, round, servedAt })),
  );
  return rounds
    .sort((a, b) => a.round - b.round || a.servedAt - b.servedAt || compareTies(a.candidate, b.candidate))
    .map(({ candidate }) => candidate.task);
}

/** Whether more than `than` tasks are ready for a claimer. */
export function hasMoreReady(world: World, choice: Choice, than: number): boolean {
  let ready = 0;
  for (const _task of findReady(world, choice)) {
    ready += 1;
    if (ready > than) return true;
  }
  return false;
}

/** Yields the ready tasks that a claimer wants, in row order. */
function* findReady(world: World, choice: Choice): Generator<Candidate> {
  const { byId, settings, now } = world;
  const found: FoundByKind = new Map();
  for (const task of candidatesFor(world, choice)) {
    const effective = effectivePriorityOf(task, byId, settings, now);
    if (!takes(choice, task, effective, settings)) continue;
    if (!isReady(task, world, choice.override, found)) continue;
    yield { task, effective, isLeftover: isLeftover(task.definition, settings) };
  }
}

/** Whether the tenant of `a` is served before that of `b`, which is another tenant. */
function isBefore(a: Candidate, b: Candidate, { queue }: World, choice: Choice): boolean {
  const [served, other] = [
    lastServedAt(tenantOf(a.task), queue, choice),
    lastServedAt(tenantOf(b.task), queue, choice),
  ];
  return (served - other || compareTies(a, b)) < 0;
}

/** Orders tenants of equal rank: the highest class first, then the one whose task is first. */
function compareTies(a: Candidate, b: Candidate): number {
  return comparePriority(a.effective, b.effective) || a.task.order - b.task.order;
}

function candidatesFor(world: World, choice: Choice): readonly TaskView[] {
  if (choice.id === undefined) return world.queue.tasks;
  const task = world.byId.get(choice.id);
  return task === undefined ? [] : [task];
}

/** State of the whole queue when nothing is ready. */
export interface Outlook {
  /** Earliest time at which a task may become ready by itself; null: not by time alone. */
  readonly askAgainAt: EpochMs | null;
  /** Whether a task waits for something that passes by itself: back-off, limit, budget, another attempt. */
  readonly passesByItself: boolean;
  /** Whether only the account's limits or the budget keep something from running. */
  readonly atLimit: boolean;
  /** Reason to show: that of the task that would have started first. */
  readonly why: Reason;
}

/** Weights of reasons: the one that passes soonest is shown first. */
const WEIGHTS: Record<Reason['waitsFor'], number> = {
  machine: 0,
  schedule: 1,
  person: 2,
  task: 3,
  elsewhere: 4,
  nothing: 5,
};

/** Returns the weight of a reason. The obstacle of a due task is shown before the time of a task that is not due. */
function weightOf({ shown, waitsFor }: Reason): number {
  return shown === 'waiting' && waitsFor !== 'elsewhere' ? -1 : WEIGHTS[waitsFor];
}

/** Whether a reason is shown before another one: by weight, then by the earliest end. */
function isShownBefore(reason: Reason, other: Reason): boolean {
  const [weight, others] = [weightOf(reason), weightOf(other)];
  return weight < others || (weight === others && (reason.until ?? Infinity) < (other.until ?? Infinity));
}

/** Findings about the tasks so far. */
interface Seen {
  askAgainAt: EpochMs;
  passes: boolean;
  isBlocked: boolean;
  othersRun: boolean;
  atLimit: boolean;
  why: Reason;
}

/** Returns why nothing can be chosen now, and when to ask again. */
export function lookAhead(world: World, choice: Choice = {}): Outlook {
  const seen: Seen = {
    askAgainAt: Infinity,
    passes: false,
    isBlocked: false,
    othersRun: false,
    atLimit: false,
    why: nothingOf(choice),
  };
  const found: FoundByKind = new Map();
  for (const task of candidatesFor(world, choice)) {
    const reason = explain(task, world, choice.override, found);
    const wantedAt = wantedFrom(task, world, choice);
    seen.askAgainAt = Math.min(seen.askAgainAt, timeToAsk(reason, wantedAt, world.now));
    if (wantedAt <= world.now) see(seen, task, reason);
    else seen.othersRun ||= task.claim?.owner.kind === 'process';
  }
  return {
    askAgainAt: seen.askAgainAt === Infinity ? null : seen.askAgainAt,
    // A task that waits for one that another worker runs may become ready when that one ends.
    passesByItself: seen.passes || (seen.isBlocked && seen.othersRun),
    atLimit: seen.atLimit,
    why: seen.why,
  };
}

/** Adds a task that the claimer would take. */
function see(seen: Seen, task: TaskView, reason: Reason): void {
  seen.passes ||= reason.waitsFor === 'machine' && task.claim?.owner.kind !== 'person';
  seen.isBlocked ||= reason.shown === 'blocked';
  seen.atLimit ||= reason.atLimit === true;
  if (isShownBefore(reason, seen.why)) seen.why = shownReasonOf(task, reason);
}

/** Returns the reason to show: for a running task, its claim. */
function shownReasonOf({ claim }: TaskView, reason: Reason): Reason {
  return claim === undefined ? reason : { ...reason, causes: [{ kind: 'busy', claim }] };
}

function nothingOf({ priorities, tags, users, stealFrom }: Choice): Reason {
  const cause: Cause = {
    kind: 'nothing-left',
    ...(priorities === undefined ? {} : { priorities }),
    ...(tags === undefined ? {} : { tags }),
    ...(stealFrom === undefined ? {} : { users: [...new Set([...(users ?? []), ...stealFrom])] }),
  };
  return { shown: 'completed', causes: [cause], waitsFor: 'nothing' };
}

/**
 * Returns when the claimer takes tasks of this one's class, if the task keeps waiting: now, later, or never (Infinity).
 */
function wantedFrom(task: TaskView, { byId, settings, now }: World, choice: Choice): EpochMs {
  if (!isMeantFor(choice, task)) return Infinity;
  const priority = ownPriority(task.definition, settings);
  if (isWanted(priority, priority, choice)) return now;
  if (isLeftover(task.definition, settings)) return Infinity;
  const ageing = ageingOf(settings);
  const since = waitingSince(task, byId);
  let waited: number | null = now - since;
  while (waited !== null && !isWanted(priority, effectivePriority(priority, waited, ageing), choice)) {
    waited = nextPromotion(priority, waited, ageing);
  }
  return waited === null ? Infinity : since + waited;
}

/** States from which time alone can lead to a start. */
const PASSING: readonly Reason['shown'][] = ['ready', 'waiting', 'scheduled', 'retrying'];

/** Returns the earliest time at which the claimer may get the task by time alone; Infinity: it cannot. */
function timeToAsk({ shown, until = Infinity }: Reason, wantedAt: EpochMs, now: EpochMs): EpochMs {
  if (wantedAt <= now) return until;
  if (!PASSING.includes(shown)) return Infinity;
  return until === Infinity ? wantedAt : Math.max(wantedAt, until);
}
