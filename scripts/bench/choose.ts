// How long the choice of the next task takes in memory, and its end, beside what nobody would call slow: the pop and the
// push of a plain binary heap, which knows no time, no dependency and no tenant. Prints one JSON object.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createWorld, type World } from '../../src/domain/explain';
import { OPEN_GATE } from '../../src/domain/limits';
import { Lineup } from '../../src/domain/lineup';
import { effectivePriorityOf } from '../../src/domain/order';
import { PRIORITIES } from '../../src/domain/priority';
import { defaults } from '../../src/domain/settings';
import type { TaskView } from '../../src/domain/view';
import { newTask } from '../../src/queue/model/taskChanges';
import { figure, median, round, rowOf, type BenchRow } from './files/measuring';

const LARGEST = 100_000;
const SIZES = [1_000, 10_000, LARGEST];
const ROUNDS = 7;
/** Rounds that do not count: the code is still being compiled. */
const WARM_UP = 3;
/** Choices in one round, of several queues where one has not so many tasks; of the slow way a few tell enough. */
const CHOICES = 20_000;
const SORTED_CHOICES = 5;
const MINUTE = 60_000;
const NOW = Date.parse('2026-03-02T10:00:00Z');

/** A task as it waits: each tenth depends on the one above it, and what was seen at other times ages at other times. */
function makeTask(order: number): TaskView {
  const id = order + 1;
  const seenAt = NOW - ((order * 7919) % (30 * 60)) * MINUTE;
  const state = newTask({ id, power: `power-${String(id)}` }, seenAt);
  const definition = {
    id,
    priority: PRIORITIES[(order * 31) % PRIORITIES.length] ?? 'medium',
    workingDir: '/place',
    prompt: `Task ${String(id)}`,
    dependencies: order % 10 === 9 ? [order] : [],
    maxRetries: 3,
  };
  return { definition, state, order };
}

function makeTasks(size: number): TaskView[] {
  return Array.from({ length: size }, (_, order) => makeTask(order));
}

function makeWorld(tasks: readonly TaskView[]): World {
  return createWorld({
    queue: {
      tasks,
      invalidIds: new Set(),
      claims: [],
      holds: [],
      held: null,
      streak: null,
      turns: new Map(),
      starts: [],
      costs: [],
    },
    gate: OPEN_GATE,
    proofs: { trusted: true, approvals: new Set() },
    settings: defaults,
    now: NOW,
    timeZone: 'UTC',
  });
}

/** Microseconds for one of so many times. */
function timeOf(times: number, work: (time: number) => void): number {
  const began = process.hrtime.bigint();
  for (let time = 0; time < times; time += 1) work(time);
  return Number(process.hrtime.bigint() - began) / 1000 / times;
}

/** Chooses and completes, ten times a second. What a task becomes is there already, as what a heap is given is. */
class OwnQueue {
  private readonly tasks: TaskView[];
  private readonly completed: TaskView[];
  private readonly byId: Map<number, TaskView>;
  private readonly world: World;
  private readonly lineup: Lineup;
  private now = NOW;

  constructor(size: number) {
    this.tasks = makeTasks(size);
    this.completed = this.tasks.map((task) => ({
      ...task,
      state: { ...task.state, status: 'completed', lastSuccessAt: NOW },
    }));
    this.world = makeWorld(this.tasks);
    this.byId = new Map(this.world.byId);
    this.lineup = new Lineup(this.tasks);
    this.next();
  }

  next(): void {
    this.now += 100;
    const { byId, now } = this;
    const { queue, gate, proofs, settings, timeZone } = this.world;
    const task = this.lineup.choose({ queue, byId, gate, proofs, settings, now, timeZone });
    const done = task === null ? undefined : this.completed[task.order];
    if (task === null || done === undefined) throw new Error('The queue is empty.');
    this.tasks[task.order] = done;
    this.byId.set(done.definition.id, done);
    this.lineup.changed(task.order, task);
  }
}

interface Ranked {
  readonly task: TaskView;
  /** 0 is served first. */
  readonly rank: number;
}

function compare(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || a.task.order - b.task.order;
}

function rank(task: TaskView, world: World): Ranked {
  return {
    task,
    rank: PRIORITIES.indexOf(effectivePriorityOf(task, world.byId, world.settings, world.now)),
  };
}

/** The binary heap of the textbooks. */
class Heap {
  private readonly items: Ranked[] = [];

