import assert from 'node:assert/strict';
import type { LimitSignal } from '../../../src/domain/gate/limits';
import { work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MINUTE_MS, SUCCESS, taking, type Script, type ShortVerdict } from './bench';

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
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.remove());

  it('waits by itself until a minute after the reset and goes on where it stopped', async () => {
    bench.put(1, {}, firstThen(AT_LIMIT));
    bench.put(2, { priority: 'high' }, taking(30 * MINUTE_MS));
    const stretch = await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(bench.diary, ['18:00 2', '18:30 1', '22:11 1']);
    assert.deepEqual([stretch.ran, stretch.failed, stretch.atLimit], [3, [], false]);
    const [before, after] = bench.runs.slice(1).map(({ job }) => job);
    assert.equal(after?.session, before?.session);
    assert.equal(after?.resume, 'limit');
    const { state } = await bench.task(1);
    assert.deepEqual([state.status, state.retryCount], ['completed', 0]);
  });

  it('lets the stopped task go on first, before others of its class', async () => {
    bench.store.put(bench.put(1), { scheduledAt: EVENING + HOUR_MS });
    bench.put(2, {}, firstThen(AT_LIMIT));
    await bench.clock.run(work(bench.createWorker(), { maxTasks: 3 }, NEVER));
    assert.deepEqual(bench.diary, ['18:00 2', '22:11 2', '22:12 1']);
  });

  it('has not ended at the limit when it went on after it', async () => {
    bench.put(1, {}, firstThen(AT_LIMIT));
    const stretch = await bench.clock.run(work(bench.createWorker(), { maxTasks: 2 }, NEVER));
    assert.deepEqual([stretch.ran, stretch.failed, stretch.atLimit], [2, [], false]);
  });

  it('says once what it waits for, and starts nothing meanwhile', async () => {
    bench.put(1, {}, firstThen(AT_LIMIT));
    bench.put(2);
    const stop = new AbortController();
    const working = work(bench.createWorker(), {}, stop.signal);
    await bench.clock.runUntil(RESET - MINUTE_MS);
    assert.deepEqual(
      bench.told.filter((line) => line.includes('waiting')),
      ['18:01 waiting: 5-hour window used up, resets 22:10'],
    );
    assert.deepEqual(bench.diary, ['18:00 1']);
    stop.abort();
    assert.deepEqual(await bench.clock.run(working), { ran: 1, failed: [], atLimit: true });
  });

  it('lets tasks of other models run when only one model is used up', async () => {
    const signal: LimitSignal = { ...SIGNAL, kind: 'seven_day_opus', model: 'opus' };
    bench.put(1, { model: 'opus' }, firstThen({ outcome: 'limit', reason: 'seven_day_opus', signal }));
    bench.put(2, { model: 'sonnet' });
    bench.put(3, { model: 'claude-opus-4-1' });
    await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(bench.diary, ['18:00 1', '18:01 2', '22:11 1', '22:12 3']);
  });

  it('goes on at once when a person opens the gate and resumes the queue', async () => {
    bench.put(1, {}, firstThen(AT_LIMIT));
    const working = work(bench.createWorker(), { untilEmpty: true }, NEVER);
    await bench.clock.runUntil(EVENING + HOUR_MS);
    bench.gate.now = { ...bench.gate.now, closures: [] };
    await bench.queue.resume('resume');
    await bench.clock.run(working);
    assert.deepEqual(bench.diary, ['18:00 1', '19:00 1']);
  });

  it('notices within seconds that another queue’s worker found the gate open', async () => {
    bench.gate.now = {
      closures: [{ kind: 'five_hour', since: EVENING, until: RESET, message: 'limit' }],
      usage: [],
    };
    bench.put(1);
    const working = work(bench.createWorker(), { untilEmpty: true }, NEVER);
    await bench.clock.runUntil(EVENING + HOUR_MS - 1);
    bench.gate.now = { closures: [], usage: [] };
    await bench.clock.run(working);
    assert.ok((bench.runs[0]?.at ?? 0) - (EVENING + HOUR_MS) <= 5_000);
  });

  it('ends, and says that it was the limit, where only a person can open the gate', async () => {
    const signal: LimitSignal = { kind: 'sign-in', resetAt: null, message: 'Please run /login' };
    bench.put(1, {}, firstThen({ outcome: 'blocked', reason: 'auth', signal }));
    bench.put(2);
    const stretch = await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual([stretch.ran, stretch.failed, stretch.atLimit], [1, [], true]);
    assert.match(bench.describe(stretch.standstill), /not signed in/);
    assert.equal((await bench.task(2)).state.status, 'pending');
  });

  it('waits for the budget of the hour', async () => {
    bench.remove();
    bench = new Bench({ maxPerHour: 2 });
    for (const id of [1, 2, 3]) bench.put(id, {}, taking(10 * MINUTE_MS));
    await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(bench.diary, ['18:00 1', '18:10 2', '19:00 3']);
    const [waiting] = bench.told.filter((line) => line.includes('waiting'));
    assert.equal(waiting, '18:20 waiting: at most 2 an hour, next at 19:00');
  });
});
