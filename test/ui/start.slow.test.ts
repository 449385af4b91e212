import { join, resolve } from 'node:path';
import { QueueEditor } from './window/queueEditor';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

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

describe('The editor of the demonstration', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({ extensions: [resolve(__dirname, '../../scripts/demo/showQueue')] });
  });

  after(() => editor.close());

  it('opens on the queue file, with the tree beside it', async () => {
    const file = join(editor.folder, 'claude_queue', 'prompts.csv');
    await new QueueEditor(editor, file).shows('Read notes/meeting.md');
    await editor.treeRow('SDK');
    await editor.screenshot('demonstration');
  });
});
