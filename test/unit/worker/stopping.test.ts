import assert from 'node:assert/strict';
import { Fenced, Problem } from '../../../src/domain/problem';
import { runOne, work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MINUTE_MS, SUCCESS, systemError, taking } from './bench';

const NEVER = new AbortController().signal;

let bench: Bench;

function prepareEach(): void {
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.remove());
}

describe('A worker that is stopped', () => {
  prepareEach();

  beforeEach(() => {
    bench.put(1, {}, taking(HOUR_MS));
    bench.put(2);
  });

  it('by a signal ends its run at once, which goes on later in its session', async () => {
    const stop = new AbortController();
    const working = work(bench.createWorker(), {}, stop.signal);
    await bench.clock.runFor(20 * MINUTE_MS);
    stop.abort();
    const stretch = await bench.clock.run(working);
    assert.equal(bench.timeOf(bench.clock.now()), '18:20');
    assert.deepEqual(stretch, { ran: 1, failed: [], atLimit: false });
    const { state, claim } = await bench.task(1);
    assert.deepEqual([state.status, state.retryCount, claim], ['pending', 0, undefined]);
    await bench.clock.run(work(bench.createWorker(), { maxTasks: 1 }, NEVER));
    assert.deepEqual(bench.diary, ['18:00 1', '18:20 1']);
    assert.equal(bench.runs[1]?.job.session, bench.runs[0]?.job.session);
    assert.equal(bench.runs[1]?.job.resume, 'stopped');
  });

  it('before it begins begins nothing', async () => {
    assert.deepEqual(await bench.clock.run(work(bench.createWorker(), {}, AbortSignal.abort())), {
      ran: 0,
      failed: [],
      atLimit: false,
    });
    const single = await bench.clock.run(runOne(bench.createWorker(), {}, AbortSignal.abort()));
    assert.ok(single !== null && 'verdict' in single);
    assert.equal(single.verdict.outcome, 'cancelled');
    assert.equal((await bench.task(1)).state.status, 'pending');
  });

  it('by a signal in the instant in which it claims gives the task back', async () => {
    const stop = new AbortController();
    const queue = bench.queueWith({
      finish: async (...args) => {
        const next = await bench.queue.finish(...args);
        stop.abort();
        return next;
      },
    });
    await bench.clock.run(work(bench.createWorker({ queue }), {}, stop.signal));
    assert.deepEqual(bench.diary, ['18:00 1']);
    assert.deepEqual(await bench.claims(), []);
    const { starts } = await bench.queue.read();
    assert.equal(starts.length, 1);
  });

  it('after this task, by a request, lets it come to its end', async () => {
    const working = work(bench.createWorker(), {}, NEVER);
    await bench.clock.runFor(20 * MINUTE_MS);
    await bench.queue.stop('after-task', 'stop');
    assert.equal((await bench.clock.run(working)).ran, 1);
    assert.equal(bench.timeOf(bench.clock.now()), '19:00');
    assert.equal((await bench.task(1)).state.status, 'completed');
  });

  it('now, by a request, ends its run within seconds', async () => {
    const working = work(bench.createWorker(), {}, NEVER);
    await bench.clock.runUntil(EVENING + 20 * MINUTE_MS);
    await bench.queue.stop('now', 'stop');
    await bench.clock.run(working);
    assert.ok(bench.clock.now() <= EVENING + 20 * MINUTE_MS + 2_000);
    const { state } = await bench.task(1);
    assert.deepEqual([state.status, state.resume, state.retryCount], ['pending', 'stopped', 0]);
    assert.deepEqual(await bench.claims(), []);
  });

  it('by a request while it waits ends at once', async () => {
    await bench.queue.hold({ by: 'person', why: 'lunch' }, 'hold');
    const working = work(bench.createWorker(), {}, NEVER);
    await bench.clock.runUntil(EVENING + 1234);
    await bench.queue.stop('after-task', 'stop');
    await bench.clock.settle();
    await bench.clock.run(working);
    assert.equal(bench.clock.now(), EVENING + 1234);
  });

  it('by a request does not concern one that starts later', async () => {
    await bench.queue.stop('now', 'stop');
    await bench.clock.runFor(1);
    const stretch = await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    assert.equal(stretch.ran, 2);
  });
});

