import assert from 'node:assert/strict';
import { until } from '../support/until';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

const LONG = `Read this $(play) first${' and this'.repeat(40)}\nand then delete it`;

describe('The list of rows to approve', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Count the stars' },
        { id: 2, prompt: LONG },
        { id: 3, prompt: 'Name them', dependencies: '2' },
      ],
      settings: { 'claudeQueue.permissionMode': 'acceptEdits' },
    });
    await editor.openView('Claude Queue');
    await editor.treeRow('Count the stars');
  });

  after(() => editor.close());

  const shown = async (id: number): Promise<string> => (await editor.queue.task(id)).shown;

  it('does not open for a task that is blocked by another', async () => {
    await editor.chooseFromTreeMenu('Name them', 'Run This Task');
    await editor.notification(/Task 3 cannot run now: blocked \(waits for 2/);
    await editor.screenshot('approving-1-blocked');
  });

  it('shows how much of a prompt it leaves out, and renders no icon of a row', async () => {
    await editor.pressViewButton('Start');
    await editor.quickInput('Start: ');
    const row = editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: /^2\s+Read/ });
    const reported = (await row.innerText()).replaceAll(/\s+/g, ' ');
    assert.match(reported, /… 3\d\d more characters, 1 more line: read the row/);
    assert.match(reported, /\$\u2060\(play\)/);
    await editor.screenshot('approving-2-cut');
  });

  it('opens a shortened row at Enter, without approving anything', async () => {
    await editor.press('Enter');
    await until('the row is shown', async () =>
      (await editor.editorLines()).join('\n').includes('delete it'),
    );
    await editor.quickInput('Start: ');
    assert.equal(await shown(1), 'unapproved');
  });

  it('does not approve a row that changed while the list was open, and reports it', async () => {
    editor.queue.write([
      { id: 1, prompt: 'Count the stars' },
      { id: 2, prompt: 'Something else' },
      { id: 3, prompt: 'Name them', dependencies: '2' },
    ]);
    await editor.pick('Approve and start');
    await editor.notification('Task 2 changed while the list was open');
    await editor.treeRow(/Done\s*1/);
    assert.equal(await shown(2), 'unapproved');
  });

  it('lets an approved task wait again once its approval is withdrawn', async () => {
    await editor.chooseFromTreeMenu('Name them', 'Withdraw Approval');
    await editor.notification('The approval of task 3 was withdrawn.');
    await editor.screenshot('approving-3-withdrawn');
    editor.queue.write([{ id: 3, prompt: 'Name them' }]);
    await until('task 3 waits for approval', async () => (await shown(3)) === 'unapproved');
  });
});
