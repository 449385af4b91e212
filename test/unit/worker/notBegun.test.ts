import assert from 'node:assert/strict';
import type { Met } from '../../../src/domain/gate/gateReport';
import type { GateView } from '../../../src/domain/gate/limits';
import { Fenced, Problem } from '../../../src/domain/problem';
import type { WorkerGate } from '../../../src/worker/workerDeps';
import { runOne, work } from '../../../src/worker/worker';
import { Bench, systemError } from './bench';

const NEVER = new AbortController().signal;

describe('A run that cannot be put on record', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.remove());

  it('does not begin; its task is given back and tried again', async () => {
    bench.put(1);
    let failures = 1;
    const queue = bench.queueWith({
      start: (...args) =>
        failures-- > 0 ? Promise.reject(systemError('ENOSPC')) : bench.queue.start(...args),
    });
    const stretch = await bench.clock.run(work(bench.createWorker({ queue }), { untilEmpty: true }, NEVER));
    assert.equal(stretch.ran, 1);
    assert.equal(bench.runs.length, 1);
    assert.equal((await bench.queue.read()).starts.length, 1);
    assert.match(bench.told[1] ?? '', /trouble: Task 1 could not be begun: ENOSPC/);
  });

  it('is given back as soon as that can be written, and is said to be given back', async () => {
    bench.put(1);
    let failures = 1;
    const queue = bench.queueWith({
      start: () => Promise.reject(systemError('ENOSPC')),
      release: (...args) =>
        failures-- > 0 ? Promise.reject(systemError('ENOSPC')) : bench.queue.release(...args),
    });
    assert.equal(await bench.clock.run(runOne(bench.createWorker({ queue }), {}, NEVER)), null);
    assert.match(bench.told[2] ?? '', /trouble: The return of the task could not be written, and will be /);
    assert.deepEqual(await bench.claims(), []);
  });

  it('gives its turn at the account’s gate back once', async () => {
    bench.put(1);
    const met: Met[] = [];
    const report = (one: Met): Promise<GateView> => (met.push(one), bench.gate.report(one));
    const gate = Object.assign(Object.create(bench.gate) as WorkerGate, { report });
    const queue = bench.queueWith({ start: () => Promise.reject(systemError('ENOSPC')) });
    assert.equal(await bench.clock.run(runOne(bench.createWorker({ queue, gate }), {}, NEVER)), null);
    assert.equal(met.length, 1);
    assert.equal(met[0]?.task?.id, 1);
  });

  it('because Claude Code is gone gives its task back and ends the worker with the reason', async () => {
    bench.put(1);
    const run = (): Promise<never> => Promise.reject(new Problem('claude-missing', 'There is no claude.'));
    const runner = { ...bench.runner, run };
    const working = work(bench.createWorker({ runner }), {}, NEVER);
    await assert.rejects(bench.clock.run(working), { reason: 'claude-missing' });
    assert.deepEqual(await bench.claims(), []);
    assert.equal((await bench.task(1)).state.lostInRow, 0);
  });

  it('because its folder leads elsewhere by now gives its task back, and nothing is counted', async () => {
    bench.put(1);
    let moves = 1;
    const run: typeof bench.runner.run = (...args) =>
      moves-- > 0
        ? Promise.reject(new Problem('folder-moved', 'Task 1 was not started.'))
        : bench.runner.run(...args);
    const runner = { ...bench.runner, run };
    const working = work(bench.createWorker({ runner }), { untilEmpty: true }, NEVER);
    assert.equal((await bench.clock.run(working)).ran, 1);
    assert.match(bench.told[1] ?? '', /trouble: Task 1 was not started\./);
    const [attempt, ...more] = await bench.queue.attempts({});
    assert.deepEqual(
      [attempt?.outcome, more.length, (await bench.queue.read()).starts.length],
      ['success', 0, 1],
    );
  });

  it('and was already taken over leaves the new claim alone', async () => {
    bench.put(1);
    const queue = bench.queueWith({
      start: () => Promise.reject(systemError('ENOSPC')),
      release: () => Promise.reject(new Fenced('Given to another owner.')),
    });
    assert.equal(await bench.clock.run(runOne(bench.createWorker({ queue }), {}, NEVER)), null);
  });

  it('is left to recovery when it broke after it was recorded', async () => {
    bench.put(1, {}, () => Promise.reject(new Error('A bug.')));
    await assert.rejects(bench.clock.run(work(bench.createWorker(), {}, NEVER)), /A bug/);
    assert.equal((await bench.claims()).length, 1);
  });
});
