import assert from 'node:assert/strict';
import { composeUri, SCHEME } from '../../../../src/editor/changes/versionUri';
import { ACTIVE_TAB, DOCUMENTS, loadInEditor, OPENED } from '../../../support/editor/fakeEditor';

const [QUEUE, OTHER] = ['a'.repeat(32), 'b'.repeat(32)];

/** A document with a version of a file after attempt 2 of task 1. */
function documentOf(queue: string): (typeof DOCUMENTS)[number] {
  const version = { queue, format: 'sha1', kind: 'file', object: '0'.repeat(40) } as const;
  const uri = composeUri(version, 'a.txt', { task: 1, attempt: 2, side: 'after' });
  return { uri: { scheme: SCHEME, ...uri } };
}

describe('The attempt whose changes the active editor shows', () => {
  beforeEach(() => {
    ACTIVE_TAB.label = 'Changes of task 1, attempt 2 (3 files)';
  });
  afterEach(() => {
    DOCUMENTS.length = 0;
  });

  it('is that of its documents, and that of the queue whose editor was opened last', async () => {
    const { ShownDiffs } = await loadInEditor(() => import('../../../../src/editor/changes/shownDiffs'));
    DOCUMENTS.push(documentOf(QUEUE));
    const diffs = new ShownDiffs();
    const shown = (): string | undefined => diffs.active?.queue;
    assert.equal(shown(), QUEUE);
    diffs.noteOpened({ queue: OTHER, task: 1, attempt: 2 });
    assert.equal(shown(), OTHER);
    // VS Code keeps documents for a while, so that those of the first queue are not opened again.
    diffs.noteOpened({ queue: QUEUE, task: 1, attempt: 2 });
    OPENED.fire(documentOf(OTHER));
    assert.equal(shown(), QUEUE);
    ACTIVE_TAB.label = 'prompts.csv';
    assert.equal(shown(), undefined);
  });
});
