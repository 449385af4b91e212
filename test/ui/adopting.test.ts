import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openWorkbench } from './workbench';
import type { Workbench } from './workbench';

const FIXTURE = resolve(__dirname, '../fixtures/scripts/before');

describe('The history that queue_manager.sh left, in the editor', () => {
  let editor: Workbench;
  let workspace: string;

  before(async () => {
    workspace = mkdtempSync(join(tmpdir(), 'scripts-'));
    cpSync(FIXTURE, join(workspace, 'claude_queue'), { recursive: true });
    editor = await openWorkbench({ workspace });
    await editor.openView('Claude Queue');
    await editor.treeRow('Check the SDK version');
  });

  after(async () => {
    await editor.close();
    rmSync(workspace, { recursive: true });
  });

  const shown = async (id: number): Promise<string> => (await editor.queue.task(id)).shown;

  it('keeps Start from starting while the user declines it', async () => {
    await editor.pressViewButton('Start');
    const text = await editor.dialog('has the history of queue_manager.sh');
    assert.match(text, /14 attempts: 5 succeeded, 5 failed, 4 met the usage limit/);
    await editor.answerDialog('has the history of queue_manager.sh', 'Cancel');
    assert.equal((await editor.queue.status()).workers.length, 0);
  });

  it('is taken over by Start, with its questions', async () => {
    await editor.pressViewButton('Start');
    await editor.answerDialog('has the history of queue_manager.sh', 'Take Over');
    await editor.quickInput('Which of these tasks are done?');
    await editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Task 1 ran' }).click();
    await editor.page.keyboard.press('Enter');
    await editor.notification('Adopted 14 attempts. Nothing was deleted.');
    assert.deepEqual([await shown(1), await shown(2)], ['completed', 'review']);
  });
});
