import { isDead, isMet } from './dependencies';
import { explain, type Override, type World } from './explain';
import { isStandingStill, type FoundByKind } from './explainQueue';
import { dueTimeOf } from './explainTime';
import type { EpochMs } from './epoch';
import { OrderedSet } from './orderedSet';
import { ageingOf, choose, isStopped, isWanted, tenantOf, turnOf, waitingSince, type Choice } from './order';
import { effectivePriority, nextPromotion, PRIORITIES, type Ageing, type Priority } from './priority';
import type { Settings } from './settings';
import { explainSpare, isSpare, ownPriority } from './spareLane';
import type { TaskId } from './task';
import { Timers } from './timers';
import type { TaskView } from './view';

/** In each class: stopped and promoted, stopped, promoted, neither. */
const LANES_A_CLASS = 4;

/** Behind all classes the spare lane: what was stopped of it, and the rest. */
const SPARE_LANE = PRIORITIES.length * LANES_A_CLASS;

/** In no lane. */
const NOWHERE = -1;

/** The tasks of one tenant that only wait for their turn: for each class and rank a lane, in it row order. */
interface Tenant {
  readonly name: string;
  /** The tenant's tasks in row order, by their places in the queue. */
  readonly places: number[];
  readonly lanes: (OrderedSet | undefined)[];
  waiting: number;
}

/**
 * The tasks of a queue in the order in which they are served. Gives the same answers as `choose`, which looks at every
 * task: here a task is looked at when something happened to it or to what it depends on, and when its time or its next
 * class has come. What is in a lane may still not be ready (nobody approved it, its model's gate is closed): that is
 * asked of `explain`, in the order in which tasks are served.
 */
export class Lineup {
  private readonly tenants = new Map<string, Tenant>();
  private readonly tenantAt: Tenant[] = [];
  /** A task's place among those of its tenant. */
  private readonly indexAt: Int32Array;
  private readonly laneAt: Int8Array;
  private readonly dependents = new Map<TaskId, number[]>();
  private readonly timers: Timers;
  /** Places of tasks to which something happened since the last look. */
  private readonly moved: number[] = [];
  private now: EpochMs = Infinity;
  private settings: Settings | null = null;
  private ageing: Ageing | null = null;
  /** Up to then nobody waits for a limit's reset. */
  private openedBefore: EpochMs | undefined;
  /** The only tenant, where there is one: nobody takes turns then. */
  private readonly only: Tenant | null;

  /** `tasks` stay where they are in the list; who puts another view into it says so by `changed`. */
  constructor(private readonly tasks: readonly TaskView[]) {
    this.indexAt = new Int32Array(tasks.length);
    this.laneAt = new Int8Array(tasks.length).fill(NOWHERE);
    this.timers = new Timers(tasks.length);
    tasks.forEach((task, place) => {
      const tenant = this.tenantNamed(tenantOf(task));
      this.indexAt[place] = tenant.places.push(place) - 1;
      this.tenantAt.push(tenant);
      for (const id of task.definition.dependencies) {
        const others = this.dependents.get(id);
        if (others === undefined) this.dependents.set(id, [place]);
        else others.push(place);
      }
    });
    const [first] = this.tenants.values();
    this.only = this.tenants.size === 1 && first !== undefined ? first : null;
  }

  /** The task at this place was `before`; it still belongs to the same tenant, and depends on the same. */
  changed(place: number, before: TaskView): void {
    this.moved.push(place);
    const after = this.tasks[place];
    const isSameToOthers =
      after?.definition === before.definition &&
      after.state.status === before.state.status &&
      after.state.lastSuccessAt === before.state.lastSuccessAt;
    if (isSameToOthers) return;
    for (const dependent of this.dependents.get(before.definition.id) ?? []) this.moved.push(dependent);
  }

  /** The next task, or null when none is ready. */
  choose(world: World, choice: Choice = {}): TaskView | null {
    // Whoever names a task, or passes over times, asks for more than what waits for its turn.
    if (choice.id !== undefined || choice.override?.time === true) return choose(world, choice);
    this.catchUp(world);
    const question = new Question(world, choice);
    return this.only === null ? this.firstInTurn(question) : this.firstReady(this.only, question);
  }

  private firstInTurn(question: Question): TaskView | null {
    const { world, choice } = question;
    const inTurn = [...this.tenants.values()]
      .filter(({ waiting }) => waiting > 0)
      .map((tenant) => ({ tenant, turn: turnOf(tenant.name, world.queue, choice) }))
      .sort((a, b) => a.turn - b.turn);
    let [next, nextTurn]: [TaskView | null, number] = [null, Infinity];
    for (const { tenant, turn } of inTurn) {
      if (turn > nextTurn) return next;
      const task = this.firstReady(tenant, question);
      if (task === null || (next !== null && next.order < task.order)) continue;
      [next, nextTurn] = [task, turn];
    }
    return next;
  }

  private firstReady({ lanes, places }: Tenant, question: Question): TaskView | null {
    for (let lane = 0; lane < lanes.length; lane += 1) {
      const members = lanes[lane];
      if (members === undefined || members.size === 0) continue;
      if (lane >= SPARE_LANE && question.isSpareShut) return null;
      const effective = classOf(lane);
      for (let index = members.first(); index >= 0; index = members.first(index + 1)) {
        const task = this.tasks[places[index] ?? NOWHERE];
        if (task === undefined || !question.isWanted(task, effective)) continue;
        if (question.isReady(task)) return task;
        if (question.isVain) return null;
      }
    }
    return null;
  }

