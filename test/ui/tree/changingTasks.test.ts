import assert from 'node:assert/strict';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

describe('The user who changes several tasks in the tree', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Sweep the yard', status: 'failed' },
        { id: 2, prompt: 'Count the stars' },
        { id: 3, prompt: 'Name them', status: 'failed' },
        { id: 4, prompt: 'Paint the fence' },
      ],
    });
    await editor.openView('Claude Queue');
    await editor.treeRow('Paint the fence');
  });

  after(() => editor.close());

  /** Selects these rows: the first by a click, the others by clicks with Control. */
  const select = async (first: string, ...others: string[]): Promise<void> => {
    await (await editor.treeRow(first)).click();
    for (const other of others) await (await editor.treeRow(other)).click({ modifiers: ['Control'] });
  };

  const shown = async (id: number): Promise<string> => (await editor.queue.task(id)).shown;

  it('approves the selected ones that wait for it, and no others', async () => {
    await select('Sweep the yard', 'Count the stars', 'Paint the fence');
    await editor.chooseFromTreeMenu('Paint the fence', 'Approve Selected Tasks');
    await editor.quickInput('Approve: ');
    assert.equal((await editor.quickPicks()).length, 2);
    await editor.pick('Count the stars');
    await editor.pick('Paint the fence');
    await editor.screenshot('changing-1-approve');
    await editor.press('Enter');
    assert.equal(
      await editor.notification('approved'),
      '2 of 3 tasks were approved. The other cannot be: 1.',
    );
    await editor.treeRow(/Ready\s*2/);
    assert.deepEqual([await shown(2), await shown(4)], ['ready', 'ready']);
  });

  it('retries those of a range for which it is possible, and reads which it is not', async () => {
    await (await editor.treeRow('Name them')).click();
    await (await editor.treeRow('Count the stars')).click({ modifiers: ['Shift'] });
    await editor.chooseFromTreeMenu('Count the stars', 'Retry Selected Tasks');
    await editor.notification('2 of 4 tasks were retried. The others cannot be: 2, 4.');
    await editor.screenshot('changing-2-retried');
    assert.deepEqual([await shown(1), await shown(3)], ['unapproved', 'unapproved']);
  });

  it('acts with the button of a row on that row alone', async () => {
    await select('Sweep the yard', 'Name them');
    await editor.pressTreeButton('Name them', 'Approve Tasks');
    await editor.quickInput('Approve: ');
    assert.equal((await editor.quickPicks()).length, 1);
    await editor.press('Escape');
  });

  it('cancels all selected ones without a message', async () => {
    await select('Sweep the yard', 'Name them');
    await editor.chooseFromTreeMenu('Name them', 'Cancel Selected Tasks');
    await editor.statusBar('2 tasks were cancelled.');
    await editor.treeRow(/Done\s*2/);
    await editor.screenshot('changing-3-cancelled');
  });
});
