import { isTakenBy } from '../viewModel/placeInLine';
import { composeViewModel, type TaskViewModel } from '../viewModel/queueViewModel';
import { describeLine, describeNotReached, describeSimulated, NO_TAKER } from '../present/tonight/waitTexts';
import type { ShownReason } from '../present/reasons/reason';
import type { Choice } from '../../domain/order/choice';
import type { TaskView } from '../../domain/queue/view';
import { explainOnce } from '../../domain/reasons/explain';
import { nameReason, waitsForSlot, type Reason } from '../../domain/reasons/reason';
import { shownReason } from '../../domain/reasons/shownReason';
import { createWorld, type World } from '../../domain/reasons/world';
import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import type { Forecast } from './forecast';
import type { NightMoment, SimulatedNight } from './simulatedNight';

/** Circumstances in which the tasks of a night wait. */
export interface WaitRules {
  /** The present moment: of the reader, and of everything that a night does not change. */
  readonly world: World;
  readonly approvedRows: World['approvedRows'];
  readonly until: EpochMs;
  /** Choices of the workers. */
  readonly choices: readonly Choice[];
}

/** A wait of a task from a time on, until its next wait or its start. */
interface Wait {
  readonly name: string;
  readonly from: EpochMs;
  readonly reason: Reason;
}

/** Name of the wait for a free slot, behind whichever tasks. */
const IN_LINE = 'line';

/** Recorder of the reasons for which tasks wait in one simulated night. */
export class Waits {
  private readonly waits = new Map<TaskId, Wait[]>();
  private last: NightMoment | null = null;

  constructor(private readonly rules: WaitRules) {}

  /** Records the reason of each task that waits at this moment. */
  readonly look = (moment: NightMoment): void => {
    const { now, queue } = moment;
    // At the end, the workers have stopped: what tasks wait for then does not say why they did not start.
    if (now >= this.rules.until) return;
    this.last = moment;
    const explain = explainOnce(this.worldAt(moment));
    for (const task of queue.tasks) {
      const { id } = task.definition;
      if (task.claim !== undefined || task.state.status !== 'pending') continue;
      const reason = explain(task);
      const name = waitsForSlot(reason) ? IN_LINE : nameReason(reason);
      const waits = this.waits.get(id) ?? [];
      if (waits.at(-1)?.name === name) continue;
      this.waits.set(id, [...waits, { name, from: now, reason: shownReason(task, reason) }]);
    }
  };

  /** Returns the reason of the longest wait of each task that starts in this night, and is not running at once. */
  explainStarted({ attempts }: Pick<SimulatedNight, 'attempts'>): ReadonlyMap<TaskId, ShownReason> {
    const startOf = new Map<TaskId, EpochMs>();
    for (const { id, startedAt } of attempts) if (!startOf.has(id)) startOf.set(id, startedAt);
    const order = [...startOf.keys()];
    const found = new Map<TaskId, ShownReason>();
    for (const [id, start] of startOf) {
      const wait = longestUntil(start, this.waits.get(id) ?? []);
      if (wait !== null) found.set(id, this.describe(wait, this.countBefore(id, order)));
    }
    return found;
  }

  /** Returns the reason at the last moment of each task that has not started in this night. */
  explainOthers({ attempts }: Pick<SimulatedNight, 'attempts'>): ReadonlyMap<TaskId, ShownReason> {
    const { last, rules } = this;
    if (last === null) return new Map();
    const started = [...new Set(attempts.map(({ id }) => id))];
    const { tasks } = composeViewModel(last.queue, this.worldAt(last));
    const line = inLine(tasks).map(({ task }) => task.definition.id);
    const others = tasks.filter(({ task }) => !started.includes(task.definition.id));
    return new Map(
      others.map(({ task, reason }) => {
        const { id } = task.definition;
        if (!waitsForSlot(reason)) return [id, { ...reason, text: describeSimulated(reason, rules.world) }];
        const text = this.describeUnreached(task, this.countBefore(id, [...started, ...line]));
        return [id, { ...reason, state: 'waiting', text }];
      }),
    );
  }

  private worldAt({ now, queue, gate }: NightMoment): World {
    const { world, approvedRows } = this.rules;
    return createWorld({ ...world, queue, gate, approvedRows, now });
  }

  private describe({ name, reason }: Wait, before: number): ShownReason {
    return name === IN_LINE && before > 0
      ? { ...reason, state: 'waiting', text: describeLine(before) }
      : { ...reason, text: describeSimulated(reason, this.rules.world) };
  }

  private describeUnreached(task: TaskView, before: number): string {
    const { until, world } = this.rules;
    return this.takersOf(task).length === 0 ? NO_TAKER : describeNotReached(until, before, world);
  }

  /** Counts the tasks before this one in such an order that a worker of its own takes. */
  private countBefore(id: TaskId, order: readonly TaskId[]): number {
    const { byId } = this.rules.world;
    const task = byId.get(id);
    const takers = task === undefined ? [] : this.takersOf(task);
    return order.slice(0, Math.max(order.indexOf(id), 0)).filter((other) => {
      const before = byId.get(other);
      return before !== undefined && this.takersOf(before).some((choice) => takers.includes(choice));
    }).length;
  }

  private takersOf(task: TaskView): readonly Choice[] {
    const { choices, world } = this.rules;
    return choices.length === 1 && Object.keys(choices[0] ?? {}).length === 0
      ? choices
      : choices.filter((choice) => isTakenBy(task, world, choice));
  }
}

function inLine(tasks: readonly TaskViewModel[]): readonly TaskViewModel[] {
  return tasks
    .filter(({ place }) => place !== null)
    .sort((one, other) => (one.place ?? 0) - (other.place ?? 0));
}

/** Returns the longest of a task's waits before its start; null: it starts at once. */
function longestUntil(start: EpochMs, waits: readonly Wait[]): Wait | null {
  const lengthOf = (index: number): number =>
    Math.min(waits[index + 1]?.from ?? start, start) - (waits[index]?.from ?? start);
  return waits.reduce<{ readonly wait: Wait | null; readonly ms: number }>(
    (longest, wait, index) => (lengthOf(index) > longest.ms ? { wait, ms: lengthOf(index) } : longest),
    { wait: null, ms: 0 },
  ).wait;
}

/** Returns the forecast with the reason for which each task starts late, or not at all, in one of its nights. */
export async function explainForecast(
  forecast: Forecast,
  nights: readonly SimulatedNight[],
  rules: WaitRules,
  replay: (seed: number, look: Waits['look']) => Promise<SimulatedNight>,
): Promise<Forecast> {
  const found = new Map<TaskId, ShownReason>();
  for (const [index, { attempts }] of nights.entries()) {
    const started = new Set(attempts.map(({ id }) => id));
    const isTypical = ({ id, start }: Forecast['tasks'][number]): boolean =>
      started.has(id) === (start !== null);
    const open = forecast.tasks.filter((task) => !task.hasEnded && !found.has(task.id) && isTypical(task));
    if (open.length === 0) continue;
    const waits = new Waits(rules);
    const night = await replay(index + 1, waits.look);
    const [reached, others] = [waits.explainStarted(night), waits.explainOthers(night)];
    for (const { id, reason } of open) found.set(id, reached.get(id) ?? others.get(id) ?? reason);
  }
  return {
    ...forecast,
    tasks: forecast.tasks.map((task) => ({ ...task, reason: found.get(task.id) ?? task.reason })),
  };
}
