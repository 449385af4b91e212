import assert from 'node:assert/strict';
import type { AttemptFacts, Job } from '../../../../src/domain/task/attempt';
import type { TaskId } from '../../../../src/domain/task/task';
import { buildClaimRequest, type WorkerDeps } from '../../../../src/worker/workerDeps';
import { recoverLost } from '../../../../src/worker/attempt/lostAttempts';
import { work } from '../../../../src/worker/work';
import { Harness, HOUR_MS, MACHINE, MINUTE_MS, taking } from '../../../support/queue/workerHarness';

const NEVER = new AbortController().signal;

describe('An attempt whose worker died', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });

  /** A worker claims a task, starts its run, and dies. */
  async function die(
    choice: { id?: TaskId } = {},
  ): Promise<{ parts: WorkerDeps; run: number; session: string }> {
    const parts = harness.createWorker();
    const request = await buildClaimRequest(parts, { ...choice, override: { time: true } });
    const claimed = await harness.queue.claim(request, harness.createId());
    assert.equal(claimed.kind, 'claimed');
    const run = harness.processes.create();
    await harness.queue.start(claimed.claim, run, harness.createId());
    harness.processes.alive.delete(parts.owner.process.pid);
    return { parts, run: run.pid, session: claimed.claim.session };
  }

  it('resumes its session after its leftover processes were ended', async () => {
    harness.put(1);
    const { run, session } = await die();
    await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.ok(harness.processes.ended.includes(run));
    assert.equal(harness.processes.alive.has(run), false);
    assert.deepEqual(
      harness.runs.map(({ job }) => [job.session, job.resume]),
      [[session, 'lost']],
    );
    assert.deepEqual(harness.reported.slice(0, 2), ['18:00 lost 1', '18:00 started 1']);
    const history = (await harness.queue.attempts({})).map(({ outcome, number }) => [number, outcome]);
    assert.deepEqual(history, [
      [2, 'success'],
      [1, 'lost'],
    ]);
  });

  it('has its usage so far in the history', async () => {
    harness.put(1);
    const { session } = await die();
    const tokens = { input: 3, output: 7, cacheRead: 0, cacheWrite: 0 };
    const tracesOf = (job: Pick<Job, 'session'>): Promise<AttemptFacts> =>
      Promise.resolve(job.session === session ? { tokens } : {});
    const next = harness.createWorker({ runner: { ...harness.runner, tracesOf } });
    await harness.clock.run(work(next, { untilEmpty: true }, NEVER));
    const history = await harness.queue.attempts({});
    assert.deepEqual(history.at(-1)?.tokens, tokens);
  });

  it('is counted from the second time in a row on', async () => {
    harness.put(1);
    const counts: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      await die({ id: 1 });
      await recoverLost(harness.createWorker());
      counts.push((await harness.task(1)).state.retryCount);
    }
    assert.deepEqual(counts, [0, 1, 2]);
  });

  it('is not resumed while it cannot be ended, since its session must not be used twice', async () => {
    harness.put(1);
    const { run } = await die();
    harness.processes.endTree = () => Promise.resolve();
    await recoverLost(harness.createWorker());
    assert.equal(harness.processes.alive.has(run), true);
    assert.equal((await harness.claims()).length, 1);
    assert.deepEqual(harness.reported, []);
  });

  it('is ended for one task if the user recovers that one', async () => {
    harness = new Harness({ maxRunning: 2 });
    harness.put(1);
    harness.put(2, { workingDir: '/elsewhere' });
    const first = await die({ id: 1 });
    // Its run has ended by itself, and still something of it may be there.
    const second = await die({ id: 2 });
    harness.processes.alive.delete(second.run);
    await recoverLost(harness.createWorker(), 1);
    assert.deepEqual(harness.processes.ended, [first.run]);
    assert.deepEqual(
      (await harness.claims()).map(({ id }) => id),
      [2],
    );
  });

  it('is noticed by a waiting worker', async () => {
    harness.put(1, {}, taking(MINUTE_MS));
    const first = harness.createWorker();
    const claimed = await harness.queue.claim(await buildClaimRequest(first, {}), harness.createId());
    assert.equal(claimed.kind, 'claimed');
    const working = work(harness.createWorker(), { untilEmpty: true }, NEVER);
    await harness.clock.runFor(30 * MINUTE_MS);
    assert.deepEqual(harness.runs, []);
    assert.equal(harness.reported.length, 1);
    assert.match(harness.reported[0] ?? '', /^18:00 waiting: worker w1/);
    harness.processes.alive.delete(first.owner.process.pid);
    await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:30 1']);
  });

  describe('while the other worker is busy', () => {
    /** A worker runs critical task 1, and another one low tasks of two hours. The first dies after `ms`. */
    async function dieAfter(ms: number): Promise<number> {
      harness = new Harness({ maxRunning: 2 });
      harness.put(1, { priority: 'critical' });
      for (const id of [2, 3, 4])
        harness.put(id, { priority: 'low', workingDir: `/place/${id}` }, taking(2 * HOUR_MS));
      const first = harness.createWorker();
      const request = await buildClaimRequest(first, { id: 1 });
      const claimed = await harness.queue.claim(request, harness.createId());
      assert.equal(claimed.kind, 'claimed');
      const run = harness.processes.create();
      await harness.queue.start(claimed.claim, run, harness.createId());
      void work(harness.createWorker(), { untilEmpty: true }, NEVER);
      await harness.clock.runFor(ms);
      harness.processes.alive.delete(first.owner.process.pid);
      return run.pid;
    }

    it('is recovered within seconds, and its leftover processes are ended', async () => {
      const run = await dieAfter(30 * MINUTE_MS);
      await harness.clock.runFor(10_000);
      assert.deepEqual(harness.reported, ['18:00 started 2', '18:30 lost 1']);
      assert.ok(harness.processes.ended.includes(run));
      assert.deepEqual(
        (await harness.claims()).map(({ id }) => id),
        [2],
      );
    });

    it('resumes before a lower task starts, although its worker died a moment before', async () => {
      await dieAfter(2 * HOUR_MS - 1);
      await harness.clock.runFor(5 * MINUTE_MS);
      assert.deepEqual(harness.diary, ['18:00 2', '20:00 1', '20:01 3']);
    });

    it('is looked for without a write', async () => {
      harness.put(1, {}, taking(HOUR_MS));
      void work(harness.createWorker(), { untilEmpty: true }, NEVER);
      await harness.clock.runFor(MINUTE_MS);
      const { revision } = await harness.queue.read();
      await harness.clock.runFor(10 * MINUTE_MS);
      assert.equal((await harness.queue.read()).revision, revision);
    });
  });

  it('of another machine, or of the user, is not recovered by this machine', async () => {
    harness.put(1);
    harness.put(2);
    const parts = harness.createWorker();
    const request = await buildClaimRequest(parts, { id: 1 });
    await harness.queue.claim(
      { ...request, owner: { kind: 'person', machine: MACHINE } },
      harness.createId(),
    );
    const owner = { ...parts.owner, machine: 'elsewhere' };
    await harness.queue.claim({ ...request, id: 2, owner }, harness.createId());
    harness.processes.alive.clear();
    await recoverLost(harness.createWorker());
    assert.equal((await harness.claims()).length, 2);
    assert.deepEqual(harness.processes.ended, []);
  });
});
