import assert from 'node:assert/strict';
import type { AttemptPlan } from '../../../../src/app/simulate/pastAttempts';
import {
  simulateNight,
  type NightPlan,
  type SimulatedNight,
  type SimulatedWorker,
} from '../../../../src/app/simulate/simulatedNight';
import { OPEN_GATE } from '../../../../src/domain/gate/gate';
import type { Attempt } from '../../../../src/domain/task/attempt';
import { PRIORITIES } from '../../../../src/domain/task/priority';
import type { Definition } from '../../../../src/domain/task/task';
import { QueuePaths } from '../../../../src/queue/queuePaths';
import { work } from '../../../../src/worker/work';
import {
  Harness,
  HOUR_MS,
  MACHINE,
  MINUTE_MS,
  type Script,
  type ShortVerdict,
} from '../../../support/queue/workerHarness';

const TRUSTED = { trusted: true, approvals: new Set<string>() };
const ONE: SimulatedWorker = { choice: {}, slots: { min: 1, max: 1 }, running: [] };

/** A plan of N minutes. */
const minutes = (amount: number, more: Partial<AttemptPlan> = {}): AttemptPlan => ({
  ...{ ms: amount * MINUTE_MS, outcome: 'success', reason: 'done', costUsd: 0, used: {} },
  ...more,
});

function night(harness: Harness, more: Partial<NightPlan> = {}): NightPlan {
  const from = harness.clock.now();
  return {
    copyQueue: (clock) => harness.queue.copy(clock, (definition) => definition),
    approvedRows: TRUSTED,
    rules: { settings: harness.settings, timeZone: 'UTC' },
    gate: harness.gate.now,
    workers: [ONE],
    paths: new QueuePaths(`${harness.folder}/prompts.csv`),
    machine: MACHINE,
    from,
    until: from + 24 * HOUR_MS,
    ...more,
  };
}

/** Simulates with one plan for every attempt, or a plan by the task's id. */
const simulated = (
  harness: Harness,
  plan: AttemptPlan | ((id: number, attempts: number) => AttemptPlan),
  more: Partial<NightPlan> = {},
): Promise<SimulatedNight> => {
  const counts = new Map<number, number>();
  return simulateNight(night(harness, more), 1, () => ({ definition: { id } }) => {
    const earlier = counts.get(id) ?? 0;
    counts.set(id, earlier + 1);
    return typeof plan === 'function' ? plan(id, earlier) : plan;
  });
};

const diaryOf = (harness: Harness, attempts: readonly Attempt[]): string[] =>
  attempts.map(({ id, startedAt }) => `${harness.timeOf(startedAt)} ${id}`);

