import assert from 'node:assert/strict';
import { QueueEditor, SlowClaude } from '../window/queueEditor';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

describe('A window that comes back with unsaved changes of the queue file', () => {
  const claude = new SlowClaude();
  let editor: Workbench;
  let file: QueueEditor;

  before(async () => {
    editor = await openWorkbench({ settings: { 'files.autoSave': 'off' }, respond: claude.respond });
    file = new QueueEditor(editor, editor.queue.file);
    await file.open('SDK');
  });

  after(() => editor.close());

  it('saves them without losing what was written while no window was open', async () => {
    const prompts = ['Hearts', 'Spades', 'Clubs', 'Diamonds'];
    editor.queue.write(prompts.map((prompt, index) => ({ id: 11 + index, prompt })));
    await editor.queue.approve('--all');
    const worker = editor.queue.start('work --until-empty');
    await file.shows('11,medium,.,Hearts,running');
    await file.replace('Diamonds', 'Rubies');
    await file.typeRow('15,medium,.,Jokers,pending,,,no,,0,3');
    await editor.isBackedUp('Jokers');
    await file.isMarked();
    claude.answer('Hearts');
    await claude.isAt('Spades');
    assert.equal(file.cell(11, 'status'), 'running');

    await editor.leave();
    await file.holds({ 11: 'completed', 12: 'running' });
    await editor.comeBack();
    await file.shows('Jokers');
    await file.hasUnsaved();
    await file.isMarked();
    await editor.openView('Claude Queue');
    await editor.treeRow('Spades');
    claude.answer('Spades');
    await editor.treeRow('Clubs');
    await claude.isAt('Clubs');
    assert.equal(file.cell(12, 'status'), 'running');

    await file.focus();
    await file.save();
    await file.holds({ 11: 'completed', 12: 'completed', 13: 'running', 14: 'pending', 15: 'pending' });
    assert.equal(file.cell(14, 'prompt'), 'Rubies');
    claude.answer('Clubs');
    await worker.ended;
    const { tasks } = await editor.queue.status();
    assert.deepEqual(
      tasks.map(({ shown }) => shown),
      ['completed', 'completed', 'completed', 'unapproved', 'unapproved'],
    );
  });
});