describe('A task that is cancelled while it runs', () => {
  prepareEach();

  it('is ended within seconds, and the next one begins', async () => {
    bench.put(1, {}, taking(HOUR_MS));
    bench.put(2);
    const working = work(bench.createWorker(), { untilEmpty: true }, NEVER);
    await bench.clock.runUntil(EVENING + 20 * MINUTE_MS + 500);
    await bench.queue.command(1, 'cancel', 'cancel');
    const stretch = await bench.clock.run(working);
    assert.deepEqual([stretch.ran, stretch.failed, stretch.atLimit], [2, [], false]);
    assert.equal((await bench.task(1)).state.status, 'cancelled');
    assert.deepEqual(bench.diary, ['18:00 1', '18:20 2']);
    const [, attempt] = await bench.queue.attempts({});
    assert.deepEqual([attempt?.outcome, attempt?.reason], ['cancelled', 'cancelled']);
  });
});

describe('A run whose claim went to another owner', () => {
  prepareEach();

  it('is ended, and nothing of it is recorded', async () => {
    const signal = { kind: 'five_hour', resetAt: EVENING + HOUR_MS, message: 'limit' } as const;
    bench.put(1, {}, async (run, stop) => {
      await run.clock.sleep(HOUR_MS, stop);
      return { outcome: 'limit', reason: 'five_hour', signal };
    });
    const working = work(bench.createWorker(), { maxTasks: 1 }, NEVER);
    await bench.clock.runFor(20 * MINUTE_MS);
    const [claim] = await bench.claims();
    assert.ok(claim);
    await bench.queue.release(claim, 'person', 'release');
    bench.scripts.set(1, taking(MINUTE_MS));
    const stretch = await bench.clock.run(working);
    assert.deepEqual([stretch.ran, stretch.failed, stretch.atLimit], [1, [], false]);
    assert.equal((await bench.queue.attempts({})).length, 1);
    assert.deepEqual(bench.gate.now.closures, []);
    assert.equal(bench.runs.length, 2);
    assert.ok((bench.runs[1]?.at ?? 0) - EVENING <= 20 * MINUTE_MS + 2_000);
  });

  it('in its very last moment is not recorded and not told as ended, but that it does not count', async () => {
    bench.put(1);
    const queue = bench.queueWith({ finish: () => Promise.reject(new Fenced('Given to another owner.')) });
    assert.equal(await bench.clock.run(runOne(bench.createWorker({ queue }), {}, NEVER)), null);
    assert.deepEqual(await bench.queue.attempts({}), []);
    assert.equal(bench.told.length, 2);
    assert.match(bench.told[1] ?? '', /trouble: The run of task 1 does not count/);
  });

  it('before its process was recorded never begins', async () => {
    bench.put(1);
    const queue = bench.queueWith({ start: () => Promise.reject(new Fenced('Given to another owner.')) });
    assert.equal(await bench.clock.run(runOne(bench.createWorker({ queue }), {}, NEVER)), null);
    assert.deepEqual(bench.runs, []);
    assert.equal((await bench.claims()).length, 1);
  });
});