describe('A simulated night', () => {
  it('runs tasks in the order of the real worker, and changes nothing', async () => {
    const harness = new Harness();
    for (const [id, priority] of [
      [1, 'low'],
      [2, 'high'],
      [3, 'medium'],
    ] as const)
      harness.put(id, { priority });
    harness.put(4, { dependencies: [2] });
    const { attempts } = await simulated(harness, minutes(30));
    assert.deepEqual(diaryOf(harness, attempts), ['18:00 2', '18:30 3', '19:00 4', '19:30 1']);
    assert.deepEqual(await harness.queue.attempts({}), []);
    assert.deepEqual(await harness.claims(), []);
  });

  it('continues after the reset with the rest of an attempt that reached a limit', async () => {
    const harness = new Harness({ openAfterReset: MINUTE_MS });
    harness.put(1);
    const usage = {
      window: 'five_hour',
      utilization: 0.5,
      resetAt: harness.clock.now() + 2 * HOUR_MS,
    } as const;
    const gate = { ...OPEN_GATE, usage: [{ ...usage, asOf: harness.clock.now() }] };
    const { attempts } = await simulated(harness, minutes(60, { used: { five_hour: 1 } }), { gate });
    assert.deepEqual(
      attempts.map(({ outcome, startedAt, endedAt }) => [
        outcome,
        harness.timeOf(startedAt),
        harness.timeOf(endedAt),
      ]),
      [
        ['limit', '18:00', '18:30'],
        ['success', '20:01', '20:31'],
      ],
    );
  });

  it('ends an attempt at its time limit as an error, and its retry continues with the rest', async () => {
    const harness = new Harness({ retryJitter: 0, retryBackoff: MINUTE_MS });
    harness.put(1, { timeoutMs: 20 * MINUTE_MS, maxRetries: 3 });
    const { attempts } = await simulated(harness, minutes(30, { costUsd: 3 }));
    assert.deepEqual(
      attempts.map(({ reason, endedAt, costUsd }) => [reason, harness.timeOf(endedAt), costUsd]),
      [
        ['timeout', '18:20', 2],
        ['done', '18:31', 1],
      ],
    );
  });

  it('fails a task that each attempt leaves unfinished at its time limit', async () => {
    const harness = new Harness({ retryJitter: 0, retryBackoff: MINUTE_MS });
    harness.put(1, { timeoutMs: 20 * MINUTE_MS, maxRetries: 2 });
    const { attempts, end } = await simulated(harness, minutes(50));
    assert.deepEqual(
      attempts.map(({ outcome }) => outcome),
      ['error', 'error'],
    );
    assert.equal(end.tasks[0]?.state.status, 'failed');
  });

  it('starts the work anew in the next run of a repeating task whose last one failed', async () => {
    const harness = new Harness();
    const repeat = { kind: 'every', text: '6h', everyMs: 6 * HOUR_MS } as const;
    harness.put(1, { timeoutMs: 20 * MINUTE_MS, maxRetries: 1, repeat });
    const { attempts } = await simulated(harness, minutes(30));
    assert.ok(attempts.length > 2);
    assert.deepEqual([...new Set(attempts.map(({ reason }) => reason))], ['timeout']);
  });

  it('starts nothing from its end on, and lets run what runs', async () => {
    const harness = new Harness();
    harness.put(1);
    harness.put(2);
    const until = harness.clock.now() + 10 * MINUTE_MS;
    const { attempts, end } = await simulated(harness, minutes(30), { until });
    assert.deepEqual(diaryOf(harness, attempts), ['18:00 1']);
    assert.deepEqual(end.holds, []);
  });

  it('stops what runs when it starts for a critical task, and continues with its rest', async () => {
    const harness = new Harness({ preempt: 'critical' });
    harness.put(1, { priority: 'low' });
    const request = { gate: OPEN_GATE, approvedRows: TRUSTED, settings: harness.settings, timeZone: 'UTC' };
    const { owner } = harness.createWorker();
    const since = harness.clock.now();
    const claimed = await harness.queue.claim({ ...request, owner, since, freshSession: 's' }, 'op');
    assert.ok(claimed.kind === 'claimed');
    const scheduledAt = since + 10 * MINUTE_MS;
    harness.store.put(harness.put(2, { priority: 'critical' }), { scheduledAt });
    const { attempts } = await simulated(harness, minutes(30), { workers: [{ ...ONE, running: [claimed] }] });
    assert.deepEqual(diaryOf(harness, attempts), ['18:00 1', '18:10 2', '18:40 1']);
    assert.deepEqual(
      attempts.map(({ reason, note }) => [reason, note]),
      [
        ['made-way', { kind: 'made-way', for: 2 }],
        ['done', undefined],
        ['done', undefined],
      ],
    );
    assert.equal(harness.timeOf(attempts.at(-1)?.endedAt ?? 0), '19:00', 'twenty minutes were left');
  });

  it('lets what runs when it starts end with the rest of its time, and keeps its slot until then', async () => {
    const harness = new Harness();
    const definition = harness.put(1);
    harness.put(2);
    const request = { gate: OPEN_GATE, approvedRows: TRUSTED, settings: harness.settings, timeZone: 'UTC' };
    const { owner } = harness.createWorker();
    const since = harness.clock.now();
    const claimed = await harness.queue.claim({ ...request, owner, since, freshSession: 's' }, 'op');
    assert.ok(claimed.kind === 'claimed' && claimed.definition === definition);
    await harness.clock.runFor(5 * MINUTE_MS);
    const { attempts } = await simulated(harness, minutes(30), { workers: [{ ...ONE, running: [claimed] }] });
    assert.deepEqual(diaryOf(harness, attempts), ['18:00 1', '18:30 2']);
  });

  it('ends after the starts that were asked for, and lets run what runs', async () => {
    const harness = new Harness();
    for (const id of [1, 2, 3]) harness.put(id);
    const { attempts } = await simulated(harness, minutes(30), { mostStarts: 2 });
    assert.deepEqual(
      attempts.map(({ id, outcome }) => [id, outcome]),
      [
        [1, 'success'],
        [2, 'success'],
      ],
    );
  });

  it('ends after the starts that were asked for, also of a task that repeats', async () => {
    const harness = new Harness();
    harness.put(1, { priority: 'critical', repeat: { kind: 'every', text: '1m', everyMs: MINUTE_MS } });
    harness.put(2, { priority: 'low' });
    const { attempts } = await simulated(harness, minutes(2), { mostStarts: 3 });
    assert.deepEqual(
      attempts.map(({ id }) => id),
      [1, 2, 1],
    );
  });

  it('starts nothing that is not approved', async () => {
    const harness = new Harness();
    harness.put(1);
    const approvedRows = { trusted: false, approvals: new Set<string>() };
    const { attempts } = await simulated(harness, minutes(30), { approvedRows });
    assert.deepEqual(attempts, []);
  });

  it('agrees with the real worker: 200 tasks, dependencies, repeats, errors, two pools and three limits', async () => {
    const settings = {
      retryJitter: 0,
      retryBackoff: 45_000,
      maxPerHour: 1_000,
      maxPerDay: 10_000,
      maxRunning: 3,
      openAfterReset: MINUTE_MS,
    };
    const harness = new Harness(settings);
    const rows = new Map<number, Definition>();
    for (let id = 1; id <= 200; id++) rows.set(id, harness.put(id, describeRow(id)));
    const from = harness.clock.now();
    const real = await playReal(harness, POOLS, from + 24 * HOUR_MS);
    const fresh = new Harness(settings);
    for (const definition of rows.values()) fresh.store.put(definition);
    const { attempts } = await simulated(fresh, planRow, { workers: POOLS });
    const limits = new Set(real.flatMap(({ closedSince }) => closedSince ?? []));
    assert.ok(limits.size >= 3, `${limits.size} limits`);
    assert.ok(real.length > 180, `${real.length} attempts`);
    for (const { choice } of POOLS)
      assertSameStarts(startsOf(attempts, rows, choice), startsOf(real, rows, choice));
  });
});

