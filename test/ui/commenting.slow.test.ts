import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { GitRepository } from '../support/machine/gitRepository';
import { tool } from '../support/claude/replies';
import { report } from '../support/claude/reports';
import { isAbout } from '../support/queue/queuePlace';
import { until } from '../support/until';
import { clickUntilHeard } from './window/clicks';
import { drawnAs } from './window/drawn';
import { untilRemembered } from './window/storedState';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

const FENCE = "export const colour = 'white';\nexport const height = 2;\n";
const FIRST = "sed -i s/white/green/ src/fence.ts && printf 'Two coats.\\nOne day.\\n' > notes.md";
const SECOND = 'sed -i s/green/blue/ src/fence.ts';
const COMMENT = 'Blue, as the house is.';

/** Id of the extension. */
const EXTENSION = 'claude-task-queue.claude-task-queue';

/** Time after which what did not open is tried again. */
const BRIEFLY_MS = 3_000;

const ROWS = [
  { id: 1, prompt: 'Paint the fence', allowed_tools: 'Bash' },
  { id: 2, prompt: 'Water the lawn', scheduled_time: '2099-01-01 00:00' },
];

describe('The user who reviews what a task changed', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      settings: { 'comments.openView': 'never', 'files.autoSave': 'off' },
      rows: ROWS,
      respond: (turn) => {
        const isCommented = turn.userTexts.some((words) => words.includes(COMMENT));
        const command = [FIRST, ...(isCommented ? [SECOND] : [])][turn.toolResults];
        if (command !== undefined) return tool('Bash', { command });
        return isCommented
          ? report(turn, 'It is blue.', 'could_not', 'The paint is wet.')
          : report(turn, 'It is green.', 'could_not', 'The paint is wet.');
      },
    });
    mkdirSync(dirname(file('src/fence.ts')), { recursive: true });
    writeFileSync(file('src/fence.ts'), FENCE);
    GitRepository.init(editor.folder).commitAll('Before');
    await editor.openView('Claude Queue');
    await editor.treeRow('Paint the fence');
    await editor.narrowSideBar();
    await editor.queue.run('trust');
    await editor.queue.run('work --until-empty');
  });

  after(() => editor.close());

  const file = (name: string): string => join(editor.folder, name);
  const read = (name: string): string => readFileSync(file(name), 'utf8');
  const group = (): Locator => editor.page.locator('.editor-group-container.active');
  const shows = (words: string): Promise<void> =>
    group()
      .locator('.editor.modified .view-line')
      .filter({ hasText: drawnAs(words) })
      .first()
      .waitFor();
  const widget = (): Locator => group().locator('.review-widget');
  const comments = (): Locator => widget().locator('.review-comment');
  const press = (button: string): Promise<void> =>
    widget().locator('.monaco-text-button:not(.disabled)').filter({ hasText: button }).click();
  const pressTitle = (button: string): Promise<void> =>
    clickUntilHeard(group().locator('.editor-actions').getByRole('button', { name: button }).first());
  const dark = async (name: string): Promise<void> => {
    await editor.screenshot(name);
    await editor.runCommand('Preferences: Toggle between Light/Dark Themes');
    await editor.page.locator('.monaco-workbench.vs-dark').waitFor();
    await editor.screenshot(`${name}-dark`);
    await editor.runCommand('Preferences: Toggle between Light/Dark Themes');
    await editor.page.locator('.monaco-workbench.vs').waitFor();
  };

  /** Opens the box for a comment on a line of the right side. The lines may still move. */
  const openBox = (words: string): Promise<unknown> => {
    const lines = group()
      .locator('.editor.modified .view-line:visible')
      .filter({ hasText: drawnAs(words) });
    const form = widget().locator('.comment-form .monaco-editor:visible');
    const button = group().locator('.comment-range-glyph.line-hover:visible');
    return until('the box for a comment is open', async () => {
      await lines.first().hover({ position: { x: 30, y: 8 } });
      await button.click({ timeout: BRIEFLY_MS }).catch(() => undefined);
      return form.waitFor({ timeout: BRIEFLY_MS }).then(
        () => true,
        () => false,
      );
    });
  };

  it('comments on a line of its diff', async () => {
    await editor.treeRow(/Needs Attention\s*1/);
    await editor.pressTreeButton('Paint the fence', 'Show Changes');
    await shows("colour = 'green'");
    await editor.screenshot('commenting-1-diff');
    await openBox("colour = 'green'");
    await editor.page.keyboard.type('Green is for frogs.');
    assert.equal(await group().locator('.editor.original .comment-range-glyph').count(), 0);
    await editor.screenshot('commenting-2-box');
    await press('Add Comment');
    await comments().filter({ hasText: 'Green is for frogs.' }).waitFor();
    await editor.screenshot('commenting-3-added');
  });

  it('edits one comment, and deletes another', async () => {
    const [first] = await comments().all();
    assert.ok(first);
    await first.hover();
    await first.getByRole('button', { name: 'Edit Comment' }).click();
    await first.locator('.monaco-editor').waitFor();
    await editor.press('Control+A');
    await editor.page.keyboard.type(COMMENT);
    await editor.screenshot('commenting-4-edit');
    await first.locator('.monaco-text-button').filter({ hasText: 'Save Comment' }).click();
    await comments().filter({ hasText: COMMENT }).waitFor();

    await openBox('One day.');
    await editor.page.keyboard.type('Say when.');
    await press('Add Comment');
    const second = comments().filter({ hasText: 'Say when.' });
    await second.waitFor();
    await dark('commenting-5-two');
    await second.hover();
    await second.getByRole('button', { name: 'Delete Comment' }).click();
    await second.waitFor({ state: 'detached' });
  });

  it('finds its comment again after the window was reloaded', async () => {
    await untilRemembered(editor.page, EXTENSION, COMMENT, 'Say when.');
    await editor.reload();
    await editor.treeRow(/Needs Attention\s*1/);
    await editor.pressTreeButton('Paint the fence', 'Show Changes');
    await shows("colour = 'green'");
    await comments().filter({ hasText: COMMENT }).waitFor();
    // The diff that came back with the window is drawn anew: for a moment it has no comment.
    await until('it is there once', async () => (await comments().count()) === 1);
    await editor.screenshot('commenting-5-reloaded');
  });

  it('keeps the comments while the task cannot take them', async () => {
    const [, ...others] = ROWS;
    editor.queue.write([{ id: 1, prompt: 'Paint the gate', allowed_tools: 'Bash' }, ...others]);
    await editor.treeRow('Paint the gate');
    await pressTitle('Continue Task with Comments');
    await editor.notification(/session/);
    await editor.screenshot('commenting-6-refused');
    await comments().filter({ hasText: COMMENT }).waitFor();
    editor.queue.write(ROWS);
    await editor.treeRow('Paint the fence');
  });

  it('continues the task with the comments, in its session', async () => {
    await pressTitle('Continue Task with Comments');
    await editor.notification('Task 1 is pending again and resumes with your comment.');
    await comments().first().waitFor({ state: 'detached' });
    await editor.screenshot('commenting-7-sent');
    await editor.queue.run('work --until-empty');
    const turns = editor.api.turns().filter((turn) => isAbout(turn, 'Paint the fence'));
    assert.equal(new Set(turns.map(({ session }) => session)).size, 1);
    const note = turns.find(({ lastUserText }) => lastUserText.includes(COMMENT))?.lastUserText ?? '';
    assert.match(note, /src\/fence\.ts:1\n> export const colour = 'green';\nBlue, as the house is\./);
    assert.doesNotMatch(note, /frogs|Say when/);
    assert.match(read('src/fence.ts'), /blue/);
  });

  it('accepts it above the diff of its second attempt', async () => {
    await editor.treeRow(/Needs Attention\s*1/);
    await editor.pressTreeButton('Paint the fence', 'Show Changes');
    await editor.quickInput('Show Changes: task 1');
    await editor.press('Enter');
    await shows("colour = 'blue'");
    await editor.screenshot('commenting-8-second');
    await pressTitle('Undo Changes');
    await editor.dialog('Undo attempt 2 of task 1 in 1 file?');
    await editor.answerDialog('Undo attempt 2', 'Cancel');
    await pressTitle('Accept Task as Completed');
    await editor.treeRow(/Done\s*1/);
    assert.equal((await editor.queue.task(1)).shown, 'completed');
  });

  it('is refused to undo it while a file is not as it was left', async () => {
    await editor.expand('Done');
    const notes = read('notes.md');
    writeFileSync(file('notes.md'), 'Mine.\n');
    await editor.chooseFromTreeMenu('Paint the fence', 'Undo Changes');
    const refusal = await editor.dialog('Nothing was undone');
    await editor.screenshot('commenting-9-overlap');
    assert.match(refusal, /these files have changed since task 1\.\s+notes\.md/);
    await editor.answerDialog('Nothing was undone', /^(OK|Close)$/);
    assert.match(read('src/fence.ts'), /blue/);
    writeFileSync(file('notes.md'), notes);
  });

  it('is refused to undo it while an editor has unsaved changes of a file', async () => {
    await editor.openFile('fence.ts', file('src/fence.ts'));
    await editor.goToWords('export const colour');
    await editor.page.keyboard.type('// ');
    await editor.page.locator('.tab.active.dirty').waitFor();
    await editor.chooseFromTreeMenu('Paint the fence', 'Undo Changes');
    assert.match(await editor.dialog('Nothing was undone'), /unsaved changes.*\s+src\/fence\.ts$/);
    await editor.answerDialog('Nothing was undone', /^(OK|Close)$/);
    await editor.runCommand('File: Revert File');
  });

  it('undoes all attempts from its row, after a look at the files', async () => {
    await editor.chooseFromTreeMenu('Paint the fence', 'Undo Changes');
    const asked = await editor.dialog('Undo attempts 1, 2 of task 1');
    await editor.screenshot('commenting-10-undo');
    assert.match(
      asked,
      /These are all changes in .* by anybody\.\s+removed: notes\.md\s+restored: src\/fence\.ts/,
    );
    await editor.answerDialog('Undo attempts', 'Undo Changes');
    await editor.notification('Undid attempts 1, 2 of task 1: 2 files.');
    await dark('commenting-11-undone');
    assert.equal(read('src/fence.ts'), FENCE);
    assert.equal(existsSync(file('notes.md')), false);
  });

  it('comments on it without a diff, and Claude reads of the undo too', async () => {
    await editor.chooseFromTreeMenu('Paint the fence', 'Comment on Task');
    await editor.quickInput('Comment on Task 1');
    await editor.screenshot('commenting-12-comment');
    await editor.answer('Red, after all.');
    await until('the task is pending again', async () => (await editor.queue.task(1)).shown === 'ready');
    await editor.queue.run('work --until-empty');
    const read = editor.api.turns().find(({ lastUserText }) => lastUserText.includes('Red, after all.'));
    assert.match(read?.lastUserText ?? '', /The user has undone your changes/);
  });
});
