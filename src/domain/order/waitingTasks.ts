import { groupBy } from '../lists';
import { isOpen } from '../reasons/explain';
import type { World } from '../reasons/world';
import { findUnmet } from '../task/dependencies';
import { nextPromotion } from '../task/priority';
import type { TaskId } from '../task/task';
import type { EpochMs } from '../time/epoch';
import { findSoonerTime } from '../time/soonerTime';
import type { QueueView, TaskView } from '../queue/view';
import { candidateOf, compareCandidates, compareTenants, type Candidate, type TenantKey } from './candidates';
import { tenantOf, type Choice } from './choice';
import { ageingOf, waitingSince } from './effectivePriority';
import { isLeftover } from './leftoverCapacity';
import { SortedList } from './sortedList';
import { servedAt } from './tenantTurns';

/** Facts that places depend on besides the tasks. */
type Around = Pick<World, 'byId' | 'queue' | 'settings' | 'now' | 'timeZone'>;

/** Time at which a task gets another place if nothing else changes. */
interface Change {
  readonly at: EpochMs;
  readonly id: TaskId;
}

const compareChanges = (a: Change, b: Change): number => a.at - b.at || a.id - b.id;

/** Changed tasks, with those that depend on them, and tenants that were served. */
export interface Changed {
  readonly tasks: Iterable<TaskId>;
  readonly tenants: Iterable<string>;
}

const NOTHING: Changed = { tasks: [], tenants: [] };

/** A tenant's waiting tasks. */
export interface TenantLine {
  readonly tenant: string;
  /** Rank of the tenant. */
  readonly servedAt: number;
  /** None of the tasks is before this. */
  readonly bound: TenantKey;
  readonly list: SortedList<Candidate>;
}

function compareLines(a: TenantLine, b: TenantLine): number {
  const isBefore = a.tenant < b.tenant ? -1 : 1;
  return (
    a.servedAt - b.servedAt || compareTenants(a.bound, b.bound) || (a.tenant === b.tenant ? 0 : isBefore)
  );
}

/**
 * Tasks that nothing of their own keeps from starting, by tenant, in the order in which they are served. The same object
 * serves many worlds of one queue: only the places of tasks that changed are found again. Rules of the queue, the
 * account and the approvals are not looked at.
 */
export class WaitingTasks {
  private readonly lines = new SortedList(compareLines);
  private readonly lineOf = new Map<string, TenantLine>();
  private readonly candidates = new Map<TaskId, Candidate>();
  private readonly changes = new SortedList(compareChanges);
  private readonly changeOf = new Map<TaskId, Change>();
  private rules = '';
  private now: EpochMs = -Infinity;

  /** Returns the waiting tasks of a world. */
  static of(world: Around): WaitingTasks {
    const waiting = new WaitingTasks();
    waiting.update(world, NOTHING);
    return waiting;
  }

  /** Yields the tenants in the order in which a claimer serves them; of equal rank, in the order of their bounds. */
  *inTurn({ users }: Choice): Generator<TenantLine> {
    if (users === undefined) {
      yield* this.lines.items;
      return;
    }
    yield* users.flatMap((tenant) => this.lineOf.get(tenant) ?? []).sort(compareLines);
    for (const line of this.lines.items) if (!users.includes(line.tenant)) yield line;
  }

  /** Finds the places of what changed, of tasks whose place changed with time, and of all where rules changed. */
  update(world: Around, changed: Changed): void {
    const rules = rulesOf(world);
    const isNew = rules !== this.rules || world.now < this.now;
    this.rules = rules;
    this.now = world.now;
    if (isNew) {
      this.rebuild(world);
      return;
    }
    const ids = new Set(changed.tasks);
    for (const { at, id } of this.changes.items) {
      if (at > world.now) break;
      ids.add(id);
    }
    const tenants = new Map<string, SortedList<Candidate>>();
    for (const tenant of changed.tenants) this.note(tenant, tenants);
    // All before the first is placed: two tasks may have changed places.
    for (const id of ids) this.remove(id, tenants);
    for (const id of ids) this.place(id, world, tenants);
    for (const [tenant, list] of tenants) this.putLine(tenant, list, world.queue);
  }

