import assert from 'node:assert/strict';
import { until } from '../../support/until';
import type { EditorWindow } from '../window/editorWindow';
import { QueueEditor, SlowClaude } from '../window/queueEditor';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

describe('Two windows on one queue', () => {
  const claude = new SlowClaude();
  let editor: Workbench;
  let other: EditorWindow;
  let mine: QueueEditor;
  let theirs: QueueEditor;

  before(async () => {
    editor = await openWorkbench({
      settings: { 'files.autoSave': 'off', 'claudeQueue.permissionMode': 'acceptEdits' },
      rows: ['Hearts', 'Spades', 'Clubs'].map((prompt, index) => ({ id: 11 + index, prompt })),
      respond: claude.respond,
    });
    other = await editor.openWindow();
    mine = new QueueEditor(editor, editor.queue.file);
    theirs = new QueueEditor(other, editor.queue.file);
    await mine.open('Hearts');
    await theirs.open('Hearts');
  });

  after(() => editor.close());

  it('start nothing with permissions that the other one changed while the list was open', async () => {
    const openList = async (window: EditorWindow): Promise<void> => {
      await window.openView('Claude Queue');
      await window.pressViewButton('Start');
      await window.quickInput('Start: ');
    };
    const chooseMode = async (mode: string): Promise<void> => {
      await openList(other);
      await other.pick('Claude may');
      await other.pick(mode);
      await other.page.locator('.quick-input-list').getByText(`(${mode})`).waitFor();
      await other.press('Escape');
    };
    await openList(editor);
    await chooseMode('plan');
    await editor.pick('Approve and start');
    await editor.notification('The account, the permissions or another setting changed meanwhile');
    await editor.page.locator('.quick-input-list').getByText('(plan)').waitFor();
    assert.equal((await editor.queue.task(11)).shown, 'unapproved');
    assert.deepEqual(editor.processes('work --alone'), []);
    await editor.press('Escape');
    await chooseMode('acceptEdits');
  });

  it('start one worker, which both show', async () => {
    const windows = [editor, other];
    for (const window of windows) {
      await window.openView('Claude Queue');
      await window.pressViewButton('Start');
      await window.page.locator('.quick-input-list').getByText('Approve and start').waitFor();
    }
    await Promise.all(windows.map((window) => window.pick('Approve and start')));
    for (const window of windows) await window.terminalShows('Task 11, attempt 1: Hearts');
    for (const window of windows) await window.treeRow(/\d (s|min).*Hearts/);
    await until('the other start has ended', () => editor.processes('work --alone').length === 1);
    await claude.isAt('Hearts');
    assert.equal(claude.timesAt('Hearts'), 1);
    // The later window may say that the other one changed the list meanwhile.
    for (const window of windows) await window.runCommand('Notifications: Clear All Notifications');
  });

  it('save the text of each, while the worker runs', async () => {
    await mine.focus();
    await mine.replace('Clubs', 'Clovers');
    await mine.isMarked();
    claude.answer('Hearts');
    await claude.isAt('Spades');
    await theirs.focus();
    await theirs.typeRow('14,medium,.,Diamonds,pending,,,no,,0,3');
    await theirs.save();
    assert.equal(mine.cell(11, 'status'), 'running', 'the first window has unsaved changes');
    await mine.save();
    await mine.holds({ 11: 'completed', 12: 'running', 13: 'pending', 14: 'pending' });
    assert.equal(mine.cell(13, 'prompt'), 'Clovers');
    for (const window of [mine, theirs]) {
      await window.shows('11,medium,.,Hearts,completed');
      await window.shows('13,medium,.,Clovers,pending');
      await window.shows('14,medium,.,Diamonds,pending');
    }
    claude.answer('Spades');
    await mine.holds({ 12: 'completed' });
    for (const window of [editor, other]) await window.treeRow('Clovers');
  });
});
