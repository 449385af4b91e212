import { openWorkbench } from './workbench';
import type { Workbench } from './workbench';

describe('The editor on a folder with a queue', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench();
  });

  after(() => editor.close());

  it('shows the queue from its activity bar', async () => {
    await editor.openView('Claude Queue');
    await editor.treeRow('SDK');
    await editor.screenshot('start');
  });
});