  /** Puts every task where it belongs by now. */
  private catchUp(world: World): void {
    const { gate, settings, now } = world;
    const hasOpened = gate.openedBefore !== this.openedBefore;
    const isAsBefore = this.ageing !== null && now >= this.now && !hasOpened && this.isSortedBy(settings);
    this.openedBefore = gate.openedBefore;
    this.settings = settings;
    this.now = now;
    if (this.ageing === null || !isAsBefore) {
      this.ageing = ageingOf(settings);
      for (let place = 0; place < this.tasks.length; place += 1) this.settle(place, world, this.ageing);
      return;
    }
    for (let place = this.moved.pop(); place !== undefined; place = this.moved.pop()) {
      this.settle(place, world, this.ageing);
    }
    for (let due = this.timers.takeDue(this.now); due >= 0; due = this.timers.takeDue(this.now)) {
      this.settle(due, world, this.ageing);
    }
  }

  /** Whether by these settings tasks age, and are in the spare lane, as they were. */
  private isSortedBy(settings: Settings): boolean {
    const before = this.settings;
    if (settings === before) return true;
    const ageing = ageingOf(settings);
    if (settings.spareTag !== before?.spareTag) return false;
    return (Object.keys(ageing) as (keyof Ageing)[]).every((name) => ageing[name] === this.ageing?.[name]);
  }

  /** Puts a task into its lane, and notes when it may belong into another. */
  private settle(place: number, { byId, now, settings, gate }: World, ageing: Ageing): void {
    const task = this.tasks[place];
    if (task === undefined || !mayRun(task, byId)) {
      this.move(place, NOWHERE);
      return;
    }
    const dueAt = Math.max(task.state.ownerScheduledAt ?? 0, dueTimeOf(task.state, gate) ?? 0);
    if (dueAt > now) {
      this.move(place, NOWHERE);
      this.timers.set(place, dueAt);
      return;
    }
    if (isSpare(task.definition, settings)) {
      this.move(place, SPARE_LANE + (isStopped(task) ? 0 : 1));
      return;
    }
    const { priority } = task.definition;
    const since = waitingSince(task, byId);
    this.move(place, laneOf(task, effectivePriority(priority, now - since, ageing)));
    const promotion = nextPromotion(priority, now - since, ageing);
    if (promotion !== null) this.timers.set(place, since + promotion);
  }

  private move(place: number, lane: number): void {
    const before = this.laneAt[place] ?? NOWHERE;
    const tenant = this.tenantAt[place];
    if (before === lane || tenant === undefined) return;
    const index = this.indexAt[place] ?? 0;
    this.laneAt[place] = lane;
    if (before === NOWHERE) tenant.waiting += 1;
    else tenant.lanes[before]?.delete(index);
    if (lane === NOWHERE) tenant.waiting -= 1;
    else (tenant.lanes[lane] ??= new OrderedSet(tenant.places.length)).add(index);
  }

  private tenantNamed(name: string): Tenant {
    const known = this.tenants.get(name);
    if (known !== undefined) return known;
    const tenant: Tenant = { name, places: [], lanes: [], waiting: 0 };
    this.tenants.set(name, tenant);
    return tenant;
  }
}

/** One choice, and what is found out in it. */
class Question {
  /** Whether no task can be ready, whichever it is. */
  isVain = false;
  private readonly override: Override | undefined;
  private found: FoundByKind | undefined;

  constructor(
    readonly world: World,
    readonly choice: Choice,
  ) {
    this.override = choice.override;
  }

  isWanted({ definition }: TaskView, effective: Priority): boolean {
    return isWanted(ownPriority(definition, this.world.settings), effective, this.choice);
  }

  /** Whether none of the spare lane can be ready. */
  get isSpareShut(): boolean {
    return this.override?.unattendedRules !== true && explainSpare(this.world) !== null;
  }

  isReady(task: TaskView): boolean {
    if (explain(task, this.world, this.override, this.found).shown === 'ready') return true;
    // Mostly the first one is; where it is not, many others may not be either.
    if (this.found === undefined) this.isVain = isStandingStill(this.world, this.override ?? {});
    this.found ??= new Map();
    return false;
  }
}

/** Whether nothing of the task itself is in its way but time. What is left out here can never be ready. */
function mayRun(task: TaskView, byId: ReadonlyMap<TaskId, TaskView>): boolean {
  const { definition, state, claim } = task;
  if (claim !== undefined || isDead(definition, state)) return false;
  if (state.status !== 'pending' && state.status !== 'running') return false;
  return definition.dependencies.every((id) => {
    const dependency = byId.get(id);
    return dependency !== undefined && isMet(dependency, task);
  });
}

function laneOf(task: TaskView, effective: Priority): number {
  const isPromoted = effective !== task.definition.priority;
  return PRIORITIES.indexOf(effective) * LANES_A_CLASS + (isStopped(task) ? 0 : 2) + (isPromoted ? 0 : 1);
}

function classOf(lane: number): Priority {
  return PRIORITIES[Math.floor(lane / LANES_A_CLASS)] ?? 'low';
}
