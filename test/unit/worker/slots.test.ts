import assert from 'node:assert/strict';
import type { TaskId } from '../../../src/domain/task/task';
import { whileRegistered } from '../../../src/worker/registered';
import type { WorkerDeps } from '../../../src/worker/workerDeps';
import type { RunSummary } from '../../../src/worker/bounds/runCounters';
import { work } from '../../../src/worker/work';
import { Harness, EVENING, HOUR_MS, MINUTE_MS, SUCCESS, taking } from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;
const SEVERAL = { min: 3, max: 3 };
const AS_NEEDED = { min: 1, max: 4 };

let harness: Harness;

function prepareEach(): void {
  beforeEach(() => {
    harness = new Harness({ maxRunning: 10 });
  });
}

/** Tasks of N minutes, each in a directory of its own. */
function put(ids: readonly TaskId[], minutes: number): void {
  for (const id of ids) harness.put(id, { workingDir: `/place/${id}` }, taking(minutes * MINUTE_MS));
}

function workThrough(changes: Partial<WorkerDeps>): Promise<RunSummary> {
  return harness.clock.run(work(harness.createWorker(changes), { untilEmpty: true }, NEVER));
}

describe('A worker with several slots', () => {
  prepareEach();

  it('runs as many tasks as it has slots, and the next as soon as one has ended', async () => {
    put([1, 2], 10);
    put([3], 25);
    put([4, 5], 10);
    assert.equal((await workThrough({ slots: SEVERAL })).ran, 5);
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2', '18:00 3', '18:10 4', '18:10 5']);
    assert.equal(harness.mostAtOnce, 3);
  });

  it('has a claim for each of its tasks, as one worker', async () => {
    put([1, 2], 10);
    const parts = harness.createWorker({ slots: SEVERAL });
    const working = work(parts, { untilEmpty: true }, NEVER);
    await harness.clock.runFor(MINUTE_MS);
    const claims = await harness.claims();
    assert.deepEqual(
      claims.map(({ owner }) => owner),
      [parts.owner, parts.owner],
    );
    assert.equal(new Set(claims.map(({ token }) => token)).size, 2);
    await harness.clock.run(working);
  });

  it('never runs more than the queue allows', async () => {
    harness = new Harness({ maxRunning: 2 });
    put([1, 2, 3], 10);
    await workThrough({ slots: SEVERAL });
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2', '18:10 3']);
  });

  it('never runs two in one directory', async () => {
    harness.put(1, {}, taking(10 * MINUTE_MS));
    harness.put(2, {}, taking(10 * MINUTE_MS));
    put([3], 10);
    await workThrough({ slots: SEVERAL });
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 3', '18:10 2']);
  });

  it('starts dependents of an ended task while others continue', async () => {
    put([1], 10);
    put([2], HOUR_MS / MINUTE_MS);
    harness.put(3, { dependencies: [1], workingDir: '/place/3' });
    await workThrough({ slots: SEVERAL });
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2', '18:10 3']);
  });

  it('starts an added task at once while others run', async () => {
    put([1], HOUR_MS / MINUTE_MS);
    const working = work(harness.createWorker({ slots: SEVERAL }), { untilEmpty: true }, NEVER);
    await harness.clock.runUntil(EVENING + 1234);
    put([2], 1);
    await harness.clock.settle();
    assert.equal(harness.runs[1]?.at, EVENING + 1234);
    await harness.clock.run(working);
  });

  it('does not report waiting while one of its tasks runs', async () => {
    put([1], 10);
    harness.store.put(harness.put(2), { scheduledAt: EVENING + HOUR_MS });
    const stop = new AbortController();
    const working = work(harness.createWorker({ slots: SEVERAL }), {}, stop.signal);
    await harness.clock.runFor(30 * MINUTE_MS);
    stop.abort();
    await harness.clock.run(working);
    assert.deepEqual(
      harness.reported.filter((line) => line.includes('waiting')),
      ['18:10 waiting: not before 19:00'],
    );
  });

  it('ends all of its attempts at a signal; their tasks resume later', async () => {
    put([1, 2, 3], 60);
    const stop = new AbortController();
    const working = work(harness.createWorker({ slots: SEVERAL }), {}, stop.signal);
    await harness.clock.runFor(20 * MINUTE_MS);
    stop.abort();
    assert.equal((await harness.clock.run(working)).ran, 3);
    assert.equal(harness.timeOf(harness.clock.now()), '18:20');
    const { tasks, claims } = await harness.queue.read();
    assert.deepEqual(
      tasks.map(({ state }) => [state.status, state.resume, state.retryCount]),
      [1, 2, 3].map(() => ['pending', 'stopped', 0]),
    );
    assert.deepEqual(claims, []);
  });

  it('at a signal while it claims claims nothing more, and returns the task', async () => {
    put([1, 2], 10);
    const stop = new AbortController();
    let claims = 0;
    const queue = harness.queueWith({
      claim: async (...args) => {
        claims += 1;
        if (claims > 9) throw new Error('It claims again and again.');
        const next = await harness.queue.claim(...args);
        stop.abort();
        return next;
      },
    });
    await harness.clock.run(work(harness.createWorker({ queue, slots: SEVERAL }), {}, stop.signal));
    assert.deepEqual([claims, harness.runs.length, await harness.claims()], [1, 0, []]);
  });

  it('lets each task end when asked to stop after its tasks', async () => {
    put([1], 10);
    put([2], 30);
    put([3], 10);
    const working = work(harness.createWorker({ slots: { min: 2, max: 2 } }), {}, NEVER);
    await harness.clock.runFor(MINUTE_MS);
    await harness.queue.stop('after-task', 'stop');
    assert.equal((await harness.clock.run(working)).ran, 2);
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2']);
    assert.equal(harness.timeOf(harness.clock.now()), '18:30');
  });

  it('that one attempt breaks starts nothing more, lets the others end, and then reports the error', async () => {
    put([1], 20);
    harness.put(2, { workingDir: '/place/2' }, () => Promise.reject(new Error('A bug.')));
    put([3], 20);
    const working = work(harness.createWorker({ slots: { min: 2, max: 2 } }), {}, NEVER);
    await assert.rejects(harness.clock.run(working), /A bug/);
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2']);
    assert.equal((await harness.task(1)).state.status, 'completed');
  });

  it('waits out one limit with all of its tasks, and continues with them', async () => {
    const signal = { kind: 'five_hour', resetAt: EVENING + HOUR_MS, message: 'limit' } as const;
    for (const id of [1, 2]) {
      harness.put(id, { workingDir: `/place/${id}` }, (run, stop) =>
        taking(id * MINUTE_MS, run.earlier > 0 ? SUCCESS : { outcome: 'limit', reason: 'five_hour', signal })(
          run,
          stop,
        ),
      );
    }
    put([3], 10);
    await workThrough({ slots: { min: 2, max: 2 } });
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2', '19:01 1', '19:01 2', '19:02 3']);
  });
});

