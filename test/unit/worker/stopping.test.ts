import assert from 'node:assert/strict';
import { Fenced, Problem } from '../../../src/domain/problem';
import { runOne } from '../../../src/worker/runOne';
import { work } from '../../../src/worker/work';
import {
  Harness,
  EVENING,
  HOUR_MS,
  MINUTE_MS,
  SUCCESS,
  systemError,
  taking,
} from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;

let harness: Harness;

function prepareEach(): void {
  beforeEach(() => {
    harness = new Harness();
  });
}

describe('A worker that is stopped', () => {
  prepareEach();

  beforeEach(() => {
    harness.put(1, {}, taking(HOUR_MS));
    harness.put(2);
  });

  it('by a signal ends its attempt at once; the task resumes its session later', async () => {
    const stop = new AbortController();
    const working = work(harness.createWorker(), {}, stop.signal);
    await harness.clock.runFor(20 * MINUTE_MS);
    stop.abort();
    const summary = await harness.clock.run(working);
    assert.equal(harness.timeOf(harness.clock.now()), '18:20');
    assert.deepEqual(summary, { ran: 1, failed: [], atLimit: false });
    const { state, claim } = await harness.task(1);
    assert.deepEqual([state.status, state.retryCount, claim], ['pending', 0, undefined]);
    await harness.clock.run(work(harness.createWorker(), { maxTasks: 1 }, NEVER));
    assert.deepEqual(harness.diary, ['18:00 1', '18:20 1']);
    assert.equal(harness.runs[1]?.job.session, harness.runs[0]?.job.session);
    assert.equal(harness.runs[1]?.job.resume, 'stopped');
  });

  it('before it starts runs nothing', async () => {
    assert.deepEqual(await harness.clock.run(work(harness.createWorker(), {}, AbortSignal.abort())), {
      ran: 0,
      failed: [],
      atLimit: false,
    });
    const single = await harness.clock.run(runOne(harness.createWorker(), {}, AbortSignal.abort()));
    assert.ok(single !== null && 'verdict' in single);
    assert.equal(single.verdict.outcome, 'cancelled');
    assert.equal((await harness.task(1)).state.status, 'pending');
  });

  it('by a signal during a claim returns the task', async () => {
    const stop = new AbortController();
    const queue = harness.queueWith({
      finish: async (...args) => {
        const next = await harness.queue.finish(...args);
        stop.abort();
        return next;
      },
    });
    await harness.clock.run(work(harness.createWorker({ queue }), {}, stop.signal));
    assert.deepEqual(harness.diary, ['18:00 1']);
    assert.deepEqual(await harness.claims(), []);
    const { starts } = await harness.queue.read();
    assert.equal(starts.length, 1);
  });

  it('after this task, by a request, lets the attempt end', async () => {
    const working = work(harness.createWorker(), {}, NEVER);
    await harness.clock.runFor(20 * MINUTE_MS);
    await harness.queue.stop('after-task', 'stop');
    assert.equal((await harness.clock.run(working)).ran, 1);
    assert.equal(harness.timeOf(harness.clock.now()), '19:00');
    assert.equal((await harness.task(1)).state.status, 'completed');
  });

  it('now, by a request, ends its attempt within seconds', async () => {
    const working = work(harness.createWorker(), {}, NEVER);
    await harness.clock.runUntil(EVENING + 20 * MINUTE_MS);
    await harness.queue.stop('now', 'stop');
    await harness.clock.run(working);
    assert.ok(harness.clock.now() <= EVENING + 20 * MINUTE_MS + 2_000);
    const { state } = await harness.task(1);
    assert.deepEqual([state.status, state.resume, state.retryCount], ['pending', 'stopped', 0]);
    assert.deepEqual(await harness.claims(), []);
  });

  it('by a request while it waits ends at once', async () => {
    await harness.queue.hold({ by: 'person', why: 'lunch' }, 'hold');
    const working = work(harness.createWorker(), {}, NEVER);
    await harness.clock.runUntil(EVENING + 1234);
    await harness.queue.stop('after-task', 'stop');
    await harness.clock.settle();
    await harness.clock.run(working);
    assert.equal(harness.clock.now(), EVENING + 1234);
  });

  it('by a request does not include one that starts later', async () => {
    await harness.queue.stop('now', 'stop');
    await harness.clock.runFor(1);
    const summary = await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.equal(summary.ran, 2);
  });
});

