import assert from 'node:assert/strict';
import { work } from '../../../src/worker/work';
import { EVENING, Harness, HOUR_MS, MINUTE_MS, taking } from '../../support/queue/workerHarness';

const ALL = { from: -Infinity, to: Infinity };
const NEVER = new AbortController().signal;
const FAILURE = { outcome: 'error', reason: 'failed', message: 'Failed.' } as const;

let harness: Harness;

async function workUntil(until: number, queue = harness.queue): Promise<void> {
  await harness.clock.run(work(harness.createWorker({ queue }), { until }, NEVER));
}

describe('A replay of ends', () => {
  beforeEach(() => {
    harness = new Harness({ retryJitter: 0.2 });
  });

  it('finds each the same: failures until no retry is left, reviews, repetitions and successes', async () => {
    harness.put(1, {}, taking(MINUTE_MS, FAILURE));
    harness.put(2, {}, taking(MINUTE_MS, { outcome: 'review', reason: 'denied', message: 'Refused.' }));
    harness.put(3, { repeat: { kind: 'every', everyMs: 20 * MINUTE_MS, text: '20m' } });
    harness.put(4, { repeat: { kind: 'cron', text: '*/30 * * * *' } });
    harness.put(5, {}, taking(MINUTE_MS, { outcome: 'transient', reason: 'overloaded', message: 'Busy.' }));
    await workUntil(EVENING + HOUR_MS);
    const { ends, differences } = await harness.queue.replay(ALL);
    assert.deepEqual([ends.differences, differences], [[], []]);
    assert.equal(ends.same, harness.runs.length);
    assert.ok(ends.same > 8);
  });

  it('names an end that was recorded otherwise', async () => {
    harness.put(1, { maxRetries: 1 }, taking(MINUTE_MS, FAILURE));
    harness.put(2);
    const { queue } = harness;
    const kept = harness.queueWith({
      // As rules would record it that give each task one more retry.
      finish: (ref, end, op, next) => {
        const change = { ...end.change, status: 'pending', givenUp: false } as const;
        return queue.finish(ref, ref.id === 1 ? { ...end, change } : end, op, next);
      },
    });
    const worker = harness.createWorker({ queue: kept });
    await harness.clock.run(work(worker, { maxTasks: 2 }, NEVER));
    const { ends } = await queue.replay(ALL);
    assert.deepEqual(ends.differences, [
      {
        ...{ at: EVENING + MINUTE_MS, task: 1, outcome: 'error' },
        recorded: { status: 'pending', retryCount: 1, givenUp: false, nextAt: null },
        expected: { status: 'failed', retryCount: 1, givenUp: true, nextAt: null },
      },
    ]);
  });

  /** Fails once while its owner allows one attempt, not three. */
  function putEdited(): void {
    harness.put(1, {}, async (run, stop) => {
      await harness.clock.sleep(MINUTE_MS);
      harness.put(1, { maxRetries: 1 });
      return taking(MINUTE_MS, FAILURE)(run, stop);
    });
    harness.put(2);
  }

  it('finds the same end of a row that its owner edited while it ran', async () => {
    putEdited();
    await workUntil(EVENING + HOUR_MS);
    assert.deepEqual((await harness.queue.replay(ALL)).ends, { same: 2, differences: [] });
  });

  it('names none of an edited row where the edit was recorded after the end', async () => {
    putEdited();
    const queue = harness.queueWith({ noteInputs: () => Promise.resolve() });
    await workUntil(EVENING + HOUR_MS, queue);
    assert.deepEqual((await harness.queue.replay(ALL)).ends, { same: 1, differences: [] });
  });
});
