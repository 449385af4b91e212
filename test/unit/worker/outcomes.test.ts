import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/domain/task/attempt';
import type { Definition } from '../../../src/domain/task/task';
import type { TaskState } from '../../../src/domain/queue/view';
import { runOne } from '../../../src/worker/runOne';
import type { RowAtEnd, WorkerEvents } from '../../../src/worker/workerDeps';
import {
  Harness,
  EVENING,
  HOUR_MS,
  MINUTE_MS,
  SUCCESS,
  taking,
  type ShortVerdict,
} from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;
const DAILY = { kind: 'every', text: 'daily', everyMs: 24 * HOUR_MS } as const;
/** Every run here takes a minute. */
const ENDED = EVENING + MINUTE_MS;

interface Row {
  readonly title: string;
  readonly verdict: ShortVerdict;
  readonly definition?: Partial<Definition>;
  readonly retryCount?: number;
  readonly state: Partial<TaskState>;
  readonly code: number;
}

const LIMIT: ShortVerdict = {
  outcome: 'limit',
  reason: 'five_hour',
  signal: { kind: 'five_hour', resetAt: EVENING + 3 * HOUR_MS, message: 'limit' },
};

const TABLE: readonly Row[] = [
  {
    title: 'a success completes its task',
    verdict: { outcome: 'success', reason: 'done' },
    retryCount: 1,
    state: { status: 'completed', lastSuccessAt: ENDED, session: null, resume: null, dueAt: null },
    code: 0,
  },
  {
    title: 'a success of a repeating task makes it pending until its next time, its retries from 0',
    verdict: { outcome: 'success', reason: 'done' },
    definition: { repeat: DAILY },
    retryCount: 2,
    state: {
      status: 'pending',
      retryCount: 0,
      dueAt: ENDED + 24 * HOUR_MS,
      dueCause: 'repeat',
      lastSuccessAt: ENDED,
    },
    code: 0,
  },
  {
    title: 'a review waits for the user and keeps its session',
    verdict: { outcome: 'review', reason: 'denied' },
    state: { status: 'review', resume: 'retry', lastSuccessAt: null, retryCount: 0 },
    code: 0,
  },
  {
    title: 'a review of a repeating task keeps its schedule',
    verdict: { outcome: 'review', reason: 'denied' },
    definition: { repeat: DAILY },
    state: { status: 'pending', dueAt: ENDED + 24 * HOUR_MS, dueCause: 'repeat', lastSuccessAt: null },
    code: 0,
  },
  {
    title: 'an error is counted and tried again after half a minute',
    verdict: { outcome: 'error', reason: 'failed' },
    state: { status: 'pending', retryCount: 1, dueAt: ENDED + 30_000, dueCause: 'retry', resume: 'retry' },
    code: 1,
  },
  {
    title: 'a second error waits twice as long',
    verdict: { outcome: 'error', reason: 'timeout' },
    retryCount: 1,
    state: { status: 'pending', retryCount: 2, dueAt: ENDED + 60_000 },
    code: 1,
  },
  {
    title: 'the last error gives the task up',
    verdict: { outcome: 'error', reason: 'failed' },
    retryCount: 2,
    state: { status: 'failed', retryCount: 3, dueAt: null },
    code: 3,
  },
  {
    title: 'the last error of a repeating task lets it wait for its next time',
    verdict: { outcome: 'error', reason: 'failed' },
    definition: { repeat: DAILY, maxRetries: 1 },
    state: { status: 'pending', retryCount: 0, dueAt: ENDED + 24 * HOUR_MS, dueCause: 'repeat' },
    code: 3,
  },
  {
    title: 'a passing failure is tried again and not counted',
    verdict: { outcome: 'transient', reason: 'overloaded' },
    state: { status: 'pending', retryCount: 0, dueAt: ENDED + 30_000, transientInRow: 1, resume: 'retry' },
    code: 1,
  },
  {
    title: 'a limit counts nothing and keeps the session for after the reset',
    verdict: LIMIT,
    retryCount: 1,
    state: {
      status: 'pending',
      retryCount: 1,
      dueAt: EVENING + 3 * HOUR_MS,
      dueCause: 'limit',
      resume: 'limit',
    },
    code: 2,
  },
  {
    title: 'a limit without a reset is taken to last four and a half hours',
    verdict: { outcome: 'limit', reason: 'unknown', signal: { kind: 'unknown', resetAt: null, message: '' } },
    state: { status: 'pending', dueAt: ENDED + 4.5 * HOUR_MS, dueCause: 'limit' },
    code: 2,
  },
  {
    title: 'a sign-in that is missing is not the task’s fault',
    verdict: {
      outcome: 'blocked',
      reason: 'auth',
      signal: { kind: 'sign-in', resetAt: null, message: 'Please run /login' },
    },
    state: { status: 'pending', retryCount: 0, dueAt: null, resume: 'blocked' },
    code: 2,
  },
  {
    title: 'what cannot ever work fails at once',
    verdict: { outcome: 'permanent', reason: 'bad-working-dir' },
    state: { status: 'failed', retryCount: 0, dueAt: null },
    code: 3,
  },
  {
    title: 'an attempt that the user cancelled leaves its task cancelled',
    verdict: { outcome: 'cancelled', reason: 'cancelled' },
    state: { status: 'cancelled', retryCount: 0 },
    code: 1,
  },
  {
    title: 'a stopped task is pending and resumes its session',
    verdict: { outcome: 'cancelled', reason: 'stopped' },
    state: { status: 'pending', retryCount: 0, dueAt: null, resume: 'stopped' },
    code: 1,
  },
  {
    title: 'a task killed from outside is pending and resumes its session',
    verdict: { outcome: 'lost', reason: 'killed' },
    state: { status: 'pending', retryCount: 0, resume: 'lost', lostInRow: 1 },
    code: 1,
  },
];

