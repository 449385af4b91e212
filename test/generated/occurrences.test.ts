import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { formatMissed } from '../../src/app/present/reasons/amounts';
import { createWorld } from '../../src/domain/reasons/world';
import { OPEN_GATE } from '../../src/domain/gate/gate';
import { occurrencesOf, type Occurrence } from '../../src/domain/time/occurrences';
import type { SkipCause } from '../../src/domain/time/skippedTimes';
import { nextTime } from '../../src/domain/time/schedule';
import { defaults } from '../../src/domain/settings/settings';
import type { TaskState } from '../../src/domain/queue/view';
import { Harness, HOUR, MINUTE, repeat } from '../conformance/harness';
import { openMemory } from '../conformance/memorySystemUnderTest';
import { fuzzed } from '../support/fuzz';

const ID = 1;

const move = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 2000 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('run' as const, 'run', 'run now'),
      outcome: fc.constantFrom('success' as const, 'success', 'error', 'limit', 'review'),
      // Two runs of no length at one instant have the same due time.
      minutes: fc.integer({ min: 1, max: 200 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('hold' as const, 'resume', 'look', 'retry') }),
  },
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;
type Run = Extract<Move, { readonly outcome: unknown }>;

const world = fc.record({
  every: fc.constantFrom(undefined, '30m', '12h', 'daily', '0 * * * *', '*/20 * * * *', '0 9 * * 1-5'),
  scheduledIn: fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined }),
  missedRuns: fc.constantFrom('once' as const, 'skip', 'all'),
  missedRunsMax: fc.integer({ min: 1, max: 4 }),
  missedAfter: fc.constantFrom(HOUR, 10 * MINUTE),
  moves: fc.array(move, { maxLength: 14 }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Causes of times that were skipped because they were missed. */
const MISSED: readonly SkipCause[] = ['skipped', 'merged', 'caught-up'];

/** A queue of one task with downtimes, and the times at which that task was due by the plainest reckoning. */
class Play {
  private readonly harness = new Harness();
  private readonly due: number[] = [];
  /** When the queue was paused and resumed, in turn. */
  private readonly pauses: number[] = [];
  /** When the turn that is not over started to run. */
  private occurrenceSince: number | null = null;
  private isCatchUp = false;
  /** Due time of a turn that the user retried before it started: its next time, or then if that was later. */
  private retriedFrom: number | null = null;

  constructor(private readonly given: World) {}

  async open(): Promise<void> {
    const { harness, given } = this;
    await harness.open(openMemory);
    const { missedRuns, missedRunsMax, missedAfter, every, scheduledIn } = given;
    harness.settings = {
      ...defaults,
      missedRuns,
      missedRunsMax,
      missedAfter,
      maxPerHour: 1000,
      maxPerDay: 1000,
    };
    const at = scheduledIn === undefined ? {} : { scheduledAt: harness.now + scheduledIn * MINUTE };
    await harness.put(ID, every === undefined ? {} : { repeat: repeat(every) }, at);
    for (const one of given.moves) await this.make(one);
  }

  /** Each due time is in exactly one record. */
  async check(): Promise<void> {
    const { harness } = this;
    this.noteDue(await harness.state(ID));
    if (this.occurrenceSince !== null) this.noteBusy(this.occurrenceSince, harness.now);
    const { settings, approvedRows, now, queue } = harness;
    const seen = createWorld({
      queue: await queue.read(),
      gate: OPEN_GATE,
      approvedRows,
      settings,
      now,
      timeZone: 'UTC',
    });
    const task = seen.byId.get(ID);
    assert.ok(task);
    const attempts = [...(await queue.attempts({ id: ID }))].reverse();
    const records = occurrencesOf(task, attempts, seen);
    const reported = records.flatMap((record) => this.timesOf(record)).sort((a, b) => a - b);
    const due = [...this.due].sort((a, b) => a - b);
    assert.deepEqual(reported.map(iso), due.map(iso), JSON.stringify(records));
    for (const record of records) for (const at of this.timesOf(record)) this.checkPause(record, at);
  }

  get seen(): number {
    return this.due.length;
  }

  private async make(one: Move): Promise<void> {
    const { harness } = this;
    if ('outcome' in one) await this.run(one);
    else if (one.kind === 'wait') harness.clock.advance(one.minutes * MINUTE);
    else if (one.kind === 'hold') await this.pause();
    else if (one.kind === 'resume') await this.resume();
    else if (one.kind === 'retry') await this.retry();
    else await this.look();
  }

  private async pause(): Promise<void> {
    const { harness, pauses } = this;
    if (pauses.length % 2 === 0) pauses.push(harness.now);
    await harness.queue.hold({ by: 'person', why: 'lunch' }, harness.op());
  }

  private async resume(): Promise<void> {
    const { harness, pauses } = this;
    if (pauses.length % 2 === 1) pauses.push(harness.now);
    await harness.queue.resume(harness.op());
  }

  /** The user wants the next turn at once. */
  private async retry(): Promise<void> {
    const { harness } = this;
    const { dueCause, dueAt } = await harness.state(ID);
    if (dueCause !== 'repeat' || dueAt === null) return;
    await harness.queue.command(ID, 'retry', harness.op());
    this.retriedFrom = Math.min(dueAt, harness.now);
  }

  /** A time that was skipped before its run started names the pause in which it went by, and no other does. */
  private checkPause({ end }: Occurrence, at: number): void {
    if (end.kind !== 'skipped' || !MISSED.includes(end.why)) return;
    const isPaused = this.pauses.filter((border) => border <= at).length % 2 === 1;
    assert.equal(end.pause, isPaused ? 'lunch' : undefined, iso(at));
  }

  /** A worker that finds nothing to do, since another task is to be done first. */
  private async look(): Promise<void> {
    const before = await this.harness.state(ID);
    await this.harness.ask({ priorities: [] });
    await this.noteSettled(before);
  }

  private async run({ kind, outcome, minutes }: Run): Promise<void> {
    const { harness } = this;
    const before = await harness.state(ID);
    const isNow = kind === 'run now' && before.status === 'pending';
    const claimed = await harness.ask(isNow ? { id: ID, override: { time: true } } : {});
    if (claimed.kind === 'idle') return this.noteSettled(before);
    if (this.occurrenceSince === null) this.noteStarted(before);
    this.occurrenceSince ??= harness.now;
    harness.clock.advance(minutes * MINUTE);
    const signal = { kind: 'five_hour', resetAt: harness.now + HOUR, message: '' } as const;
    const change = await harness.finish(claimed, outcome, outcome === 'limit' ? { signal } : {});
    if (change.status === 'pending' && change.dueCause !== 'repeat') return;
    this.noteBusy(this.occurrenceSince, harness.now);
    this.occurrenceSince = null;
    this.isCatchUp = change.dueCause === 'repeat' && change.dueAt === harness.now;
  }

  private noteStarted(before: TaskState): void {
    const { now } = this.harness;
    this.noteDue(before);
    const wasRetried = this.retriedFrom !== null;
    this.retriedFrom = null;
    if (wasRetried) return;
    const isSettled = this.given.missedRuns === 'skip' && this.areAllMissed(before.dueAt ?? now);
    const isEarly =
      before.dueCause === 'repeat' ? (before.dueAt ?? 0) > now : (before.ownerScheduledAt ?? 0) > now;
    const hasTime = this.given.every !== undefined || before.ownerScheduledAt !== null;
    if (hasTime && (isEarly || (before.dueCause === 'repeat' && isSettled))) this.due.push(now);
  }

  /** Whether no time from this one on is still to be run: each is missed, or has not come. */
  private areAllMissed(from: number): boolean {
    const { every, missedAfter } = this.given;
    const { now } = this.harness;
    if (every === undefined) return false;
    for (let at = from; at <= now; at = nextTime(repeat(every), at, 'UTC'))
      if (now - at <= missedAfter) return false;
    return true;
  }

  /** The times of a turn that has not started, up to now. */
  private noteDue({ dueCause, dueAt, ownerScheduledAt, firstSeenAt, status }: TaskState): void {
    const { now } = this.harness;
    if (this.occurrenceSince !== null || status !== 'pending') return;
    if (this.retriedFrom !== null) this.noteGrid(this.retriedFrom, now);
    else if (dueCause === 'repeat') this.noteGrid(dueAt ?? Infinity, now);
    else {
      const first = ownerScheduledAt ?? (this.given.every === undefined ? Infinity : firstSeenAt);
      if (first <= now) this.due.push(first);
    }
  }

  private async noteSettled(before: TaskState): Promise<void> {
    const { dueAt } = await this.harness.state(ID);
    if (before.dueCause !== 'repeat' || before.dueAt === null || dueAt === before.dueAt) return;
    this.noteGrid(before.dueAt, (dueAt ?? 0) - 1);
    this.isCatchUp = false;
  }

  private noteGrid(from: number, until: number): void {
    const { every } = this.given;
    if (every === undefined) return;
    for (let at = from; at <= until; at = nextTime(repeat(every), at, 'UTC')) {
      if (at !== from || !this.isCatchUp) this.due.push(at);
    }
  }

  private noteBusy(after: number, until: number): void {
    const { every } = this.given;
    if (every?.includes('*') !== true) return;
    for (let at = nextTime(repeat(every), after, 'UTC'); at <= until; at = nextTime(repeat(every), at, 'UTC'))
      this.due.push(at);
  }

  private timesOf({ dueAt, lastDueAt, count }: Occurrence): number[] {
    const { every } = this.given;
    const times = [dueAt];
    while (times.length < count) {
      assert.ok(every !== undefined);
      times.push(nextTime(repeat(every), times.at(-1) ?? 0, 'UTC'));
    }
    assert.equal(times.at(-1), lastDueAt);
    return times;
  }
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

describe('Each due time of a repeating or scheduled task', () => {
  for (const [before, now, passed] of [
    ['0 18 * * *', '*/10 * * * *', []],
    ['30m', '*/10 * * * *', []],
    ['*/10 * * * *', '0 18 * * *', ['2026-03-02T10:10:00.000Z']],
    ['*/10 * * * *', undefined, ['2026-03-02T10:10:00.000Z']],
  ] as const)
    it(`is one of the interval of then, not of a later edit: ${before}, now ${now ?? 'none'}`, async () => {
      const harness = new Harness();
      await harness.open(openMemory);
      await harness.put(ID, { repeat: repeat(before) });
      const claimed = await harness.ask();
      assert.ok(claimed.kind === 'claimed');
      harness.clock.advance(15 * MINUTE);
      await harness.finish(claimed, 'success');
      await harness.put(ID, now === undefined ? {} : { repeat: repeat(now) });
      const { settings, approvedRows, queue } = harness;
      const rules = { gate: OPEN_GATE, approvedRows, settings, now: harness.now, timeZone: 'UTC' };
      const seen = createWorld({ queue: await queue.read(), ...rules });
      const task = seen.byId.get(ID) ?? assert.fail();
      const records = occurrencesOf(task, await queue.attempts({ id: ID }), seen);
      const busy = records.filter(({ end }) => end.kind === 'skipped' && end.why === 'busy');
      assert.deepEqual(
        busy.map(({ dueAt, count }) => [iso(dueAt), count]),
        passed.map((at) => [at, 1]),
      );
    });

  it('is counted up to a maximum, and not said to be exact beyond it', async () => {
    const harness = new Harness();
    await harness.open(openMemory);
    await harness.put(ID, { repeat: repeat('* * * * *') });
    const first = await harness.ask();
    assert.ok(first.kind === 'claimed');
    await harness.finish(first, 'success');
    harness.clock.advance(100 * HOUR);
    const late = await harness.ask();
    assert.ok(late.kind === 'claimed');
    const [merged = assert.fail()] = late.claim.skipped ?? [];
    assert.match(formatMissed(merged.count), /^at least 1000$/);
  });

  it('has exactly one record: it ran, was skipped, or waits', async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const play = new Play(given);
        await play.open();
        await play.check();
        seen += play.seen;
      }),
      fuzzed(80, 10_000),
    );
    assert.ok(seen > 100, `only ${String(seen)} times were due`);
  });
});