describe('A worker with a range of slots', () => {
  prepareEach();

  it('adds a slot while more tasks are ready than running', async () => {
    put([1, 2], 10);
    await workThrough({ slots: AS_NEEDED });
    assert.deepEqual(harness.diary, ['18:00 1', '18:10 2']);

    put([11, 12, 13, 14, 15, 16, 17, 18], 10);
    await workThrough({ slots: AS_NEEDED });
    assert.equal(harness.mostAtOnce, 4);
  });

  it('never runs more than its maximum, and grows when tasks are added', async () => {
    put([1], HOUR_MS / MINUTE_MS);
    const working = work(harness.createWorker({ slots: { min: 1, max: 2 } }), { untilEmpty: true }, NEVER);
    await harness.clock.runFor(10 * MINUTE_MS);
    put([2, 3, 4, 5], 10);
    await harness.clock.run(working);
    assert.deepEqual(harness.diary.slice(0, 3), ['18:00 1', '18:10 2', '18:20 3']);
    assert.equal(harness.mostAtOnce, 2);
  });

  it('shrinks to one slot when the tasks are done', async () => {
    put([1, 2, 3, 4, 5, 6], 10);
    const stop = new AbortController();
    const working = work(harness.createWorker({ slots: AS_NEEDED }), {}, stop.signal);
    await harness.clock.runFor(HOUR_MS);
    assert.ok(harness.mostAtOnce > 1);
    harness.mostAtOnce = 0;
    put([7, 8], 10);
    await harness.clock.runFor(HOUR_MS);
    assert.equal(harness.mostAtOnce, 1);
    stop.abort();
    await harness.clock.run(working);
  });
});