describe('The end of an attempt', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });

  for (const { title, verdict, definition = {}, retryCount = 0, state, code } of TABLE) {
    it(title, async () => {
      harness.store.put(harness.put(1, definition, taking(MINUTE_MS, verdict)), { retryCount });
      const single = await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
      assert.ok(single !== null && !('kind' in single));
      assert.equal(single.change.code, code);
      const after = (await harness.task(1)).state;
      const reported = Object.fromEntries(
        Object.keys(state).map((key) => [key, after[key as keyof TaskState]]),
      );
      assert.deepEqual(reported, state);
      assert.equal(after.session, after.resume === null ? null : harness.runs[0]?.job.session);
      assert.deepEqual(await harness.claims(), []);
      const attempts = await harness.queue.attempts({});
      assert.equal(attempts.length, 1);
      const expected: Partial<Attempt> = {
        id: 1,
        number: 1,
        startedAt: EVENING,
        endedAt: ENDED,
        outcome: verdict.outcome,
        reason: verdict.reason,
        code,
        output: 'task-1-attempt-1.jsonl',
      };
      for (const [key, value] of Object.entries(expected))
        assert.equal(attempts[0]?.[key as keyof Attempt], value);
    });
  }

  it('counts as an error for the sixth transient failure in a row', async () => {
    harness.put(1, {}, taking(0, { outcome: 'transient', reason: 'overloaded' }));
    const counts = [];
    for (let run = 0; run < 6; run += 1) {
      await harness.clock.run(runOne(harness.createWorker(), { id: 1, override: { time: true } }, NEVER));
      counts.push((await harness.task(1)).state.retryCount);
    }
    assert.deepEqual(counts, [0, 0, 0, 0, 0, 1]);
    assert.equal((await harness.task(1)).state.transientInRow, 0);
  });

  it('records cost, turns and refusals in the history', async () => {
    const denials = [{ tool: 'Bash', detail: 'rm -rf x' }];
    harness.put(1, {}, taking(0, { outcome: 'review', reason: 'denied', costUsd: 0.25, turns: 7, denials }));
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    const [attempt] = await harness.queue.attempts({});
    assert.deepEqual([attempt?.costUsd, attempt?.turns, attempt?.denials], [0.25, 7, denials]);
  });

  it('keeps refusals for the task until an attempt without them', async () => {
    const denials = [{ tool: 'Bash', detail: 'rm -rf x' }];
    const refused = taking(0, { outcome: 'review', reason: 'denied', denials });
    harness.put(1, {}, (run, stop) => (run.earlier === 0 ? refused : taking(0, SUCCESS))(run, stop));
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    assert.equal((await harness.task(1)).state.refused, true);
    await harness.queue.command(1, 'retry', 'retry');
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    const { status, refused: still } = (await harness.task(1)).state;
    assert.deepEqual([status, still], ['completed', undefined]);
  });

  it('records a limit with its closing of the gate', async () => {
    harness.put(1, {}, taking(MINUTE_MS, LIMIT));
    harness.put(2, {}, taking(MINUTE_MS, LIMIT));
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    harness.gate.now = { ...harness.gate.now, closures: [] };
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    const closed = (await harness.queue.attempts({})).map(({ closedSince }) => closedSince);
    assert.deepEqual(closed, [EVENING + 2 * MINUTE_MS, ENDED]);
  });

  it('stores the reported usage', async () => {
    const usage = [{ window: 'five_hour', utilization: 0.4, resetAt: EVENING + HOUR_MS }] as const;
    harness.put(1, {}, taking(MINUTE_MS, { outcome: 'success', reason: 'done', usage }));
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    assert.deepEqual(harness.gate.now.usage, [{ ...usage[0], asOf: ENDED }]);
  });

  it('counts retries by the row as it is then', async () => {
    const failed: ShortVerdict = { outcome: 'error', reason: 'exit-1' };
    harness.put(1, { maxRetries: 1 }, (...run) => {
      harness.put(1, { maxRetries: 2 });
      return taking(MINUTE_MS, failed)(...run);
    });
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    const { status, retryCount } = (await harness.task(1)).state;
    assert.deepEqual([status, retryCount], ['pending', 1]);
  });

  it('counts the failures before it also if the row is not valid then', async () => {
    const failed: ShortVerdict = { outcome: 'error', reason: 'exit-1' };
    harness.put(1, { maxRetries: 2 }, (run, stop) => {
      if (run.earlier > 0) harness.put(1, { maxRetries: 2, dependencies: [1] });
      return taking(MINUTE_MS, failed)(run, stop);
    });
    for (const _turn of ['first', 'second'])
      await harness.clock.run(runOne(harness.createWorker(), { id: 1, override: { time: true } }, NEVER));
    harness.put(1, { maxRetries: 2 });
    const { status, retryCount } = (await harness.task(1)).state;
    assert.deepEqual([status, retryCount], ['failed', 2]);
  });

  it('says whether the task still has its row', async () => {
    const rows: RowAtEnd[] = [];
    const worker = harness.createWorker();
    const events: WorkerEvents = { ...worker.events, ended: (...[, , , row]) => rows.push(row) };
    const meanwhile = [
      () => undefined,
      () => harness.put(2, { prompt: 'Another', priority: 'low' }),
      () => harness.store.delete(3),
    ];
    for (const [index, edit] of meanwhile.entries()) {
      harness.put(index + 1, {}, (...run) => {
        edit();
        return taking(MINUTE_MS)(...run);
      });
      await harness.clock.run(runOne({ ...worker, events }, {}, NEVER));
    }
    assert.deepEqual(rows, ['own', 'edited', 'none']);
  });
});