describe('The end of a run', () => {
  prepareEach();

  it('that a full disk does not take is written until it is taken, and recorded once, as when it was', async () => {
    bench.put(1);
    let failures = 3;
    const queue = bench.queueWith({
      finish: (...args) =>
        failures-- > 0 ? Promise.reject(systemError('ENOSPC')) : bench.queue.finish(...args),
    });
    await bench.clock.run(work(bench.createWorker({ queue }), { untilEmpty: true }, NEVER));
    assert.deepEqual(
      (await bench.queue.attempts({})).map(({ endedAt }) => endedAt),
      [EVENING + MINUTE_MS],
    );
    assert.equal((await bench.task(1)).state.status, 'completed');
    assert.equal(bench.clock.now(), EVENING + MINUTE_MS + 15_000);
    assert.equal(
      bench.told.filter((line) => line.includes('trouble: The end of the run could not be written')).length,
      1,
      'told once',
    );
    assert.equal(bench.told.filter((line) => line.includes('ended')).length, 1);
  });

  it('that was written although the disk said no is not recorded twice', async () => {
    bench.put(1);
    let failures = 1;
    const queue = bench.queueWith({
      finish: async (...args) => {
        const answer = await bench.queue.finish(...args);
        if (failures-- > 0) throw systemError('EIO');
        return answer;
      },
    });
    const stretch = await bench.clock.run(work(bench.createWorker({ queue }), { untilEmpty: true }, NEVER));
    assert.equal(stretch.ran, 1);
    assert.equal((await bench.queue.attempts({})).length, 1);
  });

  it('waits for a queue file that git took away, and for a gate that cannot be written', async () => {
    bench.put(1);
    const left = { read: 1, report: 1 };
    const missing = new Problem('queue-missing', 'There is no queue file.');
    const queue = bench.queueWith({
      read: () =>
        bench.clock.now() > EVENING && left.read-- > 0 ? Promise.reject(missing) : bench.queue.read(),
    });
    const gate = {
      view: () => bench.gate.view(),
      admit: bench.gate.admit.bind(bench.gate),
      report: (...args: Parameters<typeof bench.gate.report>) =>
        bench.clock.now() > EVENING && left.report-- > 0
          ? Promise.reject(systemError('ENOSPC'))
          : bench.gate.report(...args),
    };
    await bench.clock.run(work(bench.createWorker({ queue, gate }), { untilEmpty: true }, NEVER));
    assert.equal((await bench.task(1)).state.status, 'completed');
    assert.equal(bench.clock.now(), EVENING + MINUTE_MS + 10_000);
  });

  it('is given up only a minute after the worker was asked to stop', async () => {
    bench.put(1, {}, taking(HOUR_MS));
    const stop = new AbortController();
    const queue = bench.queueWith({ finish: () => Promise.reject(systemError('ENOSPC')) });
    const working = work(bench.createWorker({ queue }), {}, stop.signal);
    await bench.clock.runUntil(EVENING + 2 * HOUR_MS);
    const stoppedAt = bench.clock.now();
    stop.abort();
    await assert.rejects(bench.clock.run(working), { code: 'ENOSPC' });
    assert.ok(bench.clock.now() - stoppedAt <= 65_000);
    assert.equal((await bench.claims()).length, 1);
  });

  it('is not tried again where the fault is the program’s own', async () => {
    bench.put(1);
    const queue = bench.queueWith({ finish: () => Promise.reject(new TypeError('A bug.')) });
    await assert.rejects(bench.clock.run(work(bench.createWorker({ queue }), {}, NEVER)), /A bug/);
  });

  it('of a row that was edited meanwhile leaves the new task to be done', async () => {
    bench.store.put(bench.put(1, {}, taking(HOUR_MS, { outcome: 'error', reason: 'failed' })), {
      retryCount: 2,
    });
    const working = work(bench.createWorker(), { maxTasks: 1 }, NEVER);
    await bench.clock.runFor(MINUTE_MS);
    bench.put(1, { prompt: 'Another prompt' });
    await bench.clock.run(working);
    const { state } = await bench.task(1);
    assert.deepEqual([state.status, state.session], ['pending', null]);
    assert.deepEqual(
      (await bench.queue.attempts({})).map(({ code }) => code),
      [1],
    );
  });

  it('of a row that was deleted meanwhile stands in the history', async () => {
    bench.put(1, {}, taking(HOUR_MS));
    const working = work(bench.createWorker(), { untilEmpty: true }, NEVER);
    await bench.clock.runFor(MINUTE_MS);
    bench.store.remove(1);
    await bench.clock.run(working);
    assert.equal((await bench.queue.attempts({}))[0]?.outcome, 'success');
    assert.deepEqual((await bench.queue.read()).tasks, []);
  });
});

describe('A look at a claim that fails', () => {
  prepareEach();

  it('is told and does not end the run', async () => {
    bench.put(1, {}, taking(3_000, SUCCESS));
    const queue = bench.queueWith({ renew: () => Promise.reject(systemError('EIO')) });
    await bench.clock.run(work(bench.createWorker({ queue }), { untilEmpty: true }, NEVER));
    assert.equal((await bench.task(1)).state.status, 'completed');
    assert.match(bench.told[1] ?? '', /The claim on task 1 could not be looked at/);
  });
});