describe('A pool', () => {
  prepareEach();

  const FAST = { priorities: ['critical', 'high'] } as const;

  it('runs only tasks of its priorities, and leaves the others to a shared worker', async () => {
    harness.put(1, { priority: 'low', workingDir: '/place/1' });
    harness.put(2, { priority: 'high', workingDir: '/place/2' });
    harness.put(3, { priority: 'critical', workingDir: '/place/3' });
    assert.equal((await workThrough({ choice: FAST })).ran, 2);
    assert.deepEqual(harness.diary, ['18:00 3', '18:01 2']);
    await workThrough({});
    assert.deepEqual(harness.diary.slice(2), ['18:02 1']);
  });

  it('runs a task that waiting has promoted to one of its priorities', async () => {
    harness.put(1, { priority: 'medium' });
    const stop = new AbortController();
    const working = work(harness.createWorker({ choice: FAST }), {}, stop.signal);
    await harness.clock.runFor(5 * HOUR_MS);
    stop.abort();
    await harness.clock.run(working);
    assert.equal(harness.runs.length, 1);
    assert.ok((harness.runs[0]?.at ?? 0) >= EVENING + 4 * HOUR_MS);
  });

  it('for urgent tasks continues while the shared one runs a long task', async () => {
    put([1], 120);
    const shared = work(harness.createWorker(), { untilEmpty: true }, NEVER);
    await harness.clock.runFor(MINUTE_MS);
    harness.put(2, { priority: 'critical', workingDir: '/place/2' });
    harness.put(3, { priority: 'low', workingDir: '/place/3' });
    const fast = work(harness.createWorker({ choice: FAST }), { untilEmpty: true }, NEVER);
    await harness.clock.run(Promise.all([shared, fast]));
    assert.deepEqual(harness.diary, ['18:00 1', '18:01 2', '20:00 3']);
  });

  it('grows only for its own tasks', async () => {
    for (const id of [1, 2, 3, 4]) harness.put(id, { priority: 'low', workingDir: `/place/${id}` });
    harness.put(5, { priority: 'high', workingDir: '/place/5' }, taking(10 * MINUTE_MS));
    harness.put(6, { priority: 'high', workingDir: '/place/6' }, taking(10 * MINUTE_MS));
    await workThrough({ choice: FAST, slots: AS_NEEDED });
    assert.deepEqual(harness.diary, ['18:00 5', '18:10 6']);
  });

  it('has one worker with --alone; another pool’s does not matter', async () => {
    const inPool = (pool?: string): WorkerDeps => {
      const parts = harness.createWorker();
      return pool === undefined ? parts : { ...parts, owner: { ...parts.owner, pool } };
    };
    const first = inPool('fast');
    const here = (): Promise<string> => Promise.resolve('worked');
    const worked = { kind: 'ended', result: 'worked' };
    await whileRegistered(first, { alone: true }, async () => {
      const second = await whileRegistered(inPool('fast'), { alone: true }, here);
      assert.deepEqual(second, { kind: 'taken', by: { owner: first.owner, since: first.since } });
      assert.deepEqual(await whileRegistered(inPool('slow'), { alone: true }, here), worked);
      assert.deepEqual(await whileRegistered(inPool(), { alone: true }, here), worked);
    });
  });

  it('is named with the worker that runs a task', async () => {
    harness = new Harness({ maxRunning: 1 });
    put([1, 2], 10);
    const parts = harness.createWorker();
    const first = work({ ...parts, owner: { ...parts.owner, pool: 'fast' } }, { maxTasks: 1 }, NEVER);
    await harness.clock.runFor(MINUTE_MS);
    await harness.clock.run(Promise.all([first, work(harness.createWorker(), { untilEmpty: true }, NEVER)]));
    assert.ok(
      harness.reported.includes('18:01 waiting: worker w1 (fast) is running task 1'),
      harness.reported.join('\n'),
    );
  });
});

describe('A worker that serves some users first', () => {
  prepareEach();

  it('runs their tasks before others, whatever the place', async () => {
    harness.put(1, { priority: 'high', user: 'eve' });
    harness.put(2, { user: 'ada' });
    harness.put(3, { user: 'bob' });
    await workThrough({ choice: { users: ['ada', 'bob'] } });
    assert.deepEqual(harness.diary, ['18:00 2', '18:01 3', '18:02 1']);
  });

  it('runs tasks of others while none of theirs is ready', async () => {
    harness.put(1, { user: 'eve', workingDir: '/place/1' }, taking(10 * MINUTE_MS));
    harness.put(2, { user: 'eve', workingDir: '/place/2' }, taking(10 * MINUTE_MS));
    const working = work(harness.createWorker({ choice: { users: ['ada'] } }), { untilEmpty: true }, NEVER);
    await harness.clock.runFor(MINUTE_MS);
    harness.put(3, { user: 'ada', priority: 'low', workingDir: '/place/3' });
    await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:00 1', '18:10 3', '18:11 2']);
  });
});
