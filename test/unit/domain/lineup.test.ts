import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createWorld, type World } from '../../../src/domain/explain';
import { Lineup } from '../../../src/domain/lineup';
import type { GateView } from '../../../src/domain/limits';
import { choose, type Choice } from '../../../src/domain/order';
import { approvalOf } from '../../../src/domain/proof';
import { PRIORITIES, type Priority } from '../../../src/domain/priority';
import { defaults, type Settings } from '../../../src/domain/settings';
import { STATUSES, type Definition } from '../../../src/domain/task';
import type { Claim, QueueView, TaskState, TaskView } from '../../../src/domain/view';
import { define, repeat, UNKNOWN, workerOf } from '../../conformance/bench';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.parse('2026-03-02T10:00:00Z');
const MOST_TASKS = 9;

const id = fc.integer({ min: 1, max: MOST_TASKS });
const priority = fc.constantFrom(...PRIORITIES);
const priorities = fc.uniqueArray(priority, { minLength: 1, maxLength: 3 });
const user = fc.constantFrom(undefined, 'ada', 'bob', 'eve');
/** Some time around the beginning, often on the minute, so that times meet. */
const time = fc.integer({ min: -40, max: 40 }).map((quarters) => NOW + quarters * 45 * MINUTE);
const timeOrNone = fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: time });

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

const definition: fc.Arbitrary<Partial<Definition>> = fc
  .record({
    priority,
    user,
    workingDir: fc.constantFrom('/a', '/b', '/c', '/d'),
    model: fc.constantFrom(undefined, undefined, 'opus', 'sonnet'),
    dependencies: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.uniqueArray(fc.integer({ min: 1, max: MOST_TASKS + 1 }), { maxLength: 2 }) },
    ),
    repeat: fc.constantFrom(undefined, undefined, repeat('2h')),
    tags: fc.constantFrom(undefined, undefined, ['docs'], ['docs', 'spare']),
    createdAt: fc.option(time, { nil: undefined }),
  })
  .map(given);

const state: fc.Arbitrary<Partial<TaskState>> = fc.record(
  {
    status: fc.oneof(
      { weight: 5, arbitrary: fc.constant('pending' as const) },
      { weight: 2, arbitrary: fc.constantFrom(...STATUSES) },
    ),
    retryCount: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) }),
    ownerScheduledAt: timeOrNone,
    dueAt: timeOrNone,
    dueCause: fc.constantFrom(null, 'retry' as const, 'repeat' as const, 'limit' as const),
    firstSeenAt: time,
    lastSuccessAt: timeOrNone,
    resume: fc.constantFrom(null, 'limit' as const, 'lost' as const, 'stopped' as const, 'retry' as const),
    reopened: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** What is the same for all tasks, and may be another at each look. */
const common = fc.record({
  trusted: fc.constantFrom(true, true, false),
  approved: fc.uniqueArray(id),
  strict: fc.boolean(),
  mediumToHigh: fc.constantFrom(4 * HOUR, HOUR),
  maxRunning: fc.constantFrom(1, 3, 5),
  held: fc.constantFrom(null, null, null, null, 'because'),
  heldPriorities: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: priorities }),
  openedBefore: fc.option(time, { nil: undefined }),
  closedFor: fc.constantFrom(null, null, null, 'opus', 'opus', 'all'),
  budget: fc.constantFrom(20, 20, 20, 20, 20, 20, 0),
  quiet: fc.constantFrom(
    null,
    null,
    { from: 600, to: 1200 },
    { from: 0, to: 1439, priorities: ['low' as const] },
  ),
  missedRuns: fc.constantFrom('once' as const, 'once' as const, 'skip' as const),
  used: fc.constantFrom(null, 0.5, 0.5, 0.9),
  reserve: fc.constantFrom(0, 0, 0.2),
  reserveFor: fc.constantFrom<readonly Priority[]>(['critical'], ['low', 'high'], []),
  spareTag: fc.constantFrom('spare', 'spare', 'docs', ''),
  failed: fc.constantFrom(0, 0, 0, 0, 0, 3),
  turns: fc.dictionary(fc.constantFrom('', 'ada', 'bob'), fc.nat(4)),
});
type Common = typeof common extends fc.Arbitrary<infer T> ? T : never;

const choice: fc.Arbitrary<Choice> = fc
  .record({
    id: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: id }),
    priorities: fc.option(priorities, { nil: undefined }),
    users: fc.option(fc.uniqueArray(fc.constantFrom('', 'ada', 'bob', 'eve')), { nil: undefined }),
    override: fc.constantFrom(undefined, undefined, { unattendedRules: true }, { time: true }),
  })
  .map(given);

const move = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('state' as const), id, state }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('claim' as const), id }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('time' as const), by: fc.integer({ min: -600, max: 900 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('common' as const), common }) },
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

/** Windows that both end a while after the beginning, the shorter one as full as this. */
function windowsOf(utilization: number): GateView['usage'] {
  const week = { window: 'seven_day', utilization: 0.9, resetAt: NOW + 12 * HOUR, asOf: NOW } as const;
  return [{ ...week, window: 'five_hour', utilization, resetAt: NOW + 2 * HOUR }, week];
}

