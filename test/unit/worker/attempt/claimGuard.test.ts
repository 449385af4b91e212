import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { watchClaim } from '../../../../src/worker/attempt/claimGuard';
import { buildClaimRequest } from '../../../../src/worker/workerDeps';
import { Harness } from '../../../support/queue/workerHarness';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('The guards of several slots', () => {
  it('leave no listener on the signal that stops the worker', async () => {
    const harness = new Harness();
    harness.put(1);
    const parts = harness.createWorker();
    const claimed = await harness.queue.claim(await buildClaimRequest(parts, {}), harness.createId());
    assert.equal(claimed.kind, 'claimed');
    const stop = new AbortController().signal;
    const guards = [1, 2, 3].map(() => watchClaim(parts, claimed, stop));
    assert.equal(getEventListeners(stop, 'abort').length, 3);
    // Let Node drop the objects that it holds only weakly.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
    for (const guard of guards) guard.end();
    assert.equal(getEventListeners(stop, 'abort').length, 0);
  });
});
