import { rmSync } from 'node:fs';
import { packExtension } from '../support/machine/packaging';
import type { Package } from '../support/machine/packaging';
import { until } from '../support/until';
import { startAtFirst } from './window/firstStart';
import { SlowClaude } from './window/queueEditor';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

const PROMPT = 'Count the files';

/** Opens a window with this extension installed, and nothing of the checkout in it. */
async function openWith(extension: string, claude: SlowClaude): Promise<Workbench> {
  const before = process.env['TEST_QUEUE_VSIX'];
  process.env['TEST_QUEUE_VSIX'] = extension;
  try {
    return await openWorkbench({ rows: [{ id: 1, prompt: PROMPT }], respond: claude.respond });
  } finally {
    if (before === undefined) delete process.env['TEST_QUEUE_VSIX'];
    else process.env['TEST_QUEUE_VSIX'] = before;
  }
}

describe('The extension as people install it', () => {
  const claude = new SlowClaude();
  let packed: Package;
  let editor: Workbench;

  before(async () => {
    packed = packExtension();
    editor = await openWith(packed.file, claude);
  });

  after(async () => {
    await editor.close();
    rmSync(packed.folder, { recursive: true, force: true });
  });

  it('shows the queue', async () => {
    await editor.openView('Claude Queue');
    await editor.treeRow(PROMPT);
  });

  it('shows the state of each row of the file', async () => {
    await editor.runCommand('Claude Queue: Open Queue File');
    await editor.lenses((all) => all.some((lens) => lens.includes('Not approved')));
  });

  it('runs a task with its own worker, and shows Claude running', async () => {
    await startAtFirst(editor);
    await claude.isAt(PROMPT);
    await editor.terminalShows('Task 1');
    claude.answer(PROMPT);
    await until('the task is completed', async () => (await editor.queue.task(1)).status === 'completed');
    await editor.treeRow('Done');
  });
});
