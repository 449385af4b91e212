import assert from 'node:assert/strict';
import type { TaskId } from '../../../src/domain/task/task';
import { whileEnlisted } from '../../../src/worker/registered';
import type { WorkerParts } from '../../../src/worker/workerDeps';
import type { Stretch } from '../../../src/worker/bounds/runSummary';
import { work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MINUTE_MS, SUCCESS, taking } from './bench';

const NEVER = new AbortController().signal;
const SEVERAL = { min: 3, max: 3 };
const AS_NEEDED = { min: 1, max: 4 };

let bench: Bench;

function prepareEach(): void {
  beforeEach(() => {
    bench = new Bench({ maxRunning: 10 });
  });
  afterEach(() => bench.remove());
}

/** Tasks of so many minutes, each in a directory of its own. */
function put(ids: readonly TaskId[], minutes: number): void {
  for (const id of ids) bench.put(id, { workingDir: `/place/${id}` }, taking(minutes * MINUTE_MS));
}

function workThrough(changes: Partial<WorkerParts>): Promise<Stretch> {
  return bench.clock.run(work(bench.createWorker(changes), { untilEmpty: true }, NEVER));
}

describe('One worker that runs several tasks at once', () => {
  prepareEach();

  it('runs as many as it was told, and the next as soon as one has ended', async () => {
    put([1, 2], 10);
    put([3], 25);
    put([4, 5], 10);
    assert.equal((await workThrough({ lanes: SEVERAL })).ran, 5);
    assert.deepEqual(bench.diary, ['18:00 1', '18:00 2', '18:00 3', '18:10 4', '18:10 5']);
    assert.equal(bench.mostAtOnce, 3);
  });

  it('holds all of its tasks as one worker, each with a claim of its own', async () => {
    put([1, 2], 10);
    const parts = bench.createWorker({ lanes: SEVERAL });
    const working = work(parts, { untilEmpty: true }, NEVER);
    await bench.clock.runFor(MINUTE_MS);
    const claims = await bench.claims();
    assert.deepEqual(
      claims.map(({ owner }) => owner),
      [parts.owner, parts.owner],
    );
    assert.equal(new Set(claims.map(({ token }) => token)).size, 2);
    await bench.clock.run(working);
  });

  it('never runs more than the queue allows', async () => {
    bench.remove();
    bench = new Bench({ maxRunning: 2 });
    put([1, 2, 3], 10);
    await workThrough({ lanes: SEVERAL });
    assert.deepEqual(bench.diary, ['18:00 1', '18:00 2', '18:10 3']);
  });

  it('never runs two in one directory', async () => {
    bench.put(1, {}, taking(10 * MINUTE_MS));
    bench.put(2, {}, taking(10 * MINUTE_MS));
    put([3], 10);
    await workThrough({ lanes: SEVERAL });
    assert.deepEqual(bench.diary, ['18:00 1', '18:00 3', '18:10 2']);
  });

  it('begins what a task that has ended lets run, while others go on', async () => {
    put([1], 10);
    put([2], HOUR_MS / MINUTE_MS);
    bench.put(3, { dependencies: [1], workingDir: '/place/3' });
    await workThrough({ lanes: SEVERAL });
    assert.deepEqual(bench.diary, ['18:00 1', '18:00 2', '18:10 3']);
  });

  it('begins a task that is added while others run, without a moment’s delay', async () => {
    put([1], HOUR_MS / MINUTE_MS);
    const working = work(bench.createWorker({ lanes: SEVERAL }), { untilEmpty: true }, NEVER);
    await bench.clock.runUntil(EVENING + 1234);
    put([2], 1);
    await bench.clock.settle();
    assert.equal(bench.runs[1]?.at, EVENING + 1234);
    await bench.clock.run(working);
  });

  it('says nothing of waiting while one of its tasks runs', async () => {
    put([1], 10);
    bench.store.put(bench.put(2), { scheduledAt: EVENING + HOUR_MS });
    const stop = new AbortController();
    const working = work(bench.createWorker({ lanes: SEVERAL }), {}, stop.signal);
    await bench.clock.runFor(30 * MINUTE_MS);
    stop.abort();
    await bench.clock.run(working);
    assert.deepEqual(
      bench.told.filter((line) => line.includes('waiting')),
      ['18:10 waiting: not before 19:00'],
    );
  });

  it('stopped by a signal ends all of its runs, which go on later', async () => {
    put([1, 2, 3], 60);
    const stop = new AbortController();
    const working = work(bench.createWorker({ lanes: SEVERAL }), {}, stop.signal);
    await bench.clock.runFor(20 * MINUTE_MS);
    stop.abort();
    assert.equal((await bench.clock.run(working)).ran, 3);
    assert.equal(bench.timeOf(bench.clock.now()), '18:20');
    const { tasks, claims } = await bench.queue.read();
    assert.deepEqual(
      tasks.map(({ state }) => [state.status, state.resume, state.retryCount]),
      [1, 2, 3].map(() => ['pending', 'stopped', 0]),
    );
    assert.deepEqual(claims, []);
  });

  it('asked to stop after its tasks lets each of them come to its end', async () => {
    put([1], 10);
    put([2], 30);
    put([3], 10);
    const working = work(bench.createWorker({ lanes: { min: 2, max: 2 } }), {}, NEVER);
    await bench.clock.runFor(MINUTE_MS);
    await bench.queue.stop('after-task', 'stop');
    assert.equal((await bench.clock.run(working)).ran, 2);
    assert.deepEqual(bench.diary, ['18:00 1', '18:00 2']);
    assert.equal(bench.timeOf(bench.clock.now()), '18:30');
  });

  it('that one run breaks begins nothing more, lets the others end, and then tells what broke', async () => {
    put([1], 20);
    bench.put(2, { workingDir: '/place/2' }, () => Promise.reject(new Error('A bug.')));
    put([3], 20);
    const working = work(bench.createWorker({ lanes: { min: 2, max: 2 } }), {}, NEVER);
    await assert.rejects(bench.clock.run(working), /A bug/);
    assert.deepEqual(bench.diary, ['18:00 1', '18:00 2']);
    assert.equal((await bench.task(1)).state.status, 'completed');
  });

  it('waits out one limit with all of its tasks, and goes on with them', async () => {
    const signal = { kind: 'five_hour', resetAt: EVENING + HOUR_MS, message: 'limit' } as const;
    for (const id of [1, 2]) {
      bench.put(id, { workingDir: `/place/${id}` }, (run, stop) =>
        taking(id * MINUTE_MS, run.earlier > 0 ? SUCCESS : { outcome: 'limit', reason: 'five_hour', signal })(
          run,
          stop,
        ),
      );
    }
    put([3], 10);
    await workThrough({ lanes: { min: 2, max: 2 } });
    assert.deepEqual(bench.diary, ['18:00 1', '18:00 2', '19:01 1', '19:01 2', '19:02 3']);
  });
});

