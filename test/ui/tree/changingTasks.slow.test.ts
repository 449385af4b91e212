import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

/** A key that VS Code took shows its effect sooner. */
const SOON_MS = 10_000;
const LOOK_MS = 50;

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
    await editor.treeRow(/Next\s*2/);
    assert.deepEqual([await shown(2), await shown(4)], ['ready', 'ready']);
  });

  it('retries those of a range for which it is possible, and reads which it is not', async () => {
    await (await editor.treeRow('Paint the fence')).click();
    await (await editor.treeRow('Sweep the yard')).click({ modifiers: ['Shift'] });
    await editor.chooseFromTreeMenu('Sweep the yard', 'Retry Selected Tasks');
    await editor.notification('2 of 4 tasks were retried. The others cannot be: 2 and 4.');
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

describe('The user who changes the rows of tasks in the tree', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: ['Sweep the yard', 'Count the stars', 'Name them', 'Paint the fence'].map((prompt, index) => ({
        id: index + 1,
        prompt,
      })),
    });
    await editor.queue.run('trust');
    await editor.openView('Claude Queue');
    await editor.treeRow(/Next\s*4/);
  });

  after(() => editor.close());

  /** Waits until the tree shows these tasks in this order. */
  const isOrder = async (...ids: readonly number[]): Promise<void> => {
    const wanted = ids.join(' ');
    await until(`the order is ${wanted}`, async () => (await orderIn(editor)).join(' ') === wanted);
  };

  /** Whether the tree shows these tasks in this order within some seconds. */
  const isOrderSoon = async (...ids: readonly number[]): Promise<boolean> => {
    const wanted = ids.join(' ');
    const latest = Date.now() + SOON_MS;
    while (Date.now() < latest) {
      if ((await orderIn(editor)).join(' ') === wanted) return true;
      await sleep(LOOK_MS);
    }
    return false;
  };

  /** Drags a row on another one, as the mouse does. */
  const drag = async (from: string, to: string): Promise<void> => {
    await (await editor.treeRow(from)).dragTo(await editor.treeRow(to));
  };

  it('gives several tasks another priority, of which the present one is marked', async () => {
    await (await editor.treeRow('Name them')).click();
    await (await editor.treeRow('Paint the fence')).click({ modifiers: ['Control'] });
    await editor.chooseFromTreeMenu('Paint the fence', 'Change Priority');
    await editor.quickInput('Change Priority of 2 tasks');
    assert.deepEqual(
      (await editor.quickPicks()).map(({ label, description }) => [label, description]),
      [
        ['critical', ''],
        ['high', ''],
        ['medium', 'current'],
        ['low', ''],
      ],
    );
    await editor.screenshot('changing-4-priority');
    await editor.pick('high');
    await isOrder(3, 4, 1, 2);
  });

  it('moves a task up from the menu of its row', async () => {
    await (await editor.treeRow('Paint the fence')).click();
    await editor.chooseFromTreeMenu('Paint the fence', /^Move$/);
    await editor.page.getByRole('menuitem', { name: 'Move Up' }).waitFor();
    await editor.screenshot('changing-5-menu');
    await editor.page.getByRole('menuitem', { name: 'Move Up' }).hover();
    await editor.press('Enter');
    await isOrder(4, 3, 1, 2);
  });

  it('reads why a task does not pass one of a higher priority, and changes it', async () => {
    await editor.runCommand('Claude Queue: Move Up');
    await editor.quickInput('Move Up');
    await editor.pick('Sweep the yard');
    await editor.notification('Rows decide the order only within a priority.');
    await editor.screenshot('changing-6-refused');
    await editor.answerNotification('Rows decide the order', 'Change Priority to high and Move');
    await isOrder(4, 1, 3, 2);
  });

  it('moves a selected task with the keys, and stays with it', async () => {
    await (await editor.treeRow('Sweep the yard')).click();
    // VS Code drops a key while it draws the tree again, as it does after the test before.
    await until('the task has moved down', async () => {
      await editor.press('Alt+ArrowDown');
      return isOrderSoon(4, 3, 1, 2);
    });
    await until('the task has moved up', async () => {
      await editor.press('Alt+ArrowUp');
      return isOrderSoon(4, 1, 3, 2);
    });
  });

  it('moves tasks by dragging one on another, and reads why it cannot go elsewhere', async () => {
    await drag('Name them', 'Paint the fence');
    await isOrder(3, 4, 1, 2);
    await drag('Name them', 'Sweep the yard');
    await isOrder(4, 1, 3, 2);
    await drag('Count the stars', 'Next');
    await editor.notification('Only tasks can be moved.');
    await drag('Count the stars', 'Name them');
    await editor.notification('Task 2 has priority medium, task 3 has priority high.');
    await editor.screenshot('changing-8-dragged');
    await isOrder(4, 1, 3, 2);
  });

  it('duplicates a task below its row, approved like it', async () => {
    await editor.chooseFromTreeMenu('Name them', 'Duplicate Task');
    await isOrder(4, 1, 3, 5, 2);
  });

  it('removes a task and undoes that: the file is as before', async () => {
    const before = editor.queue.read();
    await editor.chooseFromTreeMenu('Name them', 'Remove Task');
    await editor.notification('Removed task 3.');
    await isOrder(4, 1, 5, 2);
    await editor.screenshot('changing-7-removed');
    await editor.answerNotification('Removed task 3.', 'Undo');
    await isOrder(4, 1, 3, 5, 2);
    assert.equal(editor.queue.read(), before);
  });

  it('reads why a task cannot be restored', async () => {
    await editor.chooseFromTreeMenu('Count the stars', 'Remove Task');
    await isOrder(4, 1, 3, 5);
    editor.queue.write([{ id: 2, prompt: 'Another task' }]);
    await editor.treeRow('Another task');
    await editor.answerNotification('Removed task 2.', 'Undo');
    assert.equal(
      await editor.notification('cannot be restored'),
      'Task 2 cannot be restored: it exists again.',
    );
  });
});

/** Returns the ids of the tasks that the tree shows now, from the top. */
async function orderIn(editor: Workbench): Promise<number[]> {
  const labels = (await editor.treeRows()).map(({ label, description }) => `${label} ${description}`);
  const ids = labels.flatMap(
    (label) => /(?:^|\s)(\d+)\s\s?(?:Sweep|Count|Name|Paint|Another)/.exec(label)?.[1] ?? [],
  );
  return ids.map(Number);
}
