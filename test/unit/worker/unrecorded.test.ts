import assert from 'node:assert/strict';
import type { ApprovalSet } from '../../../src/domain/task/approval';
import type { GateView } from '../../../src/domain/gate/gate';
import { Problem } from '../../../src/domain/problem';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import type { WorkerGate } from '../../../src/worker/workerDeps';
import { runOne } from '../../../src/worker/runOne';
import { work } from '../../../src/worker/work';
import { Harness, EVENING, HOUR_MS, MINUTE_MS } from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;

describe('The end of an attempt after which nothing can be claimed', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
    harness.put(1);
    harness.put(2);
  });

  const ends = async (): Promise<string[]> =>
    (await harness.queue.attempts({})).map(({ outcome }) => outcome);

  const failures: Readonly<Record<string, Error>> = {
    'the approvals are damaged': new Problem('state-damaged', 'The approvals cannot be read.'),
    'the approvals are a newer version’s': new Problem(
      'state-newer',
      'The approvals are of a newer version.',
    ),
    'the disk fails in a new way': Object.assign(new Error('ENXIO: no such device'), { code: 'ENXIO' }),
  };
  for (const [what, failure] of Object.entries(failures)) {
    it(`because ${what} is recorded, and the worker ends with the reason`, async () => {
      const readApprovedRows = (): Promise<ApprovalSet> =>
        harness.runs.length === 0
          ? Promise.resolve({ trusted: true, approvals: new Set<string>() })
          : Promise.reject(failure);
      const working = work(harness.createWorker({ readApprovedRows }), {}, NEVER);
      await assert.rejects(harness.clock.run(working), failure);
      assert.deepEqual(await ends(), ['success']);
      assert.deepEqual(
        harness.reported.filter((line) => line.includes('trouble')),
        [],
      );
      assert.ok(harness.clock.now() < EVENING + 2 * MINUTE_MS);
    });
  }

  it('because Claude Code is slow to report its sign-in is recorded at once, and the next task starts afterwards', async () => {
    const view = async (): Promise<GateView> => {
      if (harness.runs.length === 1) await harness.clock.sleep(30_000);
      return harness.gate.now;
    };
    const gate = Object.assign(Object.create(harness.gate) as WorkerGate, { view });
    const working = work(harness.createWorker({ gate }), { untilEmpty: true }, NEVER);
    await harness.clock.runUntil(EVENING + MINUTE_MS + 1_000);
    assert.deepEqual(await ends(), ['success']);
    await harness.clock.run(working);
    assert.deepEqual(await ends(), ['success', 'success']);
  });
});

describe('The end of an attempt whose queue is gone', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });

  /** A queue whose folder is gone: each try takes N milliseconds. */
  function goneQueue(tryMs = 0): TaskQueue {
    const gone = async (): Promise<never> => {
      await harness.clock.sleep(tryMs);
      throw new Problem('queue-missing', 'There is no queue file.');
    };
    return Object.assign(Object.create(harness.queue) as TaskQueue, { finish: gone });
  }

  for (const tryMs of [0, 30_000]) {
    it(`of a single task is abandoned with a message when each try takes ${String(tryMs / 1000)} s`, async () => {
      harness.put(1);
      const running = runOne(harness.createWorker({ queue: goneQueue(tryMs) }), {}, NEVER);
      await assert.rejects(harness.clock.run(running), { reason: 'queue-missing' });
      const waitedMs = harness.clock.now() - EVENING - MINUTE_MS;
      assert.ok(waitedMs >= MINUTE_MS && waitedMs <= 2 * MINUTE_MS, String(waitedMs));
      assert.match(
        harness.reported.at(-1) ?? '',
        /trouble: The end of task 1 \(success: Done\.\) is not recorded\. Its output is in \S+\/state\/outputs\/\S+,/,
      );
    });
  }

  it('keeps a worker running, which reports it each hour, until it is stopped', async () => {
    harness.put(1);
    const stop = new AbortController();
    const working = work(harness.createWorker({ queue: goneQueue(30_000) }), {}, stop.signal);
    await harness.clock.runFor(3 * HOUR_MS);
    const reported = harness.reported.filter((line) => line.includes('could not be written'));
    assert.equal(reported.length, 3, reported.join('\n'));
    const stoppedAt = harness.clock.now();
    stop.abort();
    await assert.rejects(harness.clock.run(working), { reason: 'queue-missing' });
    assert.ok(harness.clock.now() - stoppedAt <= 2 * MINUTE_MS);
  });
});
