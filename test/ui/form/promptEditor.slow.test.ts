import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../../support/until';
import { PageView } from '../window/pageView';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

const FILE = 'new-task.md';

describe('The prompt of a form in an editor', () => {
  let editor: Workbench;
  let view: PageView;

  before(async () => {
    editor = await openWorkbench({
      rows: [{ id: 1, prompt: 'Paint the fence' }],
      settings: { 'files.autoSave': 'off' },
    });
    view = new PageView(editor);
    await editor.openView('Claude Queue');
    await editor.treeRow('Paint the fence');
    await editor.runCommand('Claude Queue: Add Task in Form');
    await view.typePrompt('Write a poem');
  });

  after(() => editor.close());

  const prompt = (): Promise<string> => view.frame.locator('#prompt').inputValue();

  const openEditor = async (): Promise<void> => {
    await view.frame.locator('#editPrompt').focus();
    await editor.press('Enter');
    await editor.page.locator('.tab.active').filter({ hasText: FILE }).waitFor();
  };

  const append = async (words: string): Promise<void> => {
    await editor.page.locator('.editor-group-container.active .native-edit-context').focus();
    await editor.press('Control+Home');
    await editor.page.keyboard.type(words);
    await until('it is typed', async () => (await editor.editorLines()).some((line) => line.includes(words)));
  };

  it('has the text of the form, and a button with a name for a screen reader', async () => {
    await view.frame.getByRole('button', { name: 'Edit Prompt in Editor' }).waitFor();
    await openEditor();
    await until('the prompt is there', async () => (await editor.editorLines())[0] === 'Write a poem');
    await editor.screenshot('prompt-editor-1-open');
  });

  it('cannot be typed into the form at the same time', async () => {
    await editor.page.locator('.tab').filter({ hasText: 'Add Task' }).first().click();
    await view.frame
      .locator('#hint-prompt')
      .filter({ hasText: `Open in ${FILE}. Save there` })
      .waitFor();
    assert.notEqual(await view.frame.locator('#prompt').getAttribute('readonly'), null);
    await editor.screenshot('prompt-editor-2-form');
  });

  it('comes into the form by a save, and the form comes back when it is closed', async () => {
    await openEditor();
    await append('Sing first. ');
    await editor.press('Control+S');
    await editor.page.locator('.tab.active:not(.dirty)').filter({ hasText: FILE }).waitFor();
    await editor.runCommand('View: Close Editor');
    await view.frame.locator('#prompt:focus').waitFor();
    await until('the text is there', async () => (await prompt()) === 'Sing first. Write a poem');
    assert.equal(await view.frame.locator('#prompt').getAttribute('readonly'), null);
  });

  it('must be saved or closed before the form adds the task', async () => {
    await openEditor();
    await append('Nobody wants this. ');
    await editor.page.locator('.tab').filter({ hasText: 'Add Task' }).first().click();
    await view.frame.locator('#editPrompt').focus();
    await editor.press('Control+Enter');
    await editor.page.locator('.tab.active').filter({ hasText: FILE }).waitFor();
    assert.doesNotMatch(editor.queue.read(), /poem/);
  });

  it('leaves the form as it was when it is closed without a save', async () => {
    await editor.runCommand('View: Close Editor');
    await editor.answerDialog(FILE, /Don.t Save/);
    await view.frame.locator('#prompt:focus').waitFor();
    assert.equal(await prompt(), 'Sing first. Write a poem');
  });

  it('is closed with the form', async () => {
    await openEditor();
    await editor.page.locator('.tab').filter({ hasText: 'Add Task' }).first().click();
    await view.frame.locator('#cancel').click();
    const tabs = editor.page.locator('.tab').filter({ hasText: 'Add Task' });
    await until('both are closed', async () => (await tabs.count()) === 0);
  });

  describe('whose form was closed by a reload of the window', () => {
    before(async () => {
      await editor.runCommand('Claude Queue: Add Task in Form');
      await view.typePrompt('Plant a tree');
      await openEditor();
      await append('Dig first. ');
      await editor.isBackedUp('Dig first.');
      await editor.reload();
      await editor.page.locator('.tab.dirty').filter({ hasText: FILE }).waitFor();
    });

    it('is saved for the form, and the user learns that this is closed', async () => {
      await editor.runCommand('File: Save');
      await editor.answerNotification(`The form of ${FILE} is closed.`, 'Open Form');
      await until('the text is there', async () => (await prompt()) === 'Dig first. Plant a tree');
      assert.notEqual(await view.frame.locator('#prompt').getAttribute('readonly'), null);
      await editor.screenshot('prompt-editor-3-restored');
    });

    it('leaves no file when it is closed', async () => {
      assert.equal(editor.promptFiles().size, 1);
      await view.frame.locator('#cancel').click();
      await editor.page.locator('.tab').filter({ hasText: FILE }).waitFor({ state: 'detached' });
      await until('the file is gone', () => editor.promptFiles().size === 0);
    });
  });

  it('of a window that ended comes into its form, and leaves no file', async () => {
    await editor.runCommand('Claude Queue: Add Task in Form');
    await view.typePrompt('Plant a tree');
    await openEditor();
    const [file = ''] = editor.promptFiles().keys();
    const other = join(file, '../../1/task-1.md');
    mkdirSync(dirname(other));
    writeFileSync(other, 'Paint the fence green\n');
    await editor.runCommand('View: Close All Editors');
    await until('the file is gone', () => !editor.promptFiles().has(file));
    await editor.runCommand('Claude Queue: Edit Task');
    await editor.pick('Paint the fence');
    await until('the text is there', async () => (await prompt()) === 'Paint the fence green');
    assert.equal(editor.promptFiles().size, 0);
  });

  describe('of a task that was removed', () => {
    it('is offered as a text, and leaves no file', async () => {
      await editor.runCommand('Claude Queue: Add Task in Form');
      await openEditor();
      const [file = ''] = editor.promptFiles().keys();
      const removed = join(file, '../../9/task-9.md');
      mkdirSync(dirname(removed));
      writeFileSync(removed, 'Sell the fence\n');
      await editor.runCommand('View: Close All Editors');
      await editor.runCommand('Claude Queue: Add Task in Form');
      await editor.answerNotification('Task 9 was removed.', 'Open Text');
      await until('it is open', async () => (await editor.editorLines())[0] === 'Sell the fence');
      assert.equal(editor.promptFiles().size, 0);
    });
  });
});
