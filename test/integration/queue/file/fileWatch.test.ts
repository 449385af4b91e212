import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { watchQueue } from '../../../../src/queue/file/fileWatch';
import { QueuePaths } from '../../../../src/queue/queuePaths';
import { makeFolder } from '../folder';

describe('A watch of a queue file', () => {
  it('listens to its signal no longer when that is aborted, so that nothing keeps the signal', async () => {
    const end = new AbortController();
    const paths = new QueuePaths(join(makeFolder(), 'prompts.csv'));
    watchQueue(
      paths,
      () => undefined,
      end.signal,
      () => '',
    );
    assert.ok(getEventListeners(end.signal, 'abort').length > 0);
    end.abort();
    // Node closes its own watchers a moment later.
    await breathe();
    assert.deepEqual(getEventListeners(end.signal, 'abort'), []);
  });

  it('keeps nothing running if its signal is aborted already', () => {
    const before = process.getActiveResourcesInfo();
    watchQueue(
      new QueuePaths(join(makeFolder(), 'prompts.csv')),
      () => undefined,
      AbortSignal.abort(),
      () => '',
    );
    assert.deepEqual(process.getActiveResourcesInfo(), before);
  });
});
