import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { watchClaim } from '../../../src/worker/attempt/claimGuard';
import { describeWant } from '../../../src/worker/workerDeps';
import { Bench } from './bench';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('The guards of several slots', () => {
  it('leave no listener on the signal that stops the worker', async () => {
    const bench = new Bench();
    try {
      bench.put(1);
      const parts = bench.createWorker();
      const claimed = await bench.queue.claim(await describeWant(parts, {}), bench.createId());
      assert.equal(claimed.kind, 'claimed');
      const stop = new AbortController().signal;
      const guards = [1, 2, 3].map(() => watchClaim(parts, claimed, stop));
      assert.equal(getEventListeners(stop, 'abort').length, 3);
      // What Node keeps only weakly is gone by now.
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
      for (const guard of guards) guard.end();
      assert.equal(getEventListeners(stop, 'abort').length, 0);
    } finally {
      bench.remove();
    }
  });
});
