import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import type { RowCells } from '../../support/queue/rows';
import { PageView, THEMES } from '../window/pageView';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

const LONG = `Clean up <b>bold</b> & "quoted" ${'and more '.repeat(30)}\nthen stop`;

const ROWS: readonly RowCells[] = [
  { id: 1, prompt: 'Count the stars' },
  { id: 2, prompt: LONG },
  { id: 3, prompt: 'Name them', dependencies: '2' },
  { id: 4, prompt: 'Publish the list', allowed_tools: 'Bash(npm publish:*)' },
];

describe('The page Start', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: ROWS,
      settings: { 'claudeQueue.permissionMode': 'acceptEdits' },
    });
    await editor.openView('Claude Queue');
    await editor.treeRow('Count the stars');
  });

  after(() => editor.close());

  const page = (): FrameLocator => new PageView(editor).frame;
  const shown = async (id: number): Promise<string> => (await editor.queue.task(id)).shown;
  const primary = (): Promise<string> => page().locator('button.main').innerText();

  it('opens from the list of Start, with a sentence that is whole and has the focus', async () => {
    await editor.pressViewButton('Start');
    await editor.quickInput('Start: ');
    await editor.page.locator('.quick-input-widget').getByRole('button', { name: 'Show as Page' }).click();
    const sentence = page().locator('.sentence');
    await sentence.waitFor();
    assert.match(
      await sentence.innerText(),
      /^Claude will run 0 of 4 tasks unattended on this machine, .+, as .+, billed to .+\. Without asking, it may edit and delete files in its folder; .+ refused, and the task waits for your review\. Task 4 has permissions of its own\.$/s,
    );
    await page().locator('.sentence:focus').waitFor();
    await editor.screenshot('start-page-1-light');
  });

  it('starts and approves nothing at Enter', async () => {
    await editor.press('Enter');
    assert.equal(await primary(), 'Start');
    assert.equal(await shown(1), 'unapproved');
  });

  it('has nothing ticked at first, and warns of a tool in words', async () => {
    assert.equal(await page().locator('input:checked').count(), 0);
    await page().getByText('more power: new tool: Bash(npm publish:*)').waitFor();
  });

  it('shows HTML of a prompt as text', async () => {
    await page().getByText('Clean up <b>bold</b> & "quoted"').first().waitFor();
  });

  it('starts nothing, and is shown again, if a setting that it does not name changed', async () => {
    editor.changeSetting('claudeQueue.keepAwake', 'while-working');
    await page().getByText('The queue or a setting changed after this page was opened').waitFor();
    await page().locator('button.main').click();
    await page().getByText('The account, the permissions or another setting changed meanwhile').waitFor();
    assert.deepEqual(editor.processes('work --alone'), []);
  });

  it('counts ticks in its button and its sentence', async () => {
    await page().getByLabel('1 new').check();
    await page().getByLabel('2 new').check();
    assert.equal(await primary(), 'Approve 2 and Start');
    assert.match(await page().locator('.sentence').innerText(), /run 2 of 4 tasks/);
  });

  for (const [theme, name] of THEMES)
    it(`is drawn in ${theme}`, async () => {
      await new PageView(editor).setTheme(theme);
      await page().locator('.sentence').waitFor();
      await editor.screenshot(`start-page-2-${name}`);
    });

  it('does not approve a row that changed after it was shown, starts the others, and reports it', async () => {
    editor.queue.write(ROWS.map((row) => (row.id === 2 ? { ...row, prompt: 'Something else' } : row)));
    await page().getByText('The queue or a setting changed after this page was opened').waitFor();
    await editor.screenshot('start-page-3-changed');
    await page().locator('button.main').click();
    await editor.notification('Task 2 changed while the list was open');
    await editor.treeRow(/Done\s*1/);
    assert.deepEqual([await shown(2), await shown(4)], ['unapproved', 'unapproved']);
  });

  it('says that a worker is running', async () => {
    await editor.runCommand('Claude Queue: Review and Start…');
    await page().getByRole('button', { name: 'Show Worker Terminal' }).waitFor();
    assert.match(await page().locator('.sentence').innerText(), /^Worker .+ is running\./);
    await editor.screenshot('start-page-4-running');
  });
});
