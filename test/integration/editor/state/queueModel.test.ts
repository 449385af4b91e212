import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { isProblem } from '../../../../src/domain/problem';
import type { OpenedQueue } from '../../../../src/editor/state/openedQueue';
import { loadInEditor } from '../../../support/editor/fakeEditor';

describe('The model of a queue', () => {
  it('is read again when that is asked for just after a read, by who follows it', async () => {
    const { QueueModel } = await loadInEditor(() => import('../../../../src/editor/state/queueModel'));
    let reads = 0;
    const model = new QueueModel(
      () => {
        reads += 1;
        return Promise.resolve(null);
      },
      () => Promise.resolve({ kind: 'missing' }),
    );
    model.onDidChange(() => {
      if (reads === 1) void Promise.resolve().then(() => model.refresh());
    });
    await model.refresh();
    await setImmediate();
    assert.equal(reads, 2);
  });

  it('opens no queue after it was disposed of, also for a change that ends later', async () => {
    const { QueueModel } = await loadInEditor(() => import('../../../../src/editor/state/queueModel'));
    let opened = 0;
    const session = {
      queueContext: { knownAccount: undefined },
      use: <T>(work: () => Promise<T>) => work(),
      look: () => Promise.resolve({ snapshot: { claims: [] } }),
      rankReviews: () => Promise.resolve(new Map()),
      watch: () => undefined,
      close: () => Promise.resolve(),
    };
    const model = new QueueModel(
      () => {
        opened += 1;
        return Promise.resolve(session as unknown as OpenedQueue);
      },
      () => Promise.resolve({ kind: 'missing' }),
    );
    await model.change(() => {
      model.dispose();
      return Promise.resolve();
    });
    await assert.rejects(model.useQueue(), (error) => isProblem(error, 'queue-missing'));
    assert.equal(opened, 1);
  });
});
