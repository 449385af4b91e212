import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { GateBlock, GateView } from '../../src/domain/gate/gate';
import { createWorld } from '../../src/domain/reasons/world';
import type { ShownReason } from '../../src/app/present/reasons/reason';
import { PRIORITIES } from '../../src/domain/task/priority';
import type { QuietHours } from '../../src/domain/time/quietHours';
import { defaults, type Settings } from '../../src/domain/settings/settings';
import type { Definition, TaskId } from '../../src/domain/task/task';
import { Harness, HOUR, MINUTE, repeat } from '../conformance/harness';
import { openMemory } from '../conformance/memorySystemUnderTest';
import { fuzzed } from '../support/fuzz';
import { explainAsText } from '../support/queue/shownReason';

const TASKS = 4;
const GRID = 10 * MINUTE;
/** Longer waits are not played to their end. */
const LONGEST = 60 * HOUR;

const inMinutes = (most: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: most / 10 }).map((n) => n * 10);
const maybe = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const quietHours: fc.Arbitrary<QuietHours> = fc
  .record({
    from: inMinutes(1430),
    to: inMinutes(1430),
    days: fc.uniqueArray(fc.nat(6), { minLength: 1 }),
    priorities: maybe(1, fc.uniqueArray(fc.constantFrom(...PRIORITIES), { minLength: 1 })),
  })
  .map(({ priorities, ...hours }) => ({ ...hours, ...(priorities === undefined ? {} : { priorities }) }));

const settings = fc.record({
  maxRunning: fc.integer({ min: 1, max: 3 }),
  maxPerHour: fc.constantFrom(20, 20, 1, 2),
  maxPerDay: fc.constantFrom(100, 100, 2),
  nightBudget: fc.constantFrom(0, 0, 1),
  quietHours: fc.oneof(fc.constant([]), fc.array(quietHours, { minLength: 1, maxLength: 3 })),
  missedRuns: fc.constantFrom('once' as const, 'skip', 'all'),
  missedAfter: fc.constantFrom(HOUR, 20 * MINUTE),
  reserve: fc.constantFrom(0, 0, 0.2),
  reserveFor: fc.constantFrom<Settings['reserveFor']>(['critical'], []),
  spareTag: fc.constant('spare'),
});