describe('One task of "run"', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });

  it('runs before its time, but not before its dependencies', async () => {
    harness.store.put(harness.put(1), { scheduledAt: EVENING + HOUR_MS });
    harness.put(2, { dependencies: [1] });
    const choice = (id: number) => ({ id, override: { time: true } });
    const blocked = await harness.clock.run(runOne(harness.createWorker(), choice(2), NEVER));
    assert.ok(blocked !== null && 'kind' in blocked);
    assert.equal(harness.describe(blocked.why), 'waits for 1');
    await harness.clock.run(runOne(harness.createWorker(), choice(1), NEVER));
    assert.deepEqual(harness.diary, ['18:00 1']);
  });

  it('is the only one: no other task starts', async () => {
    harness.put(1);
    harness.put(2);
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    assert.deepEqual(harness.diary, ['18:00 1']);
    assert.deepEqual(await harness.claims(), []);
  });

  it('gets its prompt, its session, its time and a place for its output', async () => {
    harness.put(1, { timeoutMs: 5 * MINUTE_MS });
    harness.put(2);
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    const [first, second] = harness.runs.map(({ job }) => job);
    assert.equal(first?.definition.prompt, 'Prompt 1');
    assert.equal(first.timeoutMs, 5 * MINUTE_MS);
    assert.equal(second?.timeoutMs, 2 * HOUR_MS);
    assert.equal(first.outputFile, `${harness.folder}/state/outputs/task-1-attempt-1.jsonl`);
    assert.equal(first.resume, undefined);
    assert.notEqual(first.session, second.session);
    assert.notEqual(first.attemptMark, second.attemptMark);
  });

  it('gets the time of its worker where its row has none', async () => {
    harness.put(1, { timeoutMs: 5 * MINUTE_MS });
    harness.put(2);
    const worker = harness.createWorker({ taskTimeoutMs: MINUTE_MS });
    await harness.clock.run(runOne(worker, {}, NEVER));
    await harness.clock.run(runOne(worker, {}, NEVER));
    assert.deepEqual(
      harness.runs.map(({ job }) => job.timeoutMs),
      [5 * MINUTE_MS, MINUTE_MS],
    );
  });
});