describe('A task that is cancelled while it runs', () => {
  prepareEach();

  it('is ended within seconds, and the next one starts', async () => {
    harness.put(1, {}, taking(HOUR_MS));
    harness.put(2);
    const working = work(harness.createWorker(), { untilEmpty: true }, NEVER);
    await harness.clock.runUntil(EVENING + 20 * MINUTE_MS + 500);
    await harness.queue.command(1, 'cancel', 'cancel');
    const summary = await harness.clock.run(working);
    assert.deepEqual([summary.ran, summary.failed, summary.atLimit], [2, [], false]);
    assert.equal((await harness.task(1)).state.status, 'cancelled');
    assert.deepEqual(harness.diary, ['18:00 1', '18:20 2']);
    const [, attempt] = await harness.queue.attempts({});
    assert.deepEqual([attempt?.outcome, attempt?.reason], ['cancelled', 'cancelled']);
  });
});

describe('An attempt whose claim went to another owner', () => {
  prepareEach();

  it('is ended, and not recorded', async () => {
    const signal = { kind: 'five_hour', resetAt: EVENING + HOUR_MS, message: 'limit' } as const;
    harness.put(1, {}, async (run, stop) => {
      await run.clock.sleep(HOUR_MS, stop);
      return { outcome: 'limit', reason: 'five_hour', signal };
    });
    const working = work(harness.createWorker(), { maxTasks: 1 }, NEVER);
    await harness.clock.runFor(20 * MINUTE_MS);
    const [claim] = await harness.claims();
    assert.ok(claim);
    await harness.queue.release(claim, 'person', 'release');
    harness.scripts.set(1, taking(MINUTE_MS));
    const summary = await harness.clock.run(working);
    assert.deepEqual([summary.ran, summary.failed, summary.atLimit], [1, [], false]);
    assert.equal((await harness.queue.attempts({})).length, 1);
    assert.deepEqual(harness.gate.now.closures, []);
    assert.equal(harness.runs.length, 2);
    assert.ok((harness.runs[1]?.at ?? 0) - EVENING <= 20 * MINUTE_MS + 2_000);
  });

  it('in its last moment is not recorded and not reported as ended, but as not counted', async () => {
    harness.put(1);
    const queue = harness.queueWith({ finish: () => Promise.reject(new Fenced(1)) });
    assert.equal(await harness.clock.run(runOne(harness.createWorker({ queue }), {}, NEVER)), null);
    assert.deepEqual(await harness.queue.attempts({}), []);
    assert.equal(harness.reported.length, 2);
    assert.match(harness.reported[1] ?? '', /trouble: The attempt of task 1 does not count/);
  });

  it('before its process was recorded never starts', async () => {
    harness.put(1);
    const queue = harness.queueWith({ start: () => Promise.reject(new Fenced(1)) });
    assert.equal(await harness.clock.run(runOne(harness.createWorker({ queue }), {}, NEVER)), null);
    assert.deepEqual(harness.runs, []);
    assert.equal((await harness.claims()).length, 1);
  });
});