const POOLS: readonly SimulatedWorker[] = [
  { pool: 'fast', choice: { priorities: ['critical', 'high'] }, slots: { min: 1, max: 1 }, running: [] },
  { pool: 'slow', choice: { priorities: ['medium', 'low'] }, slots: { min: 2, max: 2 }, running: [] },
];

/** Every tenth task waits for the one before it; two repeat. */
function describeRow(id: number): Partial<Definition> {
  const priority = PRIORITIES[id % 4] ?? 'low';
  return {
    priority,
    // One attempt at a time in each directory.
    workingDir: `/nowhere/${id}`,
    maxRetries: 3,
    ...(id % 10 === 0 ? { dependencies: [id - 1] } : {}),
    ...(id === 50 || id === 151 ? { repeat: { kind: 'every', text: '6h', everyMs: 6 * HOUR_MS } } : {}),
  };
}

/** A fortieth of a window for each attempt; every thirteenth task fails at first. */
function planRow(id: number, earlier: number): AttemptPlan {
  const used = { five_hour: 1 / 40 };
  if (id % 13 === 5 && earlier === 0) return minutes(4, { outcome: 'error', reason: 'exit', used });
  return minutes(10 + (id % 7), { used });
}

/** Time between two requests of an attempt, in ms. */
const REQUEST_MS = 1_000;

