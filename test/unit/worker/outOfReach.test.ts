import assert from 'node:assert/strict';
import { isProblem, Problem } from '../../../src/domain/problem';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { work } from '../../../src/worker/work';
import { Harness, EVENING, HOUR_MS, MINUTE_MS, taking } from '../../support/queue/workerHarness';

describe('A worker whose queue is temporarily unreachable', () => {
  let harness: Harness;
  let stop: AbortController;
  /** Error of each claim from now on; null: none. */
  let obstacle: Error | null;
  let queue: TaskQueue;
  beforeEach(() => {
    harness = new Harness();
    stop = new AbortController();
    obstacle = null;
    queue = Object.assign(Object.create(harness.queue) as TaskQueue, {
      claim: (...args: Parameters<TaskQueue['claim']>) =>
        obstacle === null ? harness.queue.claim(...args) : Promise.reject(obstacle),
    });
    harness.store.put(harness.put(1), { scheduledAt: EVENING + HOUR_MS });
  });

  it('reports once that it is, and that it no longer is, and continues', async () => {
    const working = work(harness.createWorker({ queue }), { maxTasks: 1 }, stop.signal);
    await harness.clock.runFor(10 * MINUTE_MS);
    obstacle = new Problem('queue-missing', 'There is no queue file.');
    await harness.clock.runFor(2 * HOUR_MS);
    assert.deepEqual(harness.diary, []);
    obstacle = null;
    assert.equal((await harness.clock.run(working)).ran, 1);
    assert.deepEqual(
      harness.reported.filter((line) => line.includes('trouble')),
      [
        '18:10 trouble: No task can start now; retrying: There is no queue file.',
        '20:10 trouble: The queue can be used again.',
      ],
    );
  });

  it('reports it once while all its slots are busy', async () => {
    const away = new Problem('redis-away', 'Redis does not answer.');
    queue.readLost = () => (obstacle === null ? harness.queue.readLost() : Promise.reject(obstacle));
    harness.put(2, {}, taking(HOUR_MS));
    const working = work(harness.createWorker({ queue }), { untilEmpty: true }, stop.signal);
    await harness.clock.runFor(MINUTE_MS);
    obstacle = away;
    for (const id of [3, 4]) {
      harness.put(id);
      await harness.clock.runFor(MINUTE_MS);
    }
    obstacle = null;
    await harness.clock.run(working);
    assert.deepEqual(
      harness.reported.filter((line) => line.includes('trouble')).map((line) => line.slice('18:00 '.length)),
      [
        'trouble: No task can start now; retrying: Redis does not answer.',
        'trouble: The queue can be used again.',
      ],
    );
  });

  for (const endsMeanwhile of [false, true]) {
    const what = endsMeanwhile ? 'leaves it alone if another owner has ended it' : 'runs its task';
    it(`finds a claim that it made without an answer, and ${what}`, async () => {
      let isLost = true;
      queue.claim = async (...args) => {
        const answer = await harness.queue.claim(...args);
        if (answer.kind === 'idle' || !isLost) return answer;
        isLost = false;
        if (endsMeanwhile) await harness.queue.release(answer.claim, 'stopped', 'ended');
        throw new Problem('redis-away', 'Redis does not answer. The change may have been made.');
      };
      harness.put(2);
      const working = work(harness.createWorker({ queue }), { maxTasks: 1 }, stop.signal);
      await harness.clock.runFor(MINUTE_MS + 10_000);
      stop.abort();
      assert.equal((await harness.clock.run(working)).ran, 1);
      assert.deepEqual([await harness.claims(), harness.diary], [[], ['18:00 2']]);
    });
  }

  it('returns such a claim if it ends before it has asked again', async () => {
    queue.claim = async (...args) => {
      queue.claim = (...more) => harness.queue.claim(...more);
      const answer = await harness.queue.claim(...args);
      stop.abort();
      assert.equal(answer.kind, 'claimed');
      throw new Problem('redis-away', 'Redis does not answer. The change may have been made.');
    };
    harness.put(2);
    const working = work(harness.createWorker({ queue }), {}, stop.signal);
    assert.equal((await harness.clock.run(working)).ran, 0);
    assert.deepEqual([await harness.claims(), harness.diary], [[], []]);
  });

  it('finds such a claim also if no other task needs one more slot', async () => {
    harness = new Harness({ maxRunning: 2 });
    const claim = harness.queue.claim.bind(harness.queue);
    let isLost = false;
    harness.queue.claim = async (...args) => {
      const answer = await claim(...args);
      if (answer.kind === 'idle' || answer.claim.id !== 2 || isLost) return answer;
      isLost = true;
      throw new Problem('redis-away', 'Redis does not answer. The change may have been made.');
    };
    harness.put(1, { workingDir: '/place/1' }, taking(HOUR_MS));
    const working = work(harness.createWorker({ slots: { min: 1, max: 2 } }), { maxTasks: 3 }, stop.signal);
    await harness.clock.runFor(MINUTE_MS);
    for (const id of [2, 3]) harness.put(id, { workingDir: `/place/${String(id)}` });
    await harness.clock.runFor(2 * MINUTE_MS);
    assert.deepEqual([isLost, ...harness.diary.slice(0, 2)], [true, '18:00 1', '18:01 2']);
    assert.equal((await harness.clock.run(working)).ran, 3);
  });

  it('is waited for half a minute by a run that would end with its last task', async () => {
    const { clock } = harness;
    const unread = new Problem('queue-incomplete', 'The file is empty.');
    for (const [awayMs, id, hasEnded] of [
      [25_000, 2, false],
      [10 * MINUTE_MS, 4, true],
    ] as const) {
      obstacle = null;
      harness.put(id, {}, taking(10_000));
      const startedAt = clock.now();
      const working = work(harness.createWorker({ queue }), { untilEmpty: true }, stop.signal);
      const ended = working.then(
        ({ ran }) => ({ ran, error: null, afterMs: clock.now() - startedAt }),
        (error: unknown) => ({ ran: 1, error, afterMs: clock.now() - startedAt }),
      );
      await clock.runFor(1_000);
      obstacle = unread;
      await clock.runFor(awayMs);
      obstacle = null;
      harness.put(id + 1, {}, taking(10_000));
      await clock.run(working).catch(() => undefined);
      const { ran, error, afterMs } = await ended;
      assert.equal(isProblem(error, 'queue-incomplete'), hasEnded);
      assert.equal(ran, hasEnded ? 1 : 2);
      if (hasEnded) assert.ok(afterMs >= 40_000 && afterMs <= 60_000, String(afterMs));
    }
  });

  it('ends at the second look a run that would end with its last task, if the file was never readable', async () => {
    const { clock } = harness;
    obstacle = new Problem('queue-incomplete', 'The file is empty.');
    const working = work(harness.createWorker({ queue }), { untilEmpty: true }, stop.signal);
    await assert.rejects(clock.run(working), { reason: 'queue-incomplete' });
    assert.ok(clock.now() - EVENING < 10_000, String(clock.now() - EVENING));
  });

  it('ends at once if it was never reachable', async () => {
    const missing = new Problem('queue-missing', 'There is no queue file.');
    const none = Object.assign(Object.create(queue) as TaskQueue, { read: () => Promise.reject(missing) });
    const working = work(harness.createWorker({ queue: none }), {}, stop.signal);
    await assert.rejects(harness.clock.run(working), { reason: 'queue-missing' });
  });

  it('ends with an error that is not transient', async () => {
    const working = work(harness.createWorker({ queue }), {}, stop.signal);
    await harness.clock.runFor(MINUTE_MS);
    obstacle = new Problem('state-newer', 'A newer program wrote this.');
    await assert.rejects(harness.clock.run(working), { reason: 'state-newer' });
  });

  it('can be stopped meanwhile', async () => {
    const working = work(harness.createWorker({ queue }), {}, stop.signal);
    await harness.clock.runFor(MINUTE_MS);
    obstacle = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    await harness.clock.runFor(MINUTE_MS);
    stop.abort();
    assert.equal((await harness.clock.run(working)).ran, 0);
  });
});