describe('A worker whose number of runs follows the work', () => {
  prepareEach();

  it('runs one more while more is ready than it runs', async () => {
    put([1, 2], 10);
    await workThrough({ lanes: AS_NEEDED });
    assert.deepEqual(bench.diary, ['18:00 1', '18:10 2']);

    put([11, 12, 13, 14, 15, 16, 17, 18], 10);
    await workThrough({ lanes: AS_NEEDED });
    assert.equal(bench.mostAtOnce, 4);
  });

  it('never runs more than its most, and grows when work arrives', async () => {
    put([1], HOUR_MS / MINUTE_MS);
    const working = work(bench.createWorker({ lanes: { min: 1, max: 2 } }), { untilEmpty: true }, NEVER);
    await bench.clock.runFor(10 * MINUTE_MS);
    put([2, 3, 4, 5], 10);
    await bench.clock.run(working);
    assert.deepEqual(bench.diary.slice(0, 3), ['18:00 1', '18:10 2', '18:20 3']);
    assert.equal(bench.mostAtOnce, 2);
  });

  it('falls back to one run when the work is done', async () => {
    put([1, 2, 3, 4, 5, 6], 10);
    const stop = new AbortController();
    const working = work(bench.createWorker({ lanes: AS_NEEDED }), {}, stop.signal);
    await bench.clock.runFor(HOUR_MS);
    assert.ok(bench.mostAtOnce > 1);
    bench.mostAtOnce = 0;
    put([7, 8], 10);
    await bench.clock.runFor(HOUR_MS);
    assert.equal(bench.mostAtOnce, 1);
    stop.abort();
    await bench.clock.run(working);
  });
});

