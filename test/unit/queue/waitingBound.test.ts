import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isStopped } from '../../../src/domain/order/candidates';
import { defaults } from '../../../src/domain/settings/settings';
import type { Definition, TaskId } from '../../../src/domain/task/task';
import type { Claimed } from '../../../src/queue/taskQueue';
import { Harness, repeat } from '../../conformance/harness';
import { openMemory } from '../../conformance/memorySystemUnderTest';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MOST_STARTS = 400;
/** Starts after which all others end at once. */
const PATIENCE = 50;
/** Id of the task whose wait is measured. */
const MEASURED = 100;

const settings = { ...defaults, maxPerHour: 100_000, maxPerDay: 100_000, breakerFailures: 0 };

const row = fc.record({
  priority: fc.constantFrom('critical' as const, 'high', 'medium', 'medium', 'medium', 'low'),
  user: fc.constantFrom('', '', 'ada', 'bob'),
  repeats: fc.constantFrom(null, '1m', '1m', '2h'),
  waitedHours: fc.constantFrom(0, 3, 5, 30, 30),
  maxRetries: fc.integer({ min: 1, max: 3 }),
  isBelow: fc.boolean(),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

const end = fc.record({
  outcome: fc.constantFrom(
    'success' as const,
    'success',
    'success',
    'error',
    'transient',
    'limit',
    'review',
    'blocked',
  ),
  minutes: fc.constantFrom(0, 1, 2, 7, 90),
});
type End = typeof end extends fc.Arbitrary<infer T> ? T : never;

const AT_ONCE: End = { outcome: 'success', minutes: 0 };

/** Counts the starts of others while the measured task could have started. */
class RunCounters {
  readonly starts = new Map<string, number>();
  readonly turns = new Map<TaskId, number>();
  private readonly amidTurn = new Set<TaskId>();

  begin({ definition }: Claimed): void {
    const user = definition.user ?? '';
    this.starts.set(user, (this.starts.get(user) ?? 0) + 1);
    if (!this.amidTurn.has(definition.id)) {
      this.turns.set(definition.id, (this.turns.get(definition.id) ?? 0) + 1);
    }
    this.amidTurn.add(definition.id);
  }

  /** It will wait again, or not at all. */
  endTurn(id: TaskId): void {
    this.amidTurn.delete(id);
  }
}

async function putRow(harness: Harness, id: TaskId, given: Row): Promise<void> {
  await harness.put(id, {
    priority: given.priority,
    maxRetries: given.maxRetries,
    createdAt: harness.now - given.waitedHours * HOUR,
    ...(given.user === '' ? {} : { user: given.user }),
    ...(given.repeats === null ? {} : { repeat: repeat(given.repeats) }),
  });
}

/** One worker takes the next and ends it so; the answer is what it took. */
async function work(
  harness: Harness,
  { outcome, minutes }: End,
  counters?: RunCounters,
): Promise<Claimed | null> {
  const answer = await harness.ask();
  if (answer.kind === 'idle') return null;
  if (answer.claim.id === MEASURED) return answer;
  counters?.begin(answer);
  harness.clock.advance(minutes * MINUTE);
  const signal = { kind: 'five_hour', resetAt: harness.now, message: 'limit' } as const;
  const change = await harness.finish(answer, outcome, outcome === 'limit' ? { signal } : {});
  const continues = change.status === 'pending' && change.dueCause !== 'repeat';
  if (!continues) counters?.endTurn(answer.claim.id);
  return answer;
}

const scene = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 8 }),
  before: fc.array(end, { maxLength: 12 }),
  after: fc.array(end, { minLength: 1, maxLength: 20 }),
  measured: fc.record({
    priority: fc.constantFrom('medium' as const, 'low'),
    user: fc.constantFrom('', 'ada'),
  }),
});
type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

/** Starts between the time at which the measured task counted as high and its own start. */
interface Wait {
  readonly harness: Harness;
  readonly counters: RunCounters;
  readonly countedSince: number;
  /** Tasks that had been stopped when it started. */
  readonly stopped: ReadonlySet<TaskId>;
}

async function playWait({ rows, before, after, measured }: Scene): Promise<Wait> {
  const harness = new Harness();
  harness.settings = settings;
  await harness.open(openMemory);
  const [above, below] = [rows.filter((one) => !one.isBelow), rows.filter((one) => one.isBelow)];
  for (const [index, given] of above.entries()) await putRow(harness, index + 1, given);
  // It has its place, but cannot run yet.
  await harness.put(MEASURED, definitionOf(measured, 0), { status: 'cancelled' });
  for (const [index, given] of below.entries()) await putRow(harness, MEASURED + index + 1, given);
  for (const next of before) await work(harness, next);

  const countedSince = harness.now;
  const { tasks } = await harness.queue.read();
  const stopped = new Set(tasks.filter(isStopped).map(({ definition }) => definition.id));
  await harness.put(MEASURED, definitionOf(measured, countedSince), { status: 'pending' });
  const counters = new RunCounters();
  for (let start = 0; ; start += 1) {
    assert.ok(start < MOST_STARTS, 'it never starts');
    // Critical tasks that are ready again and again would be before it for ever.
    const next = start < PATIENCE ? after[start % after.length] : undefined;
    const taken = await work(harness, next ?? AT_ONCE, counters);
    assert.ok(taken !== null, 'nothing is ready, though it should be');
    if (taken.claim.id === MEASURED) return { harness, counters, countedSince, stopped };
  }
}

/** Whether one of the same tenant, which is not critical, went before it by right. */
async function checkTurns(
  { harness, counters, countedSince, stopped }: Wait,
  tenant: string,
): Promise<number> {
  const again = Math.floor((harness.now - countedSince) / settings.mediumToHigh);
  let others = 0;
  for (const [id, turns] of counters.turns) {
    const definition = (await harness.task(id))?.definition;
    assert.ok(definition !== undefined);
    const { priority, user = '', repeat: repeats } = definition;
    if (user !== tenant || priority === 'critical') continue;
    others += 1;
    const most = repeats === undefined ? 1 : 1 + again;
    assert.ok(turns <= most, `${String(turns)} turns of ${String(id)}`);
    const isPromotedAbove = priority !== 'high' && id < MEASURED;
    assert.ok(isPromotedAbove || stopped.has(id), `${String(id)} has no right to go before it`);
  }
  return others;
}

function checkTenants({ counters }: Wait, tenant: string): void {
  const own = counters.starts.get(tenant) ?? 0;
  for (const [user, starts] of counters.starts) {
    assert.ok(user === tenant || starts <= own + 1, `"${user}" was served ${String(starts)} times`);
  }
}

function definitionOf({ priority, user }: Scene['measured'], now: number): Partial<Definition> {
  return { priority, createdAt: now - 28 * HOUR, ...(user === '' ? {} : { user }) };
}

describe('The wait of a task that counts as high because it waited', () => {
  it('is bounded: one turn of each task that was stopped or is promoted before it, and tenants take turns', async () => {
    let others = 0;
    await fc.assert(
      fc.asyncProperty(scene, async (given) => {
        const wait = await playWait(given);
        others += await checkTurns(wait, given.measured.user);
        checkTenants(wait, given.measured.user);
      }),
      { numRuns: 500 },
    );
    assert.ok(others > 50, `only ${String(others)} tasks went before one`);
  });
});
