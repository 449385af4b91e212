import assert from 'node:assert/strict';
import type { ProcessOwner } from '../../../../src/domain/queue/view';
import { stopFor } from '../../../../src/domain/queue/workerStop';
import { PERSON, workerOf } from '../../../conformance/harness';

const AT = 1_000;
const [EARLIER, LATER] = [AT - 1, AT + 1];

/** Returns what a worker that started at `since` is to do after a request at `AT` that meant these. */
function stopOf(since: number, stopping: readonly ProcessOwner[], registered = [workerOf(1)]): string {
  const workers = registered.map((owner) => ({ owner, since }));
  return stopFor({ stop: { how: 'now', at: AT }, stopping, workers }, workerOf(1), since) ?? 'continues';
}

describe('A request to stop', () => {
  it('means the workers that were registered, whatever the clock says', () => {
    assert.equal(stopOf(EARLIER, [workerOf(1)]), 'now');
    assert.equal(stopOf(LATER, [workerOf(1)]), 'now');
    assert.equal(stopOf(EARLIER, [workerOf(2)]), 'continues', 'it started after the clock was set back');
  });

  it('means a worker that is not registered if that started before', () => {
    assert.equal(stopOf(EARLIER, [], []), 'now');
    assert.equal(stopOf(LATER, [], []), 'continues');
  });

  it('does not mean a user who started a task by hand after it', () => {
    const queue = { stop: { how: 'now', at: AT }, stopping: [workerOf(1)], workers: [] } as const;
    assert.equal(stopFor(queue, PERSON, LATER), undefined);
  });
});
