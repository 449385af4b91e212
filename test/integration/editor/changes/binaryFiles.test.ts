import assert from 'node:assert/strict';
import { LISTED, loadInEditor } from '../../../support/editor/fakeEditor';

describe('The list of changed files that are not text', () => {
  it('draws no icon that Claude wrote into the name of a file', async () => {
    const { showOne } = await loadInEditor(() => import('../../../../src/editor/changes/binaryFiles'));
    const files = ['$(pass) accepted.png', 'car.png'].map((path) => ({
      ...{ path, before: undefined, after: undefined },
    }));
    await showOne(files);
    assert.deepEqual(LISTED, ['$\u2060(pass) accepted.png', 'car.png']);
  });
});
