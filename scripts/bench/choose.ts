// Measures the choice of the next task in memory, beside the simplest implementation, which knows no time, no
// dependency and no tenant. Prints one JSON object.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createWorld, type World } from '../../src/domain/reasons/world';
import { OPEN_GATE } from '../../src/domain/gate/gate';
import { choose } from '../../src/domain/order/order';
import { effectivePriorityOf } from '../../src/domain/order/effectivePriority';
import { PRIORITIES } from '../../src/domain/task/priority';
import { defaults } from '../../src/domain/settings/settings';
import type { TaskView } from '../../src/domain/queue/view';
import { newTask } from '../../src/queue/model/state/taskChanges';
import { figure, median, round, rowOf, type BenchRow } from './files/measuring';

const LARGEST = 100_000;
const SIZES = [1_000, 10_000, LARGEST];
const ROUNDS = 7;
/** Rounds that do not count: the code is still being compiled. */
const WARM_UP = 3;
/** Choices in one round. */
const CHOICES = 5;
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
      pauses: [],
      streak: null,
      turns: new Map(),
      starts: [],
      costs: [],
      unreviewed: 0,
    },
    gate: OPEN_GATE,
    approvedRows: { trusted: true, approvals: new Set() },
    settings: defaults,
    now: NOW,
    timeZone: 'UTC',
  });
}

/** Microseconds for one of N times. */
function timeOf(times: number, work: (time: number) => void): number {
  const startedNs = process.hrtime.bigint();
  for (let time = 0; time < times; time += 1) work(time);
  return Number(process.hrtime.bigint() - startedNs) / 1000 / times;
}

/** Chooses and completes, ten times a second, as a store does: what the rules look at is made again for each choice. */
class OwnQueue {
  private readonly tasks: TaskView[];
  private now = NOW;

  constructor(size: number) {
    this.tasks = makeTasks(size);
  }

  next(): void {
    this.now += 100;
    const task = choose({ ...makeWorld([...this.tasks]), now: this.now });
    if (task === null) throw new Error('The queue is empty.');
    const { state, order } = task;
    this.tasks[order] = { ...task, state: { ...state, status: 'completed', lastSuccessAt: this.now } };
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

/** The simplest queue: sorts all pending tasks and takes the first. */
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

/** A row of these times, in microseconds. */
function row(what: string, size: number, times: readonly number[], more: Partial<BenchRow> = {}): BenchRow {
  return rowOf(what, size, times, { unit: 'µs', ...more });
}

function measure(size: number): BenchRow[] {
  const times: Record<'own' | 'sorted', number[]> = { own: [], sorted: [] };
  for (let turn = -WARM_UP; turn < ROUNDS; turn += 1) {
    const [own, sorted] = [new OwnQueue(size), new SortedQueue(size)];
    const took = {
      own: timeOf(CHOICES, () => own.next()),
      sorted: timeOf(CHOICES, () => sorted.next()),
    };
    if (turn < 0) continue;
    times.own.push(took.own);
    times.sorted.push(took.sorted);
  }
  const against = 'filter and sort';
  const ratio = round(median(times.own) / median(times.sorted));
  return [row('choose and complete', size, times.own, { ratio, against }), row(against, size, times.sorted)];
}

/** Bytes in use, of all kinds, after everything else was returned to the queue. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function measureMemory(size: number): BenchRow {
  const empty = bytesInUse();
  const tasks = makeTasks(size);
  const filled = bytesInUse();
  // Keeps what was measured alive until here.
  if (choose(makeWorld(tasks)) === null) throw new Error('The queue is empty.');
  const bytes = Math.round((filled - empty) / size);
  return figure('memory of a task, with its row and state', 'bytes', bytes, { size });
}

const rows = [...SIZES.flatMap(measure), measureMemory(LARGEST)];
console.log(JSON.stringify({ title: 'Choice of the next task, in memory', rows }));
