import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

describe('The user who does tasks by hand, without Claude Code', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Water the plants', priority: 'high' },
        { id: 2, prompt: 'Feed the cat' },
        { id: 3, prompt: 'Walk the dog' },
      ],
      env: { CLAUDE_QUEUE_CLAUDE: '' },
    });
    await editor.openView('Claude Queue');
    await editor.treeRow('Water the plants');
  });

  after(() => editor.close());

  const taskFile = (): string => join(editor.folder, 'claude_queue', 'NEXT_TASK.md');

  /** Takes the next task, which is this one, and waits for its lenses: the queue file has some of the same name. */
  async function takeNext(id: number): Promise<void> {
    await editor.runCommand('Claude Queue: Generate NEXT_TASK.md');
    await editor.statusBar(`Task ${id} (you)`);
    await editor.page.locator('.tab.active').filter({ hasText: 'NEXT_TASK.md' }).waitFor();
    await until('it is shown', async () => (await editor.editorLines()).includes(`# Next task: ${id}`));
    await editor.lenses((all) => all.includes('Done'));
  }

  it('sees at Start that claude is missing, and opens the setting of its path', async () => {
    await editor.pressViewButton('Start');
    await editor.notification('no program "claude"');
    await editor.screenshot('byHand-1-missing');
    await editor.answerNotification('no program "claude"', 'Set Path');
    await editor.page.getByText('Path of the').first().waitFor();
    await editor.screenshot('byHand-2-setting');
    await editor.closeModalEditor();
    assert.equal(editor.processes('dist/cli.js').length, 0);
  });

  it('approves a task by its lens, and others by the list', async () => {
    await editor.runCommand('Claude Queue: Open Queue File');
    await editor.chooseFromLens('Not approved', 'Approve Tasks…');
    await editor.quickInput('Approve');
    await editor.press('Enter');
    await editor.treeRow(/Next\s*1/);
    await editor.runCommand('Claude Queue: Approve Tasks…');
    await editor.quickInput('Approve');
    await editor.pick('Feed the cat');
    await editor.screenshot('byHand-3-approve');
    await editor.press('Enter');
    await editor.treeRow(/Next\s*2/);
    await editor.treeRow(/Needs Attention\s*1/);
  });

  it('gets the next task in NEXT_TASK.md, which asks for its outcome', async () => {
    await takeNext(1);
    assert.match(readFileSync(taskFile(), 'utf8'), /Water the plants/);
    await editor.clickLens('Done');
    await editor.treeRow(/Done\s*1/);
    await until('the file is gone', () => !existsSync(taskFile()));
    assert.equal((await editor.queue.task(1)).shown, 'completed');
  });

  it('gets the one after it, and marks it as failed', async () => {
    await takeNext(2);
    await editor.screenshot('byHand-4-next');
    await editor.clickLens('Failed');
    await editor.treeRow(/Waiting\s*1/);
    await editor.page.locator('.tab').filter({ hasText: 'NEXT_TASK.md' }).waitFor({ state: 'detached' });
    const { retryCount, lastOutcome } = await editor.queue.task(2);
    assert.deepEqual([retryCount, lastOutcome], [1, 'error']);
    await editor.screenshot('byHand-5-failed');
  });

  it('has the lenses of the task in NEXT_TASK.md', async () => {
    await takeNext(3);
    writeFileSync(taskFile(), readFileSync(taskFile(), 'utf8').replace('task: 3', 'task: 1'));
    await editor.page.locator('.codelens-decoration > a').first().waitFor({ state: 'detached' });
    writeFileSync(taskFile(), readFileSync(taskFile(), 'utf8').replace('task: 1', 'task: 3'));
    await editor.clickLens('Return to Queue');
    await editor.page.locator('.tab').filter({ hasText: 'NEXT_TASK.md' }).waitFor({ state: 'detached' });
    assert.equal((await editor.queue.task(3)).status, 'pending');
  });
});
