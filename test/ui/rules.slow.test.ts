import assert from 'node:assert/strict';
import { installLateTimer } from '../support/queue/lateTimer';
import { fillIn } from './window/clicks';
import { PageView, THEMES } from './window/pageView';
import { QueueEditor } from './window/queueEditor';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

describe('The tree and the notifications, with rules in force', () => {
  let editor: Workbench;
  let reported: string;

  before(async () => {
    editor = await openWorkbench({
      settings: { 'claudeQueue.notifications': { late: true, timerLate: true } },
      rows: [
        { id: 1, prompt: 'Send the figures', deadline: '2026-01-02 09:00' },
        { id: 2, prompt: 'Sweep the floor', priority: 'low' },
        { id: 3, prompt: 'Wait for the ghost', status: 'failed' },
        { id: 4, prompt: 'Follow the ghost', dependencies: '3' },
        { id: 5, prompt: 'Follow that one', dependencies: '4' },
      ],
    });
    // At once: it comes when the window opens, and goes again by itself.
    reported = await editor.notification('Task 1 missed its deadline');
    await editor.queue.run('trust');
    await editor.openView('Claude Queue');
  });

  after(() => editor.close());

  it('show a missed deadline once in a notification, and mark it in the tree', async () => {
    assert.equal(reported, 'Task 1 missed its deadline (2026-01-02 09:00). Prompt: Send the figures');
    await editor.treeRow(/1st, late.*Send the figures/);
  });

  it('show tasks that can never run, with the task that each waits for', async () => {
    await editor.treeRow(/stuck on 3.*Follow the ghost/);
    await editor.treeRow(/stuck on 4.*Follow that one/);
  });

  it('show a timer that did not start a worker: a notification once, and the status bar', async () => {
    await installLateTimer(editor.queue);
    await editor.notification(/The timer \(crontab\) should have started a worker at .* and did not/);
    await editor.statusBar('Timer is late');
    await editor.treeRow(/^Timer is late.*no start at .*crontab/);
    await editor.screenshot('rules-1-timer');
  });

  it('show which tasks a pause of one priority blocks, and which it does not', async () => {
    await editor.queue.run(['hold', '--priority', 'low', 'until the guests have gone']);
    await editor.treeRow(/paused.*Sweep the floor/);
    await editor.treeRow(/1st, late.*Send the figures/);
    await editor.screenshot('rules-2-tree');
  });

  it('show the tree, the form and the queue file in each theme', async () => {
    const page = new PageView(editor);
    await editor.openFile('prompts.csv');
    await editor.runCommand('Claude Queue: Add Task in Form');
    await page.typePrompt('Water the plants');
    await fillIn(page.frame.locator('#time'), 'someday');
    await page.frame.locator('#prompt').focus();
    await page.frame.locator('#problem-time', { hasText: 'not understood' }).waitFor();
    for (const [theme, short] of THEMES) {
      await page.setTheme(theme);
      await editor.screenshot(`rules-3-form-${short}`);
      await editor.page.locator('.tab', { hasText: 'prompts.csv' }).click();
      await new QueueEditor(editor, editor.queue.file).shows('Sweep the floor');
      await editor.screenshot(`rules-4-file-${short}`);
      await editor.page.locator('.tab', { hasText: 'Add Task' }).click();
      await page.frame.locator('#prompt').click();
    }
    await page.frame.locator('#cancel').click();
  });
});
