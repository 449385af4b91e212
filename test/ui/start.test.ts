import assert from 'node:assert/strict';
import { openWorkbench } from './workbench';
import type { Workbench } from './workbench';

describe('The editor on a folder with a queue', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench();
  });

  after(() => editor.close());

  it('has the queue in its activity bar', async () => {
    await editor.openView('Task Queue');
    assert.ok((await editor.treeRows()).length > 0);
    await editor.screenshot('start');
  });
});