  push(item: Ranked): void {
    let at = this.items.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.items[above];
      if (parent === undefined || compare(item, parent) >= 0) break;
      this.items[at] = parent;
      at = above;
    }
    this.items[at] = item;
  }

  pop(): Ranked | undefined {
    const [top] = this.items;
    const last = this.items.pop();
    if (last === undefined || this.items.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let least = this.items[child];
      const right = this.items[child + 1];
      if (least !== undefined && right !== undefined && compare(right, least) < 0)
        [child, least] = [child + 1, right];
      if (least === undefined || compare(least, last) >= 0) break;
      this.items[at] = least;
      at = child;
    }
    this.items[at] = last;
    return top;
  }
}

/** Takes the first and puts another one in, which stands at the end. */
class HeapQueue {
  private readonly heap = new Heap();
  private readonly fresh: Ranked[];

  constructor(size: number) {
    const tasks = makeTasks(size + choicesOf(size));
    const world = makeWorld(tasks);
    const ranked = tasks.map((task) => rank(task, world));
    ranked.slice(0, size).forEach((item) => this.heap.push(item));
    this.fresh = ranked.slice(size);
  }

  next(time: number): void {
    const fresh = this.fresh[time];
    if (this.heap.pop() === undefined || fresh === undefined) throw new Error('The heap is empty.');
    this.heap.push(fresh);
  }
}

/** What is simplest to write: all that are pending, sorted, the first. */
class SortedQueue {
  private readonly tasks: TaskView[];

  constructor(size: number) {
    this.tasks = makeTasks(size);
  }

  next(): void {
    const world = makeWorld(this.tasks);
    const [first] = this.tasks
      .filter(({ state }) => state.status === 'pending')
      .map((task) => rank(task, world))
      .sort(compare);
    if (first === undefined) throw new Error('The queue is empty.');
    const { task } = first;
    this.tasks[task.order] = { ...task, state: { ...task.state, status: 'completed' } };
  }
}

/** How many choices are measured of one queue: it must not run dry. */
function choicesOf(size: number): number {
  return Math.min(CHOICES, size / 2);
}

/** Microseconds for a choice, over as many queues as it takes. */
function timeOfChoice(size: number, open: () => { next(time: number): void }): number {
  const queues = Array.from({ length: CHOICES / choicesOf(size) }, open);
  return median(
    queues.map((queue) =>
      timeOf(choicesOf(size), (time) => {
        queue.next(time);
      }),
    ),
  );
}

/** A row of these times, in microseconds. */
function row(what: string, size: number, times: readonly number[], more: Partial<BenchRow> = {}): BenchRow {
  return rowOf(what, size, times, { unit: 'µs', ...more });
}

function measure(size: number): BenchRow[] {
  const times: Record<'set-up' | 'own' | 'heap' | 'sorted', number[]> = {
    'set-up': [],
    own: [],
    heap: [],
    sorted: [],
  };
  for (let turn = -WARM_UP; turn < ROUNDS; turn += 1) {
    const tasks = makeTasks(size);
    const world = makeWorld(tasks);
    const setUp = timeOf(1, () => new Lineup(tasks).choose(world));
    const sorted = new SortedQueue(size);
    const took = {
      'set-up': setUp,
      own: timeOfChoice(size, () => new OwnQueue(size)),
      heap: timeOfChoice(size, () => new HeapQueue(size)),
      sorted: timeOf(SORTED_CHOICES, () => sorted.next()),
    };
    if (turn < 0) continue;
    for (const name of ['set-up', 'own', 'heap', 'sorted'] as const) times[name].push(took[name]);
  }
  const against = 'binary heap pop and push';
  const ratio = (one: readonly number[]): number => round(median(one) / median(times.heap));
  return [
    row('choose and complete', size, times.own, {
      ratio: ratio(times.own),
      against,
      ...(size === LARGEST ? { goal: '≤ 2' } : {}),
    }),
    row(against, size, times.heap),
    row('filter and sort, each time', size, times.sorted, { ratio: ratio(times.sorted), against }),
    row('set up the lineup', size, times['set-up']),
  ];
}

/** Bytes in use, of all kinds, after everything else was given back. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function measureMemory(size: number): BenchRow[] {
  const empty = bytesInUse();
  const tasks = makeTasks(size);
  const world = makeWorld(tasks);
  const filled = bytesInUse();
  const lineup = new Lineup(tasks);
  lineup.choose(world);
  const lined = bytesInUse();
  // What was measured must still be there.
  if (lineup.choose(world) === null) throw new Error('The queue is empty.');
  const row = (what: string, bytes: number): BenchRow =>
    figure(what, 'bytes', Math.round(bytes / size), { size });
  return [
    row('memory of a task, with its row and state', filled - empty),
    row('memory of a task in the lineup', lined - filled),
  ];
}

const rows = [...SIZES.flatMap(measure), ...measureMemory(LARGEST)];
console.log(JSON.stringify({ title: 'Choice of the next task, in memory', rows }));
