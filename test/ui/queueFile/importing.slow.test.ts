import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/until';
import { QueueEditor } from '../window/queueEditor';
import { openWorkbench, type Workbench } from '../window/workbench';

const TODO = '# Cellar\n\n- [ ] Tidy up\n  First the shelves.\n- [x] Paint\n- [ ]\n- [ ] Lock up\n';

describe('The user who imports tasks', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({ rows: [{ id: 1, prompt: 'Count the stars' }] });
    writeFileSync(join(editor.folder, 'TODO.md'), TODO);
    await editor.queue.approve('--all');
    await editor.openView('Claude Queue');
    await editor.treeRow('Count the stars');
  });

  after(() => editor.close());

  /** Answers the dialog for a new file, once it has written what it proposes. */
  async function nameFile(title: RegExp, proposed: string, name: string): Promise<void> {
    await editor.quickInput(title);
    const input = editor.page.locator('.quick-input-box input');
    await until('the dialog proposes a file', async () => (await input.inputValue()).endsWith(proposed));
    await input.fill(join(editor.folder, name));
    await until('the name is typed', async () => (await input.inputValue()).endsWith(name));
    await editor.press('Enter');
  }

  it('sees the rows of a check-list, with their problems, before anything is added', async () => {
    await editor.runCommand('Claude Queue: Import Tasks…');
    await editor.quickInput(/Import Tasks/);
    await editor.pick('TODO.md');
    await editor.quickInput('Import from TODO.md: 4 rows, 1 with problems');
    await editor.screenshot('importing-1-preview');
    const labels = (await editor.quickPicks()).map(({ label }) => label);
    assert.equal(labels.length, 4);
    assert.match(editor.queue.read(), /Count the stars/);
    assert.doesNotMatch(editor.queue.read(), /Lock up/);
  });

  it('adds the ticked rows, which need approval and name their file', async () => {
    await editor.press('Enter');
    await editor.notification('Imported 2 tasks from TODO.md');
    await editor.screenshot('importing-2-added');
    assert.match(
      editor.queue.read(),
      /\n2,medium,\.,"Tidy up\nFirst the shelves\.",.*\n3,medium,\.,Lock up,/,
    );
    assert.equal((await editor.queue.task(3)).shown, 'unapproved');
    await editor.answerNotification('Imported 2 tasks', 'Approve Tasks…');
    await editor.quickInput('Approve');
    const row = editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Lock up' });
    assert.match(await row.innerText(), /imported from TODO\.md/);
    await editor.screenshot('importing-3-approve');
    await editor.press('Escape');
  });

  it('exports the queue as CSV', async () => {
    await editor.runCommand('Claude Queue: Export Tasks…');
    await nameFile(/Export Tasks/, '/tasks.csv', 'copy.csv');
    const copy = join(editor.folder, 'copy.csv');
    const isCopied = (): boolean => existsSync(copy) && readFileSync(copy, 'utf8') === editor.queue.read();
    await until('the file has the rows of the queue', isCopied);
  });

  it('asks about unsaved changes before it exports', async () => {
    const file = new QueueEditor(editor, editor.queue.file);
    await file.open('Lock up');
    await file.replace('Lock up', 'Lock the door');
    await file.isMarked();
    await editor.runCommand('Claude Queue: Export Tasks…');
    assert.match(await editor.dialog('has unsaved changes'), /Rows are exported as they are saved on disk/);
    await editor.answerDialog('has unsaved changes', 'Save and Continue');
    await nameFile(/Export Tasks/, '/tasks.csv', 'saved.csv');
    const copy = join(editor.folder, 'saved.csv');
    await until(
      'the file has what was typed',
      () => existsSync(copy) && readFileSync(copy, 'utf8').includes('Lock the door'),
    );
  });
});