const row = fc.record({
  priority: fc.constantFrom(...PRIORITIES),
  user: fc.constantFrom(undefined, 'ada', 'bob'),
  workingDir: fc.constantFrom('/a', '/b', '/c'),
  model: fc.constantFrom(undefined, 'opus'),
  tags: maybe(5, fc.constant(['spare'])),
  every: maybe(1, fc.constantFrom('30m', '12h', 'daily', '0 9 * * 1-5')),
  dependsOn: maybe(5, fc.integer({ min: 1, max: TASKS })),
  scheduledIn: maybe(2, inMinutes(36 * 60)),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

const block = fc.record({
  kind: fc.constantFrom('five_hour' as const, 'five_hour', 'seven_day_opus', 'overload', 'billing'),
  minutes: inMinutes(20 * 60),
  isForOpus: fc.boolean(),
  isGuessed: fc.boolean(),
});
const gate = fc.record({
  closures: fc.array(block, { maxLength: 2 }),
  usage: maybe(2, fc.record({ five: fc.constantFrom(0.3, 0.9), week: fc.constantFrom(0.1, 0.9) })),
});

const move = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: inMinutes(400) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('run' as const),
      outcome: fc.constantFrom('success' as const, 'success', 'error', 'limit'),
      minutes: inMinutes(60),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave running' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hold' as const), isForLow: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

const world = fc.record({
  settings,
  gate,
  rows: fc.array(row, { minLength: 1, maxLength: TASKS }),
  moves: fc.array(move, { maxLength: 8 }),
  /** Whether workers look at the queue until then; else one comes only at that time. */
  isWatched: fc.boolean(),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** One queue in memory, and time that only the test moves. */
class Play {
  readonly harness = new Harness();
  private gate: GateView = { closures: [], usage: [] };

  async open(given: World): Promise<void> {
    const { harness } = this;
    await harness.open(openMemory);
    harness.settings = { ...defaults, ...given.settings };
    this.gate = gateOf(given.gate, harness.now);
    for (const [index, one] of given.rows.entries()) await this.put(index + 1, one, given.rows.length);
    for (const one of given.moves) await this.make(one);
  }

  async explain(id: TaskId): Promise<ShownReason> {
    const { settings: rules, approvedRows, now, queue } = this.harness;
    const seen = createWorld({
      queue: await queue.read(),
      gate: this.gate,
      approvedRows,
      settings: rules,
      now,
      timeZone: 'UTC',
    });
    const task = seen.byId.get(id);
    assert.ok(task);
    return explainAsText(task, seen);
  }

  /** Whether the task starts now, where no other may. */
  async starts(id: TaskId): Promise<boolean> {
    return (await this.harness.ask({ id, gate: this.gate })).kind === 'claimed';
  }

  /** Whether nobody runs anything: then there is a slot for it. */
  async hasSlot(): Promise<boolean> {
    return (await this.harness.queue.read()).claims.length === 0;
  }

  private async put(
    id: TaskId,
    { every, dependsOn, scheduledIn, user, model, tags, ...fields }: Row,
    of: number,
  ): Promise<void> {
    const definition: Partial<Definition> = {
      ...fields,
      ...(user === undefined ? {} : { user }),
      ...(model === undefined ? {} : { model }),
      ...(tags === undefined ? {} : { tags }),
      ...(every === undefined ? {} : { repeat: repeat(every) }),
      dependencies: dependsOn === undefined || dependsOn >= id || dependsOn > of ? [] : [dependsOn],
    };
    const scheduledAt = scheduledIn === undefined ? null : this.harness.now + scheduledIn * MINUTE;
    await this.harness.put(id, definition, scheduledAt === null ? {} : { scheduledAt });
  }

  private async make(one: Move): Promise<void> {
    const { harness } = this;
    if (one.kind === 'wait') harness.clock.advance(one.minutes * MINUTE);
    else if (one.kind === 'leave running') await harness.ask({ gate: this.gate });
    else if (one.kind === 'resume') await harness.queue.resume(harness.op());
    else if (one.kind === 'hold') {
      await harness.queue.hold(
        { by: 'person', why: 'lunch', ...(one.isForLow ? { priorities: ['low'] } : {}) },
        harness.op(),
      );
    } else await this.run(one);
  }

  private async run({ outcome, minutes }: Extract<Move, { readonly kind: 'run' }>): Promise<void> {
    const { harness } = this;
    const claimed = await harness.ask({ gate: this.gate });
    if (claimed.kind === 'idle') return;
    harness.clock.advance(minutes * MINUTE);
    const signal = { kind: 'five_hour', resetAt: harness.now + HOUR, message: '' } as const;
    const { change, attempt } = await harness.endOf(claimed, outcome, outcome === 'limit' ? { signal } : {});
    const end = { change, attempt: { ...attempt, costUsd: 1 }, definition: claimed.definition };
    await harness.queue.finish(claimed.claim, end, harness.op());
  }
}

function gateOf({ closures, usage }: World['gate'], now: number): GateView {
  return {
    closures: closures.map(({ kind, minutes, isForOpus, isGuessed }): GateBlock => ({
      kind,
      since: now,
      until: kind === 'billing' ? null : now + minutes * MINUTE,
      message: '',
      ...(isForOpus ? { model: 'opus' } : {}),
      ...(isGuessed ? { guessed: true } : {}),
    })),
    usage:
      usage === undefined
        ? []
        : [
            { window: 'five_hour', utilization: usage.five, resetAt: now + 4 * HOUR, asOf: now },
            { window: 'seven_day', utilization: usage.week, resetAt: now + 50 * HOUR, asOf: now },
          ],
  };
}

/** Plays the world until the task may start; says whether that was seen. */
async function playUntilStart(given: World, id: TaskId): Promise<boolean> {
  const play = new Play();
  await play.open(given);
  const { harness } = play;
  const { until, text } = await play.explain(id);
  if (until === undefined || until - harness.now > LONGEST) return false;
  assert.ok(until > harness.now, text);
  const reported = `"${text}", at ${new Date(harness.now).toISOString()}`;
  if (given.isWatched) await watchUntil(until, play, id, reported);
  harness.clock.advance(until - harness.now);
  if (!(await play.hasSlot())) return false;
  assert.equal(
    await play.starts(id),
    true,
    `${reported}, but did not start: "${(await play.explain(id)).text}"`,
  );
  return true;
}

/** Workers look at the queue, and the task does not start. */
async function watchUntil(until: number, play: Play, id: TaskId, reported: string): Promise<void> {
  const { harness } = play;
  // Workers look again and again; what they do at a look must not depend on how often they do.
  for (let at = Math.ceil(harness.now / GRID) * GRID; at < until; at += GRID) {
    for (const look of [at, at + 1]) {
      if (look <= harness.now || look >= until) continue;
      harness.clock.advance(look - harness.now);
      assert.equal(
        await play.starts(id),
        false,
        `${reported}, but started at ${new Date(look).toISOString()}`,
      );
    }
  }
  if (until - 1 > harness.now) harness.clock.advance(until - 1 - harness.now);
  assert.equal(await play.starts(id), false, `${reported}, but started a moment earlier`);
}

describe('The earliest start that a reason names', () => {
  it('is when the task starts if a slot is free, and never later', async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        for (const [index] of given.rows.entries()) if (await playUntilStart(given, index + 1)) seen += 1;
      }),
      fuzzed(80, 6000),
    );
    assert.ok(seen > 20, `only ${String(seen)} starts were waited for`);
  });
});
