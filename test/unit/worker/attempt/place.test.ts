import assert from 'node:assert/strict';
import type { Place } from '../../../../src/domain/task/place';
import type { TaskQueue } from '../../../../src/queue/taskQueue';
import { work } from '../../../../src/worker/work';
import type { WorkerDeps } from '../../../../src/worker/workerDeps';
import { measureOf } from '../../../support/queue/measureOf';
import { Harness, MINUTE_MS, SUCCESS, taking } from '../../../support/queue/workerHarness';

/** A place apart from the one that the row names. */
const PLACE: Place = { folder: '/apart' };

/** Gives out tasks in that place. */
function placing(queue: TaskQueue): TaskQueue {
  const claim: TaskQueue['claim'] = async (...request) => {
    const claimed = await queue.claim(...request);
    return claimed.kind === 'idle' ? claimed : { ...claimed, claim: { ...claimed.claim, place: PLACE } };
  };
  return Object.create(queue, { claim: { value: claim } }) as TaskQueue;
}

describe('An attempt in a place of its own', () => {
  it('waits for undos, runs, is measured and is checked there, and nowhere else', async () => {
    const harness = new Harness();
    const seen: string[] = [];
    harness.put(1, { verify: ['make', 'test'], verifyBefore: [] }, (run, stop) => {
      seen.push(`run ${run.job.place.folder}`);
      return taking(MINUTE_MS, SUCCESS)(run, stop);
    });
    const deps: Partial<WorkerDeps> = {
      queue: placing(harness.queue),
      awaitUndo: (folder) => {
        seen.push(`undo ${folder}`);
        return Promise.resolve();
      },
      measureDiff: (folder) => {
        seen.push(`diff ${folder}`);
        return Promise.resolve(measureOf({}));
      },
      filesBefore: {
        take: (folder) => {
          seen.push(`snapshot ${folder}`);
          return Promise.resolve(undefined);
        },
        scratch: {
          make: () => Promise.reject(new Error('Nothing needs a copy.')),
          remove: () => Promise.resolve(),
          removeLeftovers: () => Promise.resolve(),
        },
      },
      prepareCheck: ({ place }) => {
        seen.push(`check ${place.folder}`);
        return Promise.resolve({ outside: 'not allowed', environment: {}, secrets: [] });
      },
    };
    await harness.clock.run(
      work(harness.createWorker(deps), { untilEmpty: true }, new AbortController().signal),
    );
    const steps = ['check', 'diff', 'run', 'snapshot', 'undo'];
    assert.deepEqual(
      seen.sort(),
      steps.map((step) => `${step} /apart`),
    );
  });
});
