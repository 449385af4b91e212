import assert from 'node:assert/strict';
import { until } from '../../support/until';
import type { RowCells } from '../../support/queue/rows';
import { PageView, THEMES } from '../window/pageView';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

const ROWS: readonly RowCells[] = [
  { id: 1, prompt: 'Count the <b>stars</b>' },
  { id: 2, prompt: 'Name them', working_dir: './missing' },
  { id: 3, prompt: 'Publish the list', priority: 'hihg' },
];

describe('The pages of checks', () => {
  let editor: Workbench;
  let view: PageView;

  before(async () => {
    editor = await openWorkbench({
      rows: ROWS,
      settings: { 'claudeQueue.permissionMode': 'acceptEdits' },
    });
    view = new PageView(editor);
    await editor.openView('Claude Queue');
    await editor.treeRow('Count the');
  });

  after(() => editor.close());

  const button = (name: string | RegExp) => view.frame.getByRole('button', { name });

  describe('Check This Machine', () => {
    it('names the problems of rows and of what they need first, and counts them', async () => {
      await editor.runCommand('Claude Queue: Check This Machine');
      await view.sentence('2 problems.');
      const problems = view.frame.locator('section').filter({ hasText: 'Problems' });
      const words = await problems.innerText();
      assert.match(words, /prompts\.csv:4:\d+/);
      assert.match(words, /working directory \S+missing of task 2 does not exist/);
      assert.match(await view.frame.locator('main').innerText(), /Claude Code [\d.]+, a tested version/);
      await editor.screenshot('check-page-1-light');
    });

    for (const [theme, name] of THEMES)
      it(`is drawn in ${theme}`, async () => {
        await view.setTheme(theme);
        await editor.screenshot(`check-page-2-${name}`);
      });

    it('is reached by keyboard: Tab goes from the sentence to the first button', async () => {
      await view.frame.locator('.sentence').focus();
      await editor.press('Tab');
      await view.frame.locator('button:focus').filter({ hasText: 'Check Again' }).waitFor();
    });

    it('opens the cell of a problem', async () => {
      await button(/^claude_queue\/prompts\.csv:4:/).click();
      await editor.page.locator('.tab.active').filter({ hasText: 'prompts.csv' }).waitFor();
      await editor.statusBar(/Ln 4, Col [2-9]/);
    });

    it('opens the task of a problem in the form', async () => {
      await editor.runCommand('Claude Queue: Check This Machine');
      await view.sentence('2 problems.');
      await button('Edit Task… (task 2)').click();
      await view.frame.locator('#prompt:focus').waitFor();
      assert.equal(await view.frame.locator('#prompt').inputValue(), 'Name them');
    });

    it('finds no problem once the rows are right and it is asked again', async () => {
      editor.queue.write(ROWS.slice(0, 1));
      await editor.runCommand('Claude Queue: Check This Machine');
      await view.sentence('No problems.');
      await button('Check Again').click();
      await view.sentence('No problems.');
    });
  });

  describe('Dry Run', () => {
    it('names the tasks that never ran, with what they may do', async () => {
      await editor.runCommand('Claude Queue: Dry Run Next 24 Hours');
      await view.sentence('1 task may run in the next 24 hours. Nothing was run.');
      const words = await view.frame.locator('main').innerText();
      assert.match(words, /Never finished in their present form with their present permissions/);
      assert.match(words, /1\s+Count the <b>stars<\/b>/);
      assert.match(words, /Waits for approval/);
      await editor.screenshot('dry-run-1-light');
    });

    for (const [theme, name] of THEMES)
      it(`is drawn in ${theme}`, async () => {
        await view.setTheme(theme);
        await editor.screenshot(`dry-run-2-${name}`);
      });

    it('approves a task, and says so no longer', async () => {
      await button('Approve… (task 1)').click();
      await editor.quickInput('Approve');
      await editor.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
      await until('the page no longer asks for approval', async () => {
        const words = await view.frame.locator('main').innerText();
        return words.includes('Claude may') && !words.includes('Waits for approval');
      });
    });

    it('shows the row of a task', async () => {
      await button(/^1\s+Count the/).click();
      await editor.page.locator('.tab.active').filter({ hasText: 'prompts.csv' }).waitFor();
    });
  });
});
