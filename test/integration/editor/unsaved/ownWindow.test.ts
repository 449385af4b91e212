import assert from 'node:assert/strict';
import { join } from 'node:path';
import { OwnWindow } from '../../../../src/editor/unsaved/ownWindow';
import { isAnyUnsaved } from '../../../../src/queue/file/editors/openEditors';
import { StatePaths } from '../../../../src/queue/queuePaths';
import { makeFolder } from '../../queue/folder';

describe('The marker of a window', () => {
  it('keeps its unsaved changes when a worker is started, though queue and document were opened together', async () => {
    const state = new StatePaths(join(makeFolder(), 'state'));
    const window = new OwnWindow(() => Promise.resolve(state));
    const [ofQueue, ofDocument] = await Promise.all([window.open(), window.open()]);
    ofDocument.markUnsaved([]);
    await ofQueue.announce();
    assert.equal(await isAnyUnsaved(state, () => true), true);
  });
});