describe('A pool', () => {
  prepareEach();

  const FAST = { priorities: ['critical', 'high'] } as const;

  it('takes only tasks of its priorities, and leaves the others to a shared one', async () => {
    bench.put(1, { priority: 'low', workingDir: '/place/1' });
    bench.put(2, { priority: 'high', workingDir: '/place/2' });
    bench.put(3, { priority: 'critical', workingDir: '/place/3' });
    assert.equal((await workThrough({ choice: FAST })).ran, 2);
    assert.deepEqual(bench.diary, ['18:00 3', '18:01 2']);
    await workThrough({});
    assert.deepEqual(bench.diary.slice(2), ['18:02 1']);
  });

  it('takes a task, too, that has waited so long that it counts as one of its own', async () => {
    bench.put(1, { priority: 'medium' });
    const stop = new AbortController();
    const working = work(bench.createWorker({ choice: FAST }), {}, stop.signal);
    await bench.clock.runFor(5 * HOUR_MS);
    stop.abort();
    await bench.clock.run(working);
    assert.equal(bench.runs.length, 1);
    assert.ok((bench.runs[0]?.at ?? 0) >= EVENING + 4 * HOUR_MS);
  });

  it('for the urgent goes on while the shared one is at a long task', async () => {
    put([1], 120);
    const shared = work(bench.createWorker(), { untilEmpty: true }, NEVER);
    await bench.clock.runFor(MINUTE_MS);
    bench.put(2, { priority: 'critical', workingDir: '/place/2' });
    bench.put(3, { priority: 'low', workingDir: '/place/3' });
    const fast = work(bench.createWorker({ choice: FAST }), { untilEmpty: true }, NEVER);
    await bench.clock.run(Promise.all([shared, fast]));
    assert.deepEqual(bench.diary, ['18:00 1', '18:01 2', '20:00 3']);
  });

  it('grows only for tasks that it may take', async () => {
    for (const id of [1, 2, 3, 4]) bench.put(id, { priority: 'low', workingDir: `/place/${id}` });
    bench.put(5, { priority: 'high', workingDir: '/place/5' }, taking(10 * MINUTE_MS));
    bench.put(6, { priority: 'high', workingDir: '/place/6' }, taking(10 * MINUTE_MS));
    await workThrough({ choice: FAST, lanes: AS_NEEDED });
    assert.deepEqual(bench.diary, ['18:00 5', '18:10 6']);
  });

  it('has one worker that wants to be alone; another pool’s is not in its way', async () => {
    const inPool = (pool?: string): WorkerParts => {
      const parts = bench.createWorker();
      return pool === undefined ? parts : { ...parts, owner: { ...parts.owner, pool } };
    };
    const first = inPool('fast');
    const here = (): Promise<string> => Promise.resolve('worked');
    await whileEnlisted(first, { alone: true }, async () => {
      const second = await whileEnlisted(inPool('fast'), { alone: true }, here);
      assert.deepEqual(second, { kind: 'taken', by: { owner: first.owner, since: first.since } });
      assert.equal(await whileEnlisted(inPool('slow'), { alone: true }, here), 'worked');
      assert.equal(await whileEnlisted(inPool(), { alone: true }, here), 'worked');
    });
  });

  it('is named where people read who runs a task', async () => {
    bench.remove();
    bench = new Bench({ maxRunning: 1 });
    put([1, 2], 10);
    const parts = bench.createWorker();
    const first = work({ ...parts, owner: { ...parts.owner, pool: 'fast' } }, { maxTasks: 1 }, NEVER);
    await bench.clock.runFor(MINUTE_MS);
    await bench.clock.run(Promise.all([first, work(bench.createWorker(), { untilEmpty: true }, NEVER)]));
    assert.ok(bench.told.includes('18:01 waiting: worker w1 (fast) is running 1'), bench.told.join('\n'));
  });
});

describe('A worker that serves some users first', () => {
  prepareEach();

  it('runs their tasks before others, whatever the place', async () => {
    bench.put(1, { priority: 'high', user: 'eve' });
    bench.put(2, { user: 'ada' });
    bench.put(3, { user: 'bob' });
    await workThrough({ choice: { users: ['ada', 'bob'] } });
    assert.deepEqual(bench.diary, ['18:00 2', '18:01 3', '18:02 1']);
  });

  it('helps others out while none of theirs is ready', async () => {
    bench.put(1, { user: 'eve', workingDir: '/place/1' }, taking(10 * MINUTE_MS));
    bench.put(2, { user: 'eve', workingDir: '/place/2' }, taking(10 * MINUTE_MS));
    const working = work(bench.createWorker({ choice: { users: ['ada'] } }), { untilEmpty: true }, NEVER);
    await bench.clock.runFor(MINUTE_MS);
    bench.put(3, { user: 'ada', priority: 'low', workingDir: '/place/3' });
    await bench.clock.run(working);
    assert.deepEqual(bench.diary, ['18:00 1', '18:10 3', '18:11 2']);
  });
});
