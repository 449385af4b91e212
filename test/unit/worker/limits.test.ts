import assert from 'node:assert/strict';
import type { LimitSignal } from '../../../src/domain/gate/gate';
import { work } from '../../../src/worker/work';
import {
  Harness,
  EVENING,
  HOUR_MS,
  MINUTE_MS,
  SUCCESS,
  taking,
  type Script,
  type ShortVerdict,
} from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;

/** 22:10. */
const RESET = EVENING + 4 * HOUR_MS + 10 * MINUTE_MS;
const SIGNAL: LimitSignal = { kind: 'five_hour', resetAt: RESET, message: 'limit' };
const AT_LIMIT: ShortVerdict = { outcome: 'limit', reason: 'five_hour', signal: SIGNAL };

/** Meets the verdict at first, then succeeds. */
function firstThen(verdict: ShortVerdict): Script {
  return (run, stop) => taking(MINUTE_MS, run.earlier === 0 ? verdict : SUCCESS)(run, stop);
}

describe('A worker at a usage limit', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });

  it('waits until a minute after the reset and resumes', async () => {
    harness.put(1, {}, firstThen(AT_LIMIT));
    harness.put(2, { priority: 'high' }, taking(30 * MINUTE_MS));
    const summary = await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(harness.diary, ['18:00 2', '18:30 1', '22:11 1']);
    assert.deepEqual([summary.ran, summary.failed, summary.atLimit], [3, [], false]);
    const [before, after] = harness.runs.slice(1).map(({ job }) => job);
    assert.equal(after?.session, before?.session);
    assert.equal(after?.resume, 'limit');
    const { state } = await harness.task(1);
    assert.deepEqual([state.status, state.retryCount], ['completed', 0]);
  });

  it('lets the stopped task continue first, before others of its class', async () => {
    harness.store.put(harness.put(1), { scheduledAt: EVENING + HOUR_MS });
    harness.put(2, {}, firstThen(AT_LIMIT));
    await harness.clock.run(work(harness.createWorker(), { maxTasks: 3 }, NEVER));
    assert.deepEqual(harness.diary, ['18:00 2', '22:11 2', '22:12 1']);
  });

  it('is not reported as ended at the limit when it continued', async () => {
    harness.put(1, {}, firstThen(AT_LIMIT));
    const summary = await harness.clock.run(work(harness.createWorker(), { maxTasks: 2 }, NEVER));
    assert.deepEqual([summary.ran, summary.failed, summary.atLimit], [2, [], false]);
  });

  it('is reported as ended at the limit when its last attempt met it, also at a bound', async () => {
    harness.put(1, {}, firstThen(AT_LIMIT));
    const summary = await harness.clock.run(work(harness.createWorker(), { maxTasks: 1 }, NEVER));
    assert.deepEqual([summary.ran, summary.failed, summary.atLimit], [1, [], true]);
  });

  it('is reported as ended at the limit although an attempt beside it succeeded later', async () => {
    harness = new Harness({ maxRunning: 2 });
    harness.put(1, { workingDir: '/place/1' }, firstThen(AT_LIMIT));
    harness.put(2, { workingDir: '/place/2' }, taking(5 * MINUTE_MS));
    const slots = { min: 2, max: 2 };
    const working = work({ ...harness.createWorker(), slots }, { maxTasks: 2 }, NEVER);
    const summary = await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2']);
    assert.deepEqual([summary.ran, summary.atLimit], [2, true]);
  });

  it('reports once what it waits for, and starts nothing meanwhile', async () => {
    harness.put(1, {}, firstThen(AT_LIMIT));
    harness.put(2);
    const stop = new AbortController();
    const working = work(harness.createWorker(), {}, stop.signal);
    await harness.clock.runUntil(RESET - MINUTE_MS);
    assert.deepEqual(
      harness.reported.filter((line) => line.includes('waiting')),
      ['18:01 waiting: 5-hour usage window used up, resets 22:10'],
    );
    assert.deepEqual(harness.diary, ['18:00 1']);
    stop.abort();
    assert.deepEqual(await harness.clock.run(working), { ran: 1, failed: [], atLimit: true });
  });

  it('lets tasks of other models run when only one model is used up', async () => {
    const signal: LimitSignal = { ...SIGNAL, kind: 'seven_day_opus', model: 'opus' };
    harness.put(1, { model: 'opus' }, firstThen({ outcome: 'limit', reason: 'seven_day_opus', signal }));
    harness.put(2, { model: 'sonnet' });
    harness.put(3, { model: 'claude-opus-4-1' });
    await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(harness.diary, ['18:00 1', '18:01 2', '22:11 1', '22:12 3']);
  });

  it('continues at once when the user opens the gate and resumes the queue', async () => {
    harness.put(1, {}, firstThen(AT_LIMIT));
    const working = work(harness.createWorker(), { untilEmpty: true }, NEVER);
    await harness.clock.runUntil(EVENING + HOUR_MS);
    harness.gate.now = { ...harness.gate.now, closures: [] };
    await harness.queue.resume('resume');
    await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:00 1', '19:00 1']);
  });

  it('notices within seconds that another queue’s worker found the gate open', async () => {
    harness.gate.now = {
      closures: [{ kind: 'five_hour', since: EVENING, until: RESET, message: 'limit' }],
      usage: [],
    };
    harness.put(1);
    const working = work(harness.createWorker(), { untilEmpty: true }, NEVER);
    await harness.clock.runUntil(EVENING + HOUR_MS - 1);
    harness.gate.now = { closures: [], usage: [] };
    await harness.clock.run(working);
    assert.ok((harness.runs[0]?.at ?? 0) - (EVENING + HOUR_MS) <= 5_000);
  });

  it('ends with the limit as reason if only the user can open the gate', async () => {
    const signal: LimitSignal = { kind: 'sign-in', resetAt: null, message: 'Please run /login' };
    harness.put(1, {}, firstThen({ outcome: 'blocked', reason: 'auth', signal }));
    harness.put(2);
    const summary = await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual([summary.ran, summary.failed, summary.atLimit], [1, [], true]);
    assert.match(harness.describe(summary.idleReason), /not signed in/);
    assert.equal((await harness.task(2)).state.status, 'pending');
  });

  it('waits for the hourly budget', async () => {
    harness = new Harness({ maxPerHour: 2 });
    for (const id of [1, 2, 3]) harness.put(id, {}, taking(10 * MINUTE_MS));
    await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(harness.diary, ['18:00 1', '18:10 2', '19:00 3']);
    const [waiting] = harness.reported.filter((line) => line.includes('waiting'));
    assert.equal(waiting, '18:20 waiting: at most 2 an hour, next at 19:00');
  });
});
