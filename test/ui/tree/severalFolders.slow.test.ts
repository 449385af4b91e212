import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../../support/until';
import { pressInRow } from '../window/clicks';
import { PageView } from '../window/pageView';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

describe('A workspace with several folders', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      settings: { 'claudeQueue.permissionMode': 'acceptEdits' },
      folders: {
        north: [
          { id: 1, prompt: 'Climb the hill' },
          { id: 2, prompt: 'Plant a flag' },
          { id: 3, prompt: 'Fly over the sea', status: 'failed' },
        ],
        south: [{ id: 1, prompt: 'Swim in the lake' }],
        west: [],
      },
    });
    writeFileSync(join(editor.folder, 'south/lake.md'), 'The lake is deep.\n');
    await editor.openView('Claude Queue');
  });

  after(() => editor.close());

  const shown = async (name: string, id = 1): Promise<string> => (await editor.queueIn(name).task(id)).shown;

  const attemptTab = (): Locator =>
    editor.page.locator('.tab').filter({ hasText: 'south: Task 1, Attempt 1' });

  const verdict = (): Locator =>
    new PageView(editor).frame.locator('#verdict').getByText('Attempt 1 succeeded');

  const questionOf = (title: string): Locator =>
    editor.page.locator('.quick-input-title:visible').filter({ hasText: title });

  const pressHere = (hasCome: () => Promise<boolean>, press: () => Promise<void>): Promise<void> =>
    pressInRow({ press, hasCome, question: questionOf('Choose the Folder') });

  const chooseInRow = (row: string | RegExp, item: string, come: () => Promise<boolean>): Promise<void> =>
    pressHere(come, () => editor.chooseFromTreeMenu(row, item));

  /** The rows of the tree, by their words. */
  const rows = async (): Promise<string[]> =>
    (await editor.treeRows()).map(({ label, description }) => `${label} ${description}`);

  it('has one row for each folder with a queue, with its tasks below it', async () => {
    await editor.treeRow(/^north/);
    await editor.treeRow(/^south/);
    const prompts = ['Fly over the sea', 'Climb the hill', 'Plant a flag', 'Swim in the lake'];
    for (const prompt of prompts) await editor.treeRow(prompt);
    const found = (await rows()).join('\n');
    assert.match(
      found,
      /north.*\n.*Fly over the sea.*\n.*Climb the hill.*\n.*Plant a flag.*\nsouth.*\n.*Swim in the lake/s,
    );
    assert.doesNotMatch(found, /west/);
    await editor.statusBar('4');
    await editor.screenshot('folders-1-both');
  });

  it('starts the queue of one folder from its row, and approves and runs only its tasks', async () => {
    const question = questionOf('south: Start: ');
    await pressHere(
      () => question.isVisible(),
      () => editor.pressTreeButton(/^south/, 'Start'),
    );
    const offered = (await editor.quickPicks()).map((row) => Object.values(row).join(' ')).join('\n');
    assert.match(offered, /Swim in the lake/);
    assert.doesNotMatch(offered, /Climb the hill/);
    await editor.pick('Approve and start');
    await until('the task has run', async () => (await shown('south')) === 'completed');
    assert.deepEqual([await shown('north'), await shown('north', 2)], ['unapproved', 'unapproved']);
    assert.equal(editor.processes('work --alone', 'south').length, 1);
    assert.equal(editor.processes('work --alone', 'north').length, 0);
    await editor.treeRow(/Done\s*1/);
    await editor.screenshot('folders-2-started');
  });

  it('names the folder in the tab of an attempt', async () => {
    await editor.expand(/^Done/);
    await chooseInRow('Swim in the lake', 'Show Attempt', () => attemptTab().isVisible());
    await verdict().waitFor();
  });

  it('adds a task about a file to the queue of its folder', async () => {
    await editor.openFile('lake.md');
    await editor.runCommand('Claude Queue: Add to Claude Queue…');
    await editor.page.locator('.tab.active').filter({ hasText: 'south: ' }).waitFor();
    await new PageView(editor).typePrompt('Describe this file');
    await editor.screenshot('folders-3-form');
    await new PageView(editor).sendForm();
    const rowsOfSouth = (): string => readFileSync(editor.queueIn('south').file, 'utf8');
    await until('the task is in the queue of the south', () => rowsOfSouth().includes('Describe this file'));
    assert.match(rowsOfSouth(), /[^/]lake\.md/);
    await editor.treeRow(/Done\s*2/);
    await editor.runCommand('View: Close Editor');
  });

  it('acts on the queue of a row, though another queue has a task with the same id', async () => {
    await chooseInRow('Climb the hill', 'Cancel Task', async () => (await shown('north')) === 'cancelled');
    assert.equal(await shown('south'), 'completed');
    // A click on a row is lost while the tree is drawn again.
    await editor.treeRow(/Done\s*1/);
    const question = questionOf('north: Approve: these tasks');
    await chooseInRow('Plant a flag', 'Approve Tasks…', () => question.isVisible());
    await editor.quickPicks();
    await editor.press('Enter');
    await until('the task is approved', async () => (await shown('north', 2)) !== 'unapproved');
  });

  it('asks for the folder of a command without a row, unless the active editor has a file of one', async () => {
    await editor.runCommand('Claude Queue: Pause Queue');
    await editor.quickInput('Choose the Folder');
    await editor.screenshot('folders-3-choose');
    await editor.pick('north');
    await until('north is paused', async () => (await editor.queueIn('north').status()).hold !== null);
    assert.equal((await editor.queueIn('south').status()).hold, null);
    const isResumed = async (): Promise<boolean> => (await editor.queueIn('north').status()).hold === null;
    await chooseInRow(/^north/, 'Resume Queue', isResumed);
    const file = editor.page.locator('.tab.active').filter({ hasText: 'prompts.csv' });
    await pressHere(
      () => file.isVisible(),
      () => editor.pressTreeButton(/^south/, 'Open Queue File'),
    );
    await editor.runCommand('Claude Queue: Pause Queue');
    await until('south is paused', async () => (await editor.queueIn('south').status()).hold !== null);
    assert.equal((await editor.queueIn('north').status()).hold, null);
  });

  it('shows the attempt of the same folder again after the window was loaded again', async () => {
    await editor.reload();
    await attemptTab().click();
    await verdict().waitFor();
    await editor.treeRow(/^south/);
  });

  it('shows a queue that is created in another folder', async () => {
    await editor.runCommand('Claude Queue: Create Queue');
    await editor.treeRow(/^west/);
    await editor.screenshot('folders-4-created');
  });

  it('has no row of a folder that is removed, and has it again when it is back', async () => {
    editor.setFolders('north', 'west');
    await until(
      'its row is gone',
      async () => !(await rows()).some((row) => row.includes('Swim in the lake')),
    );
    editor.setFolders('north');
    await until(
      'no folder has a row',
      async () => !(await rows()).some((row) => /^(?:north|west)/.test(row)),
    );
    await editor.treeRow('Plant a flag');
    await editor.screenshot('folders-5-one');
    editor.setFolders('north', 'south');
    await editor.treeRow(/^south/);
    await editor.treeRow(/^north/);
  });
});