  private rebuild(world: Around): void {
    for (const kept of [this.lines, this.lineOf, this.candidates, this.changes, this.changeOf]) kept.clear();
    const changes: Change[] = [];
    for (const task of world.byId.values()) {
      const { candidate, changesAt } = placeOf(task, world);
      if (changesAt !== null) changes.push(this.noteTime({ at: changesAt, id: task.definition.id }));
      if (candidate !== null) this.candidates.set(task.definition.id, candidate);
    }
    this.changes.addAll(changes);
    for (const [tenant, own] of groupBy(this.candidates.values(), ({ task }) => tenantOf(task))) {
      const list = new SortedList(compareCandidates);
      list.addAll(own);
      this.putLine(tenant, list, world.queue);
    }
  }

  /** Places a task, and notes its tenant. */
  private place(id: TaskId, world: Around, tenants: Map<string, SortedList<Candidate>>): void {
    const task = world.byId.get(id);
    if (task === undefined) return;
    const { candidate, changesAt } = placeOf(task, world);
    if (changesAt !== null) this.changes.add(this.noteTime({ at: changesAt, id }));
    if (candidate === null) return;
    this.candidates.set(id, candidate);
    this.note(tenantOf(task), tenants).add(candidate);
  }

  /** Removes a task from its place, and notes its tenant. */
  private remove(id: TaskId, tenants: Map<string, SortedList<Candidate>>): void {
    const change = this.changeOf.get(id);
    if (change !== undefined) this.changes.delete(change);
    this.changeOf.delete(id);
    const candidate = this.candidates.get(id);
    if (candidate === undefined) return;
    this.candidates.delete(id);
    this.note(tenantOf(candidate.task), tenants).delete(candidate);
  }

  /** Notes a tenant whose place is to be found again. Returns its tasks. */
  private note(tenant: string, tenants: Map<string, SortedList<Candidate>>): SortedList<Candidate> {
    const list = tenants.get(tenant) ?? this.lineOf.get(tenant)?.list ?? new SortedList(compareCandidates);
    tenants.set(tenant, list);
    return list;
  }

  /** Gives a tenant its place among the others; none if no task of it waits. */
  private putLine(tenant: string, list: SortedList<Candidate>, queue: QueueView): void {
    const before = this.lineOf.get(tenant);
    if (before !== undefined) this.lines.delete(before);
    this.lineOf.delete(tenant);
    const bound = boundOf(list.items);
    if (bound === null) return;
    const line = { tenant, servedAt: servedAt(tenant, queue), bound, list };
    this.lineOf.set(tenant, line);
    this.lines.add(line);
  }

  private noteTime(change: Change): Change {
    this.changeOf.set(change.id, change);
    return change;
  }
}

/** Returns the highest class and the lowest row order of the tasks; null: there are none. */
function boundOf(items: readonly Candidate[]): TenantKey | null {
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) return null;
  // Tasks of one rank are in row order.
  const order =
    first.rank === last.rank
      ? first.task.order
      : items.reduce((lowest, { task }) => Math.min(lowest, task.order), Infinity);
  return { effective: first.effective, order };
}

/** Returns the rules on which places depend, as a text to compare. */
function rulesOf({ settings, timeZone }: Around): string {
  return JSON.stringify([ageingOf(settings), settings.spareTag, timeZone]);
}

/** A task's place now, and when time alone changes it. */
interface Place {
  readonly candidate: Candidate | null;
  readonly changesAt: EpochMs | null;
}

function placeOf(task: TaskView, world: Around): Place {
  if (!isOpen(task) || findUnmet(task, world) !== null) return { candidate: null, changesAt: null };
  const opensAt = ownTimeOf(task, world);
  if (opensAt > world.now) return { candidate: null, changesAt: opensAt };
  return { candidate: candidateOf(task, world), changesAt: promotedAt(task, world) };
}

/** Returns a time before which a task does not start. Its own times may keep it waiting longer. */
function ownTimeOf(task: TaskView, world: Around): EpochMs {
  const { ownerScheduledAt, dueAt, dueCause } = task.state;
  // The gate may open before the reset that a task waits for.
  const own = dueCause === 'limit' ? null : (findSoonerTime(task, world) ?? dueAt);
  return Math.max(ownerScheduledAt ?? -Infinity, own ?? -Infinity);
}

function promotedAt(task: TaskView, { byId, settings, now }: Around): EpochMs | null {
  if (isLeftover(task.definition, settings)) return null;
  const since = waitingSince(task, byId);
  const waited = nextPromotion(task.definition.priority, now - since, ageingOf(settings));
  return waited === null ? null : since + waited;
}
