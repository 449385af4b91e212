import assert from 'node:assert/strict';
import type { AttemptReport } from '../../../src/domain/gate/gateReport';
import type { GateView } from '../../../src/domain/gate/gate';
import { Fenced, Problem } from '../../../src/domain/problem';
import type { WorkerGate } from '../../../src/worker/workerDeps';
import { runOne } from '../../../src/worker/runOne';
import { work } from '../../../src/worker/work';
import { Harness, systemError } from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;

describe('An attempt that cannot be recorded', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });

  it('does not start; its task is returned and retried', async () => {
    harness.put(1);
    let failures = 1;
    const queue = harness.queueWith({
      start: (...args) =>
        failures-- > 0 ? Promise.reject(systemError('ENOSPC')) : harness.queue.start(...args),
    });
    const summary = await harness.clock.run(
      work(harness.createWorker({ queue }), { untilEmpty: true }, NEVER),
    );
    assert.equal(summary.ran, 1);
    assert.equal(harness.runs.length, 1);
    assert.equal((await harness.queue.read()).starts.length, 1);
    assert.match(harness.reported[1] ?? '', /trouble: Task 1 could not be started: ENOSPC/);
  });

  it('is returned as soon as that can be written, and reported as returned', async () => {
    harness.put(1);
    let failures = 1;
    const queue = harness.queueWith({
      start: () => Promise.reject(systemError('ENOSPC')),
      release: (...args) =>
        failures-- > 0 ? Promise.reject(systemError('ENOSPC')) : harness.queue.release(...args),
    });
    assert.equal(await harness.clock.run(runOne(harness.createWorker({ queue }), {}, NEVER)), null);
    assert.match(
      harness.reported[2] ?? '',
      /trouble: The return of the task could not be written, and will be /,
    );
    assert.deepEqual(await harness.claims(), []);
  });

  it('returns its admission of the account’s gate once', async () => {
    harness.put(1);
    const met: AttemptReport[] = [];
    const report = (one: AttemptReport): Promise<GateView> => (met.push(one), harness.gate.report(one));
    const gate = Object.assign(Object.create(harness.gate) as WorkerGate, { report });
    const queue = harness.queueWith({ start: () => Promise.reject(systemError('ENOSPC')) });
    assert.equal(await harness.clock.run(runOne(harness.createWorker({ queue, gate }), {}, NEVER)), null);
    assert.equal(met.length, 1);
    assert.equal(met[0]?.task?.id, 1);
  });

  it('because Claude Code is gone returns its task and ends the worker with the reason', async () => {
    harness.put(1);
    const run = (): Promise<never> => Promise.reject(new Problem('claude-missing', 'There is no claude.'));
    const runner = { ...harness.runner, run };
    const working = work(harness.createWorker({ runner }), {}, NEVER);
    await assert.rejects(harness.clock.run(working), { reason: 'claude-missing' });
    assert.deepEqual(await harness.claims(), []);
    assert.equal((await harness.task(1)).state.lostInRow, 0);
  });

  it('because an undo has its folder is due again after a minute, and others run meanwhile', async () => {
    harness.put(1);
    harness.put(2);
    let calls = 0;
    const awaitUndo = (): Promise<void> =>
      calls++ === 0 ? Promise.reject(new Problem('undo-running', 'An undo has it.')) : Promise.resolve();
    const now = harness.clock.now();
    await harness.clock.run(work(harness.createWorker({ awaitUndo }), { untilEmpty: true }, NEVER));
    const attempts = await harness.queue.attempts({});
    assert.deepEqual(
      attempts.map(({ id, startedAt }) => [id, startedAt - now >= 60_000]),
      [
        [1, true],
        [2, false],
      ],
    );
    assert.equal(calls, 3);
  });

  it('because its folder leads elsewhere by now returns its task, and counts nothing', async () => {
    harness.put(1);
    let moves = 1;
    const run: typeof harness.runner.run = (...args) =>
      moves-- > 0
        ? Promise.reject(new Problem('folder-moved', 'Task 1 was not started.'))
        : harness.runner.run(...args);
    const runner = { ...harness.runner, run };
    const working = work(harness.createWorker({ runner }), { untilEmpty: true }, NEVER);
    assert.equal((await harness.clock.run(working)).ran, 1);
    assert.match(harness.reported[1] ?? '', /trouble: Task 1 was not started\./);
    const [attempt, ...more] = await harness.queue.attempts({});
    assert.deepEqual(
      [attempt?.outcome, more.length, (await harness.queue.read()).starts.length],
      ['success', 0, 1],
    );
  });

  it('and was already taken over does not change the new claim', async () => {
    harness.put(1);
    const queue = harness.queueWith({
      start: () => Promise.reject(systemError('ENOSPC')),
      release: () => Promise.reject(new Fenced(1)),
    });
    assert.equal(await harness.clock.run(runOne(harness.createWorker({ queue }), {}, NEVER)), null);
  });

  it('is left to recovery if it broke after it was recorded', async () => {
    harness.put(1, {}, () => Promise.reject(new Error('A bug.')));
    await assert.rejects(harness.clock.run(work(harness.createWorker(), {}, NEVER)), /A bug/);
    assert.equal((await harness.claims()).length, 1);
  });
});
