import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/until';
import { QueueEditor } from '../window/queueEditor';
import { openWorkbench, type Workbench } from '../window/workbench';

const LONG = 'Tidy up the cellar\n\nFirst the shelves, then the floor.';

describe('The user of prompt files', () => {
  let editor: Workbench;
  let file: QueueEditor;

  before(async () => {
    editor = await openWorkbench({
      rows: [{ id: 1, prompt: LONG }],
      settings: { 'files.autoSave': 'off', 'claudeQueue.permissionMode': 'acceptEdits' },
    });
    mkdirSync(join(editor.folder, 'notes'), { recursive: true });
    writeFileSync(join(editor.folder, 'notes', 'roof.md'), 'Mend the roof\n');
    await editor.queue.approve('--all');
    file = new QueueEditor(editor, editor.queue.file);
    await editor.openView('Claude Queue');
    await editor.treeRow('Tidy up the cellar');
    await file.open('Tidy up');
  });

  after(() => editor.close());

  const moved = (): string => join(editor.folder, 'claude_queue/prompts/1-tidy-up-the-cellar.md');
  const shown = async (): Promise<string> => (await editor.queue.task(1)).shown;

  /** Chooses the quick fix at the prompt. */
  async function movePrompt(): Promise<void> {
    await editor.goTo(2, 20);
    await file.focus();
    await (await editor.quickFix('Move Prompt to File')).click();
  }

  it('moves a long prompt to a file, and takes both back with one undo', async () => {
    await movePrompt();
    await file.shows('prompts/1-tidy-up-the-cellar.md');
    await until('the file is there', () => existsSync(moved()));
    assert.equal(readFileSync(moved(), 'utf8'), `${LONG}\n`);
    await editor.screenshot('promptFile-1-moved');
    await file.undo();
    const dialog = editor.page.locator('.monaco-dialog-box');
    const isAsked = until('it is undone', async () =>
      (await dialog.count()) > 0 ? 'asked' : existsSync(moved()) ? null : 'done',
    );
    if ((await isAsked) === 'asked') await editor.answerDialog(/undo/i, /Undo in \d+ Files|Yes|Undo/);
    await until('the file is gone', () => !existsSync(moved()));
    await file.shows('First the shelves');
  });

  it('saves the moved prompt, which waits for approval and shows it in full', async () => {
    await movePrompt();
    await file.shows('prompts/1-tidy-up-the-cellar.md');
    await file.save();
    await until('it waits for approval', async () => (await shown()) === 'unapproved');
    await editor.runCommand('Claude Queue: Approve Tasks');
    await editor.quickInput('Approve');
    const row = editor.page.locator('.quick-input-list .monaco-list-row').first();
    assert.match(await row.innerText(), /the text of claude_queue\/prompts\/1-tidy-up-the-cellar\.md/);
    await editor.screenshot('promptFile-2-approve');
    await editor.press('Escape');
    await editor.queue.approve('--all');
    assert.equal(await shown(), 'ready');
  });

  it('opens the file from its cell, and sees in the tree that a saved change needs approval', async () => {
    await file.focus();
    const line = readFileSync(editor.queue.file, 'utf8').split('\n')[1] ?? '';
    await editor.goTo(2, line.indexOf('claude_queue/prompts') + 5);
    await file.focus();
    await editor.runCommand('Go to Definition');
    await until('the file is open', async () =>
      (await editor.editorLines()).some((text) => text.includes('First the shelves')),
    );
    await editor.press('Control+End');
    await editor.page.keyboard.type('And burn the rest.');
    await editor.press('Control+S');
    await editor.treeRow(/Needs attention|needs approval|approve/i);
    await until('it waits for approval', async () => (await shown()) === 'unapproved');
    await editor.screenshot('promptFile-3-changed');
  });

  it('approves the changed text after seeing its difference', async () => {
    await editor.runCommand('Claude Queue: Approve Tasks');
    await editor.quickInput('Approve');
    const row = editor.page.locator('.quick-input-list .monaco-list-row').first();
    assert.match(await row.innerText(), /changed: prompt_file/);
    await editor.hover(row);
    await row.locator('.codicon-diff').click();
    await until('the difference is shown', async () =>
      (await editor.editorLines()).some((text) => text.includes('And burn the rest.')),
    );
    await editor.screenshot('promptFile-4-difference');
    await row.locator('.label-name').first().click();
    await editor.press('Enter');
    await until('it is approved', async () => (await shown()) === 'ready');
  });
});
