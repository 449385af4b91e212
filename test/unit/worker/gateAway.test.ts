import assert from 'node:assert/strict';
import { Problem } from '../../../src/domain/problem';
import { work } from '../../../src/worker/work';
import type { WorkerGate } from '../../../src/worker/workerDeps';
import { EVENING, Harness, MINUTE_MS, taking } from '../../support/queue/workerHarness';

const BACK = EVENING + 30 * MINUTE_MS;

describe('A worker whose gate is in a Redis that is away', () => {
  /** Runs two tasks with a gate that is away from this call after the first attempt started. */
  async function workWhileAway(from: keyof WorkerGate): Promise<Harness> {
    const harness = new Harness({ maxRunning: 1 });
    let isAway = false;
    const ask = <T>(name: string, call: () => Promise<T>): Promise<T> => {
      isAway ||= name === from && harness.runs.length === 1 && harness.clock.now() > EVENING;
      if (!isAway || harness.clock.now() >= BACK) return call();
      return Promise.reject(new Problem('redis-away', 'Redis does not answer.'));
    };
    const gate: WorkerGate = {
      view: () => ask('view', () => harness.gate.view()),
      confirm: () => harness.gate.confirm(),
      report: (report) => ask('report', () => harness.gate.report(report)),
      admit: (starter) => ask('admit', () => harness.gate.admit(starter)),
    };
    for (const id of [1, 2]) harness.put(id, {}, taking(10 * MINUTE_MS));
    const worker = harness.createWorker({ gate });
    await harness.clock.run(work(worker, { untilEmpty: true }, new AbortController().signal));
    return harness;
  }

  for (const call of ['view', 'report', 'admit'] as const) {
    it(`starts nothing and loses no attempt if it is away from a call of ${call} on`, async () => {
      const harness = await workWhileAway(call);
      assert.deepEqual(
        harness.runs.map(({ id, at }) => [id, at >= BACK]),
        [
          [1, false],
          [2, true],
        ],
      );
      const attempts = await harness.queue.attempts({});
      assert.deepEqual(attempts.map(({ id, outcome }) => [id, outcome]).sort(), [
        [1, 'success'],
        [2, 'success'],
      ]);
      assert.ok(harness.reported.some((line) => line.includes('Redis does not answer.')));
      assert.ok(harness.reported.length < 20, harness.reported.join('\n'));
    });
  }
});