/** A queue whose tasks change one by one, as a board has it. */
class Scene {
  private readonly tasks: TaskView[];
  private readonly byId: Map<number, TaskView>;
  private readonly lineup: Lineup;
  private now = NOW;
  private readonly claims = new Map<number, Claim>();

  constructor(
    rows: readonly { definition: Partial<Definition>; state: Partial<TaskState> }[],
    private common: Common,
  ) {
    this.tasks = rows.map((row, order) => ({
      definition: define(order + 1, row.definition),
      state: { ...UNKNOWN, id: order + 1, power: `power-${String(order + 1)}`, ...row.state },
      order,
    }));
    this.byId = new Map(this.tasks.map((task) => [task.definition.id, task]));
    this.lineup = new Lineup(this.tasks);
  }

  make(next: Move): void {
    if (next.kind === 'time') this.now += next.by * MINUTE;
    else if (next.kind === 'common') this.common = next.common;
    else if (next.kind === 'state')
      this.put(next.id, (task) => ({ ...task, state: { ...task.state, ...next.state } }));
    else this.put(next.id, (task) => this.toggleClaim(task));
  }

  /** Both answers to the same question. */
  ask(asked: Choice): [number | undefined, number | undefined] {
    const world = this.world();
    const oracle = choose(createWorld(world), asked);
    return [this.lineup.choose(world, asked)?.definition.id, oracle?.definition.id];
  }

  private put(which: number, change: (task: TaskView) => TaskView): void {
    const place = which - 1;
    const before = this.tasks[place];
    if (before === undefined) return;
    const after = change(before);
    this.tasks[place] = after;
    this.byId.set(which, after);
    this.lineup.changed(place, before);
  }

  private toggleClaim({ claim, ...task }: TaskView): TaskView {
    const { id: claimed } = task.definition;
    if (claim !== undefined) {
      this.claims.delete(claimed);
      return task;
    }
    const made = {
      id: claimed,
      power: '',
      token: 1,
      attempt: 1,
      owner: workerOf(1),
      at: this.now,
      session: 's',
      mark: 'm',
    };
    this.claims.set(claimed, made);
    return { ...task, claim: made };
  }

  private world(): World {
    const { trusted, approved, closedFor, openedBefore, budget, quiet, used, ...rest } = this.common;
    const settings: Settings = {
      ...defaults,
      strict: rest.strict,
      mediumToHigh: rest.mediumToHigh,
      maxRunning: rest.maxRunning,
      maxPerHour: budget,
      missedRuns: rest.missedRuns,
      reserve: rest.reserve,
      reserveFor: rest.reserveFor,
      spareTag: rest.spareTag,
      quietHours: quiet === null ? [] : [{ days: [0, 1, 2, 3, 4, 5, 6], ...quiet }],
    };
    const closure = { kind: 'five_hour', since: 0, until: NOW + HOUR, message: '' } as const;
    return {
      queue: this.view(),
      byId: this.byId,
      gate: {
        ...given({ openedBefore }),
        usage: used === null ? [] : windowsOf(used),
        closures:
          closedFor === null ? [] : [{ ...closure, ...(closedFor === 'all' ? {} : { model: closedFor }) }],
      },
      proofs: {
        trusted,
        approvals: new Set(approved.map((one) => approvalOf({ id: one, power: `power-${String(one)}` }))),
      },
      settings,
      now: this.now,
      timeZone: 'UTC',
    };
  }

  private view(): QueueView {
    const { held, heldPriorities, failed, turns } = this.common;
    const hold = { by: 'person', why: 'because', at: 0 } as const;
    return {
      tasks: this.tasks,
      invalidIds: new Set(),
      claims: [...this.claims.values()],
      holds: [
        ...(held === null ? [] : [hold]),
        ...(heldPriorities === null ? [] : [{ ...hold, priorities: heldPriorities }]),
      ],
      held,
      streak:
        failed === 0
          ? null
          : { outcome: 'error', reason: 'same', message: 'The same.', ids: [1, 2, 3].slice(-failed) },
      turns: new Map(Object.entries(turns)),
      starts: [],
      costs: [],
    };
  }
}

describe('The lineup', () => {
  it('chooses what looking at every task would choose, whatever happens and however time goes', () => {
    const rows = fc.array(fc.record({ definition, state }), { minLength: 1, maxLength: MOST_TASKS });
    const looks = fc.array(fc.record({ moves: fc.array(move, { maxLength: 3 }), choice }), { maxLength: 12 });
    let chosen = 0;
    fc.assert(
      fc.property(rows, common, looks, (written, first, asked) => {
        const scene = new Scene(written, first);
        for (const look of asked) {
          look.moves.forEach((next) => scene.make(next));
          const [answer, oracle] = scene.ask(look.choice);
          assert.equal(answer, oracle);
          if (oracle !== undefined) chosen += 1;
        }
      }),
      { numRuns: 3000 },
    );
    assert.ok(chosen > 3000, `only ${String(chosen)} tasks were chosen at all`);
  });
});
