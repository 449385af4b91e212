import assert from 'node:assert/strict';
import { work } from '../../../../src/worker/work';
import type { WorkerDeps } from '../../../../src/worker/workerDeps';
import { measureOf } from '../../../support/queue/measureOf';
import { Harness, MINUTE_MS, SUCCESS, taking } from '../../../support/queue/workerHarness';

const NEVER = new AbortController().signal;

describe('The look at the directory before an attempt', () => {
  it('is over when the attempt gets its prompt', async () => {
    const harness = new Harness();
    harness.put(1);
    const measureDiff: WorkerDeps['measureDiff'] = async () => {
      await harness.clock.sleep(MINUTE_MS);
      return measureOf({});
    };
    await harness.clock.run(work(harness.createWorker({ measureDiff }), { untilEmpty: true }, NEVER));
    assert.deepEqual(harness.diary, ['18:01 1']);
  });
});

describe('The look at the directory after an attempt', () => {
  let harness: Harness;
  let looks: string[];
  beforeEach(() => {
    harness = new Harness();
    looks = [];
  });

  function put(id: number, definition: Parameters<Harness['put']>[1] = {}): void {
    harness.put(id, definition, taking(MINUTE_MS, SUCCESS));
  }

  async function workWith(current: (dir: string) => boolean): Promise<void> {
    const measureDiff: WorkerDeps['measureDiff'] = (dir) => {
      looks.push(dir === harness.folder ? 'start' : 'start elsewhere');
      const end = (): Promise<undefined> => {
        looks.push('end');
        return Promise.resolve(undefined);
      };
      const isCurrent = (next: string): Promise<boolean> => Promise.resolve(current(next));
      return Promise.resolve(measureOf({ end, isCurrent, drop: () => looks.push('drop') }));
    };
    // Nothing is run outside of the allowed folders: the check takes no process.
    const prepareCheck: WorkerDeps['prepareCheck'] = () =>
      Promise.resolve({ outside: 'not allowed', environment: {}, secrets: [] });
    const worker = harness.createWorker({ measureDiff, prepareCheck });
    await harness.clock.run(work(worker, { untilEmpty: true }, NEVER));
  }

  it('is the look before the next one while it is current', async () => {
    put(1);
    put(2);
    put(3);
    await workWith(() => true);
    assert.deepEqual(looks, ['start', 'end', 'end', 'end', 'drop']);
  });

  it('is not used in another directory, or later', async () => {
    put(1);
    put(2, { workingDir: '/other' });
    await workWith((dir) => dir !== '/other');
    assert.deepEqual(looks, ['start', 'end', 'drop', 'start elsewhere', 'end', 'drop']);
  });

  it('is not used if a check ran after it', async () => {
    put(1, { verify: ['make', 'test'] });
    put(2);
    await workWith(() => true);
    assert.deepEqual(looks, ['start', 'end', 'drop', 'start', 'end', 'drop']);
  });
});
