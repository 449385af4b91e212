import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
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
});