describe('The end of an attempt', () => {
  prepareEach();

  it('that a full disk rejects is retried until it is recorded, once, with its own time', async () => {
    harness.put(1);
    let failures = 3;
    const queue = harness.queueWith({
      finish: (...args) =>
        failures-- > 0 ? Promise.reject(systemError('ENOSPC')) : harness.queue.finish(...args),
    });
    await harness.clock.run(work(harness.createWorker({ queue }), { untilEmpty: true }, NEVER));
    assert.deepEqual(
      (await harness.queue.attempts({})).map(({ endedAt }) => endedAt),
      [EVENING + MINUTE_MS],
    );
    assert.equal((await harness.task(1)).state.status, 'completed');
    assert.equal(harness.clock.now(), EVENING + MINUTE_MS + 15_000);
    assert.equal(
      harness.reported.filter((line) => line.includes('trouble: The end of the attempt could not be written'))
        .length,
      1,
      'reported once',
    );
    assert.equal(harness.reported.filter((line) => line.includes('ended')).length, 1);
  });

  it('that was written despite an error is not recorded twice', async () => {
    harness.put(1);
    let failures = 1;
    const queue = harness.queueWith({
      finish: async (...args) => {
        const answer = await harness.queue.finish(...args);
        if (failures-- > 0) throw systemError('EIO');
        return answer;
      },
    });
    const summary = await harness.clock.run(
      work(harness.createWorker({ queue }), { untilEmpty: true }, NEVER),
    );
    assert.equal(summary.ran, 1);
    assert.equal((await harness.queue.attempts({})).length, 1);
  });

  it('waits for a queue file that git removed, and for a gate that cannot be written', async () => {
    harness.put(1);
    const left = { find: 1, report: 1 };
    const missing = new Problem('queue-missing', 'There is no queue file.');
    const queue = harness.queueWith({
      find: (ids) =>
        harness.clock.now() > EVENING && left.find-- > 0 ? Promise.reject(missing) : harness.queue.find(ids),
    });
    const gate = {
      view: () => harness.gate.view(),
      confirm: () => harness.gate.confirm(),
      admit: harness.gate.admit.bind(harness.gate),
      report: (...args: Parameters<typeof harness.gate.report>) =>
        harness.clock.now() > EVENING && left.report-- > 0
          ? Promise.reject(systemError('ENOSPC'))
          : harness.gate.report(...args),
    };
    await harness.clock.run(work(harness.createWorker({ queue, gate }), { untilEmpty: true }, NEVER));
    assert.equal((await harness.task(1)).state.status, 'completed');
    assert.equal(harness.clock.now(), EVENING + MINUTE_MS + 10_000);
  });

  it('is abandoned only a minute after the worker was asked to stop', async () => {
    harness.put(1, {}, taking(HOUR_MS));
    const stop = new AbortController();
    const queue = harness.queueWith({ finish: () => Promise.reject(systemError('ENOSPC')) });
    const working = work(harness.createWorker({ queue }), {}, stop.signal);
    await harness.clock.runUntil(EVENING + 2 * HOUR_MS);
    const stoppedAt = harness.clock.now();
    stop.abort();
    await assert.rejects(harness.clock.run(working), { code: 'ENOSPC' });
    assert.ok(harness.clock.now() - stoppedAt <= 65_000);
    assert.equal((await harness.claims()).length, 1);
  });

  it('is tried for a minute after the stop also where the machine sleeps in between', async () => {
    harness.put(1, {}, taking(HOUR_MS));
    const stop = new AbortController();
    let tries = 0;
    const queue = harness.queueWith({
      finish: () => {
        tries += 1;
        return Promise.reject(systemError('ENOSPC'));
      },
    });
    const ended = assert.rejects(work(harness.createWorker({ queue }), {}, stop.signal), { code: 'ENOSPC' });
    await harness.clock.runFor(MINUTE_MS);
    stop.abort();
    for (let naps = 0; naps < 3; naps += 1) {
      await harness.clock.runFor(6_000);
      harness.clock.suspend(HOUR_MS);
    }
    await harness.clock.run(ended);
    assert.equal(tries, 13);
  });

  it('is not retried after an error of the program itself', async () => {
    harness.put(1);
    const queue = harness.queueWith({ finish: () => Promise.reject(new TypeError('A bug.')) });
    await assert.rejects(harness.clock.run(work(harness.createWorker({ queue }), {}, NEVER)), /A bug/);
  });

  it('of an edited row leaves the new task pending', async () => {
    harness.store.put(harness.put(1, {}, taking(HOUR_MS, { outcome: 'error', reason: 'failed' })), {
      retryCount: 2,
    });
    const working = work(harness.createWorker(), { maxTasks: 1 }, NEVER);
    await harness.clock.runFor(MINUTE_MS);
    harness.put(1, { prompt: 'Another prompt' });
    await harness.clock.run(working);
    const { state } = await harness.task(1);
    assert.deepEqual([state.status, state.session], ['pending', null]);
    assert.deepEqual(
      (await harness.queue.attempts({})).map(({ code }) => code),
      [1],
    );
  });

  it('of a deleted row is in the history', async () => {
    harness.put(1, {}, taking(HOUR_MS));
    const working = work(harness.createWorker(), { untilEmpty: true }, NEVER);
    await harness.clock.runFor(MINUTE_MS);
    harness.store.delete(1);
    await harness.clock.run(working);
    assert.equal((await harness.queue.attempts({}))[0]?.outcome, 'success');
    assert.deepEqual((await harness.queue.read()).tasks, []);
  });
});

describe('A failed check of a claim', () => {
  prepareEach();

  it('is reported once and does not end the attempt', async () => {
    harness.put(1, {}, taking(MINUTE_MS, SUCCESS));
    const queue = harness.queueWith({ renew: () => Promise.reject(systemError('EIO')) });
    await harness.clock.run(work(harness.createWorker({ queue }), { untilEmpty: true }, NEVER));
    assert.equal((await harness.task(1)).state.status, 'completed');
    const reports = harness.reported.filter((line) =>
      line.includes('The claim on task 1 could not be looked at'),
    );
    assert.equal(reports.length, 1);
  });
});
