import assert from 'node:assert/strict';
import type { AttemptFacts, Job } from '../../../src/domain/task/attempt';
import type { TaskId } from '../../../src/domain/task/task';
import { describeWant, type WorkerParts } from '../../../src/worker/workerDeps';
import { tendLostRuns } from '../../../src/worker/attempt/lostRuns';
import { work } from '../../../src/worker/worker';
import { Bench, MACHINE, MINUTE_MS, taking } from './bench';

const NEVER = new AbortController().signal;

describe('A run whose worker died', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.remove());

  /** A worker claims a task, starts its run, and dies. */
  async function die(
    choice: { id?: TaskId } = {},
  ): Promise<{ parts: WorkerParts; run: number; session: string }> {
    const parts = bench.createWorker();
    const want = await describeWant(parts, { ...choice, override: { time: true } });
    const claimed = await bench.queue.claim(want, bench.createId());
    assert.equal(claimed.kind, 'claimed');
    const run = bench.processes.create();
    await bench.queue.start(claimed.claim, run, bench.createId());
    bench.processes.alive.delete(parts.owner.process.pid);
    return { parts, run: run.pid, session: claimed.claim.session };
  }

  it('goes on in its session, after what is left of it was ended', async () => {
    bench.put(1);
    const { run, session } = await die();
    await bench.clock.run(work(bench.createWorker(), { untilEmpty: true }, NEVER));
    assert.ok(bench.processes.ended.includes(run));
    assert.equal(bench.processes.alive.has(run), false);
    assert.deepEqual(
      bench.runs.map(({ job }) => [job.session, job.resume]),
      [[session, 'lost']],
    );
    assert.deepEqual(bench.told.slice(0, 2), ['18:00 lost 1', '18:00 started 1']);
    const history = (await bench.queue.attempts({})).map(({ outcome, number }) => [number, outcome]);
    assert.deepEqual(history, [
      [2, 'success'],
      [1, 'lost'],
    ]);
  });

  it('has in its history what it used until then', async () => {
    bench.put(1);
    const { session } = await die();
    const tokens = { input: 3, output: 7, cacheRead: 0, cacheWrite: 0 };
    const tracesOf = (job: Pick<Job, 'session'>): Promise<AttemptFacts> =>
      Promise.resolve(job.session === session ? { tokens } : {});
    const next = bench.createWorker({ runner: { ...bench.runner, tracesOf } });
    await bench.clock.run(work(next, { untilEmpty: true }, NEVER));
    const history = await bench.queue.attempts({});
    assert.deepEqual(history.at(-1)?.tokens, tokens);
  });

  it('is not counted the first time, and from the second in a row on it is', async () => {
    bench.put(1);
    const counts: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      await die({ id: 1 });
      await tendLostRuns(bench.createWorker());
      counts.push((await bench.task(1)).state.retryCount);
    }
    assert.deepEqual(counts, [0, 1, 2]);
  });

  it('is left alone while it cannot be ended: its session must not be used twice', async () => {
    bench.put(1);
    const { run } = await die();
    bench.processes.endTree = () => Promise.resolve();
    await tendLostRuns(bench.createWorker());
    assert.equal(bench.processes.alive.has(run), true);
    assert.equal((await bench.claims()).length, 1);
    assert.deepEqual(bench.told, []);
  });

  it('is ended of one task alone where somebody sees to that one', async () => {
    bench.remove();
    bench = new Bench({ maxRunning: 2 });
    bench.put(1);
    bench.put(2, { workingDir: '/elsewhere' });
    const first = await die({ id: 1 });
    // Its run has ended by itself, and still something of it may be there.
    const second = await die({ id: 2 });
    bench.processes.alive.delete(second.run);
    await tendLostRuns(bench.createWorker(), 1);
    assert.deepEqual(bench.processes.ended, [first.run]);
    assert.deepEqual(
      (await bench.claims()).map(({ id }) => id),
      [2],
    );
  });

  it('is noticed by a worker that waits for it', async () => {
    bench.put(1, {}, taking(MINUTE_MS));
    const first = bench.createWorker();
    const claimed = await bench.queue.claim(await describeWant(first, {}), bench.createId());
    assert.equal(claimed.kind, 'claimed');
    const working = work(bench.createWorker(), { untilEmpty: true }, NEVER);
    await bench.clock.runFor(30 * MINUTE_MS);
    assert.deepEqual(bench.runs, []);
    assert.equal(bench.told.length, 1);
    assert.match(bench.told[0] ?? '', /^18:00 waiting: worker w1/);
    bench.processes.alive.delete(first.owner.process.pid);
    await bench.clock.run(working);
    assert.deepEqual(bench.diary, ['18:30 1']);
  });

  it('of another machine, or a person’s task, is not this machine’s to judge', async () => {
    bench.put(1);
    bench.put(2);
    const parts = bench.createWorker();
    const want = await describeWant(parts, { id: 1 });
    await bench.queue.claim({ ...want, owner: { kind: 'person', machine: MACHINE } }, bench.createId());
    const owner = { ...parts.owner, machine: 'elsewhere' };
    await bench.queue.claim({ ...want, id: 2, owner }, bench.createId());
    bench.processes.alive.clear();
    await tendLostRuns(bench.createWorker());
    assert.equal((await bench.claims()).length, 2);
    assert.deepEqual(bench.processes.ended, []);
  });
});
