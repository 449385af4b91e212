import assert from 'node:assert/strict';
import { runOne } from '../../../../src/worker/runOne';
import { Harness, taking } from '../../../support/queue/workerHarness';

const NEVER = new AbortController().signal;

describe('The answer of an attempt', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });

  async function keptFor(callbackUrl: string | undefined, result: string | undefined): Promise<unknown> {
    harness.put(1, { ...(callbackUrl === undefined ? {} : { callbackUrl }) }, taking(1_000));
    const asked: number[] = [];
    const deps = harness.createWorker({
      readResult: ({ number }) => {
        asked.push(number);
        return Promise.resolve(result);
      },
    });
    await harness.clock.run(runOne(deps, {}, NEVER));
    const { callbacks } = await harness.queue.read();
    return [asked, callbacks.map(({ callback }) => callback.result)];
  }

  it('is kept with the callback of its row', async () => {
    assert.deepEqual(await keptFor('https://row.test/', 'Done.'), [[1], ['Done.']]);
  });

  it('is not kept if there is none', async () => {
    assert.deepEqual(await keptFor('https://row.test/', undefined), [[1], [undefined]]);
  });

  it('that cannot be read is reported, and the end is recorded without it', async () => {
    harness.put(1, { callbackUrl: 'https://row.test/' }, taking(1_000));
    const deps = harness.createWorker({ readResult: () => Promise.reject(new Error('EIO')) });
    await harness.clock.run(runOne(deps, {}, NEVER));
    const { callbacks } = await harness.queue.read();
    assert.deepEqual(
      callbacks.map(({ callback }) => [callback.status, callback.result]),
      [['completed', undefined]],
    );
    const trouble = 'trouble: The answer of task 1 is not kept for its callback: EIO';
    assert.ok(
      harness.reported.some((line) => line.endsWith(trouble)),
      harness.reported.join('\n'),
    );
  });

  it('is not read without an address in its row', async () => {
    assert.deepEqual(await keptFor(undefined, 'Done.'), [[], []]);
  });
});
