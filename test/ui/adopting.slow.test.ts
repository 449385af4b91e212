import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { QueueFolder } from '../support/queue/queuePlace';
import { until } from '../support/until';
import { openDialog } from './window/clicks';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

const FIXTURE = resolve(__dirname, '../fixtures/scripts/before');
const BY_SCRIPTS = 'has the history of queue_manager.sh';
const BY_OTHERS = 'history from another machine or user';

describe('A foreign history in the editor', () => {
  let editor: Workbench;
  let workspace: string;
  let theirs: { readonly XDG_STATE_HOME: string };

  before(async () => {
    workspace = mkdtempSync(join(tmpdir(), 'scripts-'));
    theirs = { XDG_STATE_HOME: join(workspace, 'their-state') };
    cpSync(join(FIXTURE, 'state'), join(workspace, 'claude_queue', 'state'), { recursive: true });
    editor = await openWorkbench({ workspace });
    await editor.openView('Claude Queue');
  });

  after(async () => {
    await editor.close();
    rmSync(workspace, { recursive: true });
  });

  const shown = async (id: number): Promise<string> => (await editor.queue.task(id)).shown;

  it('of queue_manager.sh is offered by Create Queue', async () => {
    await editor.page.getByRole('button', { name: 'Create Queue' }).click();
    const text = await editor.dialog(BY_SCRIPTS);
    assert.match(text, /14 attempts: 5 succeeded, 5 failed, 4 hit the usage limit/);
    await editor.screenshot('adopting-1-create');
    await editor.answerDialog(BY_SCRIPTS, 'Cancel');
    await editor.page.locator('.tab.active').filter({ hasText: 'prompts.csv' }).waitFor();
  });

  it('of queue_manager.sh blocks Start while the user declines it', async () => {
    cpSync(join(FIXTURE, 'prompts.csv'), editor.queue.file);
    await editor.treeRow('Check the SDK version');
    await editor.pressViewButton('Start');
    assert.match(await editor.dialog(BY_SCRIPTS), /No task starts until then/);
    await editor.screenshot('adopting-2-start');
    await editor.answerDialog(BY_SCRIPTS, 'Cancel');
    assert.equal((await editor.queue.status()).workers.length, 0);
  });

  it('of queue_manager.sh is adopted by Start, with its questions', async () => {
    await editor.pressViewButton('Start');
    await editor.answerDialog(BY_SCRIPTS, 'Adopt History');
    await editor.quickInput('Which of these tasks are done?');
    await editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Task 1 ran' }).click();
    await editor.page.keyboard.press('Enter');
    await editor.notification('Adopted 14 attempts. Nothing was deleted.');
    assert.deepEqual([await shown(1), await shown(2)], ['completed', 'review']);
    await editor.quickInput('Default permission mode');
    await editor.press('Escape');
  });

  /** Another user does this in another folder; then the queue is theirs. */
  const takeFromOther = async (...commands: readonly string[]): Promise<void> => {
    const elsewhere = new QueueFolder(mkdtempSync(join(workspace, 'other-')), editor.queue.env);
    elsewhere.write([{ id: 1, prompt: 'Say hello' }]);
    for (const command of commands) assert.equal((await elsewhere.run(command, theirs)).code, 0);
    // Moved, not removed: the window may be writing into it.
    renameSync(editor.queue.state, join(elsewhere.folder, 'replaced'));
    renameSync(elsewhere.state, editor.queue.state);
    copyFileSync(elsewhere.file, editor.queue.file);
  };

  it('of another user hides no problem of the queue file, nor its quick fix', async () => {
    await takeFromOther('trust', 'run');
    await editor.treeRow('Adopt History…');
    const { file } = editor.queue;
    writeFileSync(file, readFileSync(file, 'utf8').replace('medium', 'mediun'));
    const problem = editor.page.locator('.squiggly-error').first();
    await problem.waitFor();
    await editor.screenshot('adopting-3-problem');
    await editor.page.locator('.view-line').getByText('mediun').click();
    await (await editor.quickFix('Change priority to "medium"')).click();
    await problem.waitFor({ state: 'detached' });
    await editor.press('Control+S');
    await until('the row is saved', () => readFileSync(file, 'utf8').includes(',medium,'));
  });

  it('of another user is refused, and adopted after the user confirms its summary', async () => {
    await editor.treeRow('Adopt History…');
    await editor.screenshot('adopting-3-refused');
    await openDialog(() => editor.treeRow('Adopt History…'));
    assert.match(await editor.dialog(BY_OTHERS), /1 attempt, from .*1 task completed/s);
    await editor.screenshot('adopting-4-list');
    await editor.answerDialog(BY_OTHERS, 'Cancel');
    await openDialog(() => editor.treeRow('Adopt History…'));
    await editor.answerDialog(BY_OTHERS, 'Adopt History');
    await editor.notification('Adopted. Its attempts, times and sessions count');
    await editor.treeRow(/Done\s*1/);
    assert.equal(await shown(1), 'completed');
  });

  it('of another user is archived by Reset', async () => {
    await takeFromOther('hold');
    await openDialog(() => editor.treeRow('Reset History…'));
    assert.match(await editor.dialog('Archive the history'), /All of it moves into state.archive, unread/);
    await editor.answerDialog('Archive the history', 'Archive History');
    await editor.notification('The history is now in');
    await editor.treeRow('Say hello');
    await editor.screenshot('adopting-5-archived');
    assert.equal((await editor.queue.status()).hold, null);
  });
});