/** An account with a 5-hour window that every request fills a little. It refuses requests once it is used up. */
class Account {
  private used = 0;
  private resetAt = 0;
  /** Work of attempts that a limit stopped. */
  private readonly rests = new Map<number, AttemptPlan>();
  private readonly counts = new Map<number, number>();

  /** Plays an attempt as Claude Code does. */
  readonly play: Script = async ({ id, clock, admitted }, stop): Promise<ShortVerdict> => {
    const plan = this.rests.get(id) ?? planRow(id, this.count(id));
    this.rests.delete(id);
    const share = ((plan.used.five_hour ?? 0) * REQUEST_MS) / plan.ms;
    admitted();
    for (let doneMs = 0; doneMs < plan.ms; doneMs += REQUEST_MS) {
      const now = clock.now();
      if (this.resetAt <= now) [this.used, this.resetAt] = [0, now + 5 * HOUR_MS];
      if (this.used >= 1 - share / 2) {
        this.rests.set(id, withRest(plan, doneMs));
        const signal = { kind: 'five_hour', resetAt: this.resetAt, message: 'Limit.' } as const;
        return { outcome: 'limit', reason: 'five_hour', signal };
      }
      this.used += share;
      await clock.sleep(Math.min(REQUEST_MS, plan.ms - doneMs), stop);
    }
    return { outcome: plan.outcome, reason: plan.reason };
  };

  private count(id: number): number {
    const earlier = this.counts.get(id) ?? 0;
    this.counts.set(id, earlier + 1);
    return earlier;
  }
}

function withRest(plan: AttemptPlan, doneMs: number): AttemptPlan {
  const used = { five_hour: (plan.used.five_hour ?? 0) * (1 - doneMs / plan.ms) };
  return { ...plan, ms: plan.ms - doneMs, used };
}

/** Every change rings: looks between them find nothing, and take the test most of its time. */
const RARE_LOOKS = { lookAgainMs: HOUR_MS, heartbeatMs: HOUR_MS };

/** Runs the real workers until then, and returns their attempts. */
async function playReal(
  harness: Harness,
  workers: readonly SimulatedWorker[],
  until: number,
): Promise<readonly Attempt[]> {
  const account = new Account();
  for (const { definition } of (await harness.queue.read()).tasks)
    harness.scripts.set(definition.id, account.play);
  const drain = new AbortController();
  const never = new AbortController().signal;
  const end = harness.clock.sleep(until - harness.clock.now()).then(() => {
    drain.abort();
  });
  const works = workers.map(({ choice, slots }) =>
    work(harness.createWorker({ ...RARE_LOOKS, choice, slots }), { drainSignal: drain.signal }, never),
  );
  await harness.clock.run(Promise.all([end, ...works]));
  return harness.queue.attempts({});
}

/** Attempts of a pool, in the order of their starts. */
function startsOf(
  attempts: readonly Attempt[],
  rows: ReadonlyMap<number, Definition>,
  { priorities = [] }: SimulatedWorker['choice'],
): readonly Attempt[] {
  const own = attempts.filter(({ id }) => priorities.includes(rows.get(id)?.priority ?? 'low'));
  return own.toSorted((one, other) => one.startedAt - other.startedAt || one.id - other.id);
}

/** Same tasks with the same outcomes in the same order, at times that differ by less than a minute. */
function assertSameStarts(one: readonly Attempt[], other: readonly Attempt[]): void {
  const name = ({ id, outcome }: Attempt): string => `${id} ${outcome}`;
  assert.deepEqual(one.map(name), other.map(name));
  const apart = one.map(({ startedAt }, index) => Math.abs(startedAt - (other[index]?.startedAt ?? 0)));
  assert.ok(Math.max(...apart) < MINUTE_MS, `${Math.max(...apart)} ms apart`);
}
