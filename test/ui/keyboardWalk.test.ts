import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from '../support/claude/replies';
import { report } from '../support/claude/reports';
import { isAbout } from '../support/queue/queuePlace';
import { until } from '../support/until';
import { pressInRow } from './window/clicks';
import { Keyboard } from './window/keyboard';
import { PageView } from './window/pageView';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

describe('A user without a mouse and without the command palette', () => {
  const folder = mkdtempSync(join(tmpdir(), 'claude-queue-walk-'));
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  let editor: Workbench;
  let keys: Keyboard;

  before(async () => {
    editor = await openWorkbench({
      workspace: folder,
      respond: async (turn) => {
        if (!isAbout(turn, 'Sort the photos')) return text('Done.');
        if (turn.userTexts.some((words) => words.startsWith('Keep'))) return text('Sorted.');
        await asked;
        return report(turn, 'Delete or keep?', 'needs_answer', 'Delete the doubles or keep them?');
      },
    });
    keys = new Keyboard(editor);
  });

  after(async () => {
    await editor.close();
    rmSync(folder, { recursive: true });
  });

  const page = (): PageView => new PageView(editor);

  const file = (): string => readFileSync(editor.queue.file, 'utf8');

  /** Opens the form from the view's menu, and types the prompt. */
  async function typeTask(prompt: string): Promise<void> {
    await keys.chooseFromViewMenu('Add Task in Form');
    await page().typePrompt(prompt);
  }

  const addTask = (): Promise<void> => page().sendForm();

  it('has a side bar of 300 pixels', async () => {
    await keys.openView('Claude Queue');
    const box = await editor.page.locator('.part.sidebar').boundingBox();
    assert.equal(box?.width, 300);
  });

  it('creates a queue', async () => {
    await keys.openView('Claude Queue');
    await keys.tabTo('Create Queue');
    await editor.press('Enter');
    await until('the file is open', async () =>
      (await editor.editorLines()).some((line) => line.startsWith('1,')),
    );
    await editor.page.locator('.monaco-hover:visible').getByText('Folder in which Claude works.').waitFor();
    await editor.screenshot('walk-1-created');
  });

  it('removes the example', async () => {
    await keys.moveTo('task 1');
    await keys.chooseFromRowMenu('Remove');
    await editor.page.locator('.sidebar').getByText('The queue is empty.').waitFor();
    assert.doesNotMatch(file(), /^1,/m);
  });

  it('adds three tasks, one of them after another one and one at a time', async () => {
    await typeTask('Sort the photos');
    await addTask();
    await typeTask('Print the photos');
    for (const id of ['editPrompt', 'folder', 'browse', 'priority', 'after']) await page().tabTo(id);
    await editor.page.keyboard.type('sort');
    await editor.press('Enter');
    await addTask();
    await typeTask('Water the garden');
    for (const id of ['editPrompt', 'folder', 'browse', 'priority', 'after', 'time']) await page().tabTo(id);
    await editor.page.keyboard.type('tomorrow 2am');
    await addTask();
    await editor.treeRow(/1st.*Sort the photos/);
    await editor.treeRow(/after \d.*Print the photos/);
    await editor.treeRow(/02:00.*Water the garden/);
    await editor.screenshot('walk-2-added');
  });

  it('starts', async () => {
    await keys.pressViewButton('Start');
    await editor.quickInput('Default permission mode');
    await editor.press('Enter');
    await editor.quickInput(/Start/);
    await editor.screenshot('walk-3-start');
    await editor.press('Enter');
    await editor.treeRow(/Running/);
  });

  it('sees why a task waits', async () => {
    await keys.moveTo('Print the photos');
    assert.match(await keys.spoken(), /^After 2: waits for 2 .*Print the photos/);
  });

  it('stops', async () => {
    await keys.pressViewButton('Stop');
    await editor.quickInput('Stop');
    await editor.screenshot('walk-4-stop');
    await editor.press('Enter');
    answer();
    await editor.treeRow(/question.*Sort the photos/);
    await editor.statusBar('no worker');
  });

  it('answers a question', async () => {
    const title = editor.page.locator('.quick-input-title:visible');
    await pressInRow({
      press: async () => {
        await keys.moveTo('Sort the photos');
        await keys.chooseFromRowMenu('Answer');
      },
      hasCome: () => title.filter({ hasText: 'Answer Task 2' }).isVisible(),
      question: title.filter({ hasText: /^Answer$/ }),
    });
    await editor.answer('Keep them.');
    await editor.treeRow(/1st.*Sort the photos/);
  });

  it('fixes a row that cannot be read', async () => {
    writeFileSync(editor.queue.file, file().replace(',medium,.,Water', ',mediun,.,Water'));
    await editor.treeRow(/line \d/);
    await keys.moveTo(/line \d/i);
    await editor.screenshot('walk-5-invalid');
    await editor.press('Enter');
    await editor.page.locator('.monaco-editor.focused .squiggly-error').first().waitFor();
    await editor.quickFix('Change priority to "medium"');
    await editor.press('Enter');
    await editor.page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await editor.press('Control+S');
    await editor.treeRow(/02:00.*Water the garden/);
    assert.match(file(), /^4,medium,/m);
  });

  it('reorders two tasks', async () => {
    for (const prompt of ['Call the plumber', 'Feed the cat']) {
      await typeTask(prompt);
      await addTask();
    }
    await editor.treeRow(/3rd.*Feed the cat/);
    await keys.moveTo('Feed the cat');
    await editor.press('Alt+ArrowUp');
    await editor.treeRow(/2nd.*Feed the cat/);
    await editor.treeRow(/3rd.*Call the plumber/);
    await editor.screenshot('walk-6-reordered');
  });
});
