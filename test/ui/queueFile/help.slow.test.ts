import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../../support/until';
import { readTexts, type Words } from '../window/drawn';
import { QueueEditor } from '../window/queueEditor';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

const SAMPLE = resolve(__dirname, '../../../sample');

describe('The user who writes rows of the queue file', () => {
  let editor: Workbench;
  let file: QueueEditor;

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Upgrade the SDK' },
        { id: 2, prompt: 'Cache exchange rates' },
        {
          id: 3,
          prompt: 'Write the report',
          dependencies: '2',
          repeat: 'yes',
          repeat_interval: '0 7 * * 1-5',
        },
        { id: 4, prompt: 'Remove the flags' },
      ],
      settings: { 'files.autoSave': 'off' },
    });
    await editor.queue.approve('--all');
    file = new QueueEditor(editor, editor.queue.file);
    await file.open('Upgrade');
  });

  after(() => editor.close());

  /** Puts the cursor behind these words, the first of their kind in that line, from 1. */
  async function goBehind(line: number, words: string): Promise<void> {
    const text = readFileSync(editor.queue.file, 'utf8').split('\n')[line - 1] ?? '';
    assert.ok(text.includes(words), text);
    await editor.goTo(line, text.indexOf(words) + words.length + 1);
    await file.focus();
  }

  /** Waits for an entry of the list of completions, and returns all that are drawn. */
  async function completions(words: Words): Promise<string[]> {
    const rows = editor.page.locator('.suggest-widget.visible .monaco-list-row');
    await rows.filter({ hasText: words }).first().waitFor();
    return readTexts(rows);
  }

  it('gets the actions of a task from the lens of its row', async () => {
    await editor.lenses((all) => all.length === 4 && all[0]?.includes('1st in line…') === true);
    await editor.clickLens('1st in line');
    await editor.quickInput('Task 1: Upgrade the SDK');
    const picks = (await editor.quickPicks()).map(({ label }) => label);
    assert.deepEqual(picks.slice(0, 2), ['Run This Task', 'Run This Task Interactively']);
    assert.ok(picks.includes('Cancel Task'));
    await editor.screenshot('help-1-lens');
    await editor.press('Escape');
  });

  it('chooses a dependency by words of its prompt', async () => {
    await goBehind(5, 'pending,,');
    await editor.runCommand('Trigger Suggest');
    const all = await completions('Cache exchange rates');
    assert.match(all[0] ?? '', /^1\s*Upgrade the SDK.*1st/);
    assert.ok(!all.some((one) => one.includes('Remove the flags')), all.join('\n'));
    await editor.screenshot('help-2-dependencies');
    await editor.page.keyboard.type('exch');
    await until('only one is left', async () => (await completions('Cache')).length === 1);
    await editor.press('Enter');
    await file.shows('Remove the flags,pending,,2,no');
  });

  it('writes a time in words', async () => {
    await goBehind(2, 'pending,');
    await editor.page.keyboard.type('tom');
    await completions('tomorrow 02:00');
    await editor.screenshot('help-3-time');
    await editor.page
      .locator('.suggest-widget .monaco-list-row')
      .filter({ hasText: 'tomorrow 02:00' })
      .click();
    await until('the time is written', async () =>
      (await editor.editorLines()).some((line) =>
        /Upgrade the SDK,pending,\d{4}-\d\d-\d\d 02:00,,no/.test(line),
      ),
    );
  });

  it('sees the next times of a repeating task', async () => {
    await goBehind(4, 'yes,0 7');
    await editor.runCommand('Show or Focus Hover');
    const hover = editor.page.locator('.monaco-hover:visible').filter({ hasText: 'repeat_interval' });
    await hover.waitFor();
    const text = await hover.innerText();
    assert.match(text, /1\. \w{3} \d{4}-\d\d-\d\d 07:00, in/);
    assert.match(text, /5\. /);
    await editor.screenshot('help-4-times');
  });

  it('fixes a misspelt word by the lightbulb', async () => {
    await goBehind(3, 'medium');
    for (const _ of 'ium') await editor.press('Backspace');
    await editor.page.keyboard.type('uim');
    await editor.press('Escape');
    await editor.page.locator('.squiggly-error').first().waitFor();
    await editor.quickFix('Change priority to "medium"');
    await editor.screenshot('help-5-fixes');
    await editor.press('Enter');
    await file.shows('2,medium,.,Cache');
    await editor.page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
  });
});

describe('The user who writes config.yaml', () => {
  let editor: Workbench;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'claude-queue-config-'));
    cpSync(SAMPLE, folder, { recursive: true });
    writeFileSync(join(folder, 'claude_queue/config.yaml'), 'maxPerHour: many\nmaxRuning: 2\n');
    editor = await openWorkbench({ workspace: folder, settings: { 'files.autoSave': 'off' } });
    await editor.openFile('config.yaml');
  });

  after(async () => {
    await editor.close();
    rmSync(folder, { recursive: true });
  });

  const suggestions = (): Locator => editor.page.locator('.suggest-widget.visible .monaco-list-row');
  const errors = (): Locator => editor.page.locator('.squiggly-error');

  it('sees a wrong value marked', async () => {
    await errors().first().waitFor();
    await editor.screenshot('help-6-config');
  });

  it('replaces a misspelled name by the lightbulb', async () => {
    await until('both problems are marked', async () => (await errors().count()) === 2);
    await editor.goToWords('maxRuning');
    await editor.page.locator('.editor-group-container.active .native-edit-context').focus();
    await (await editor.quickFix('Replace with maxRunning')).click();
    await until('the name is replaced', async () => (await editor.editorLines()).includes('maxRunning: 2'));
    await until('one problem is left', async () => (await errors().count()) === 1);
  });

  it('gets names and values of settings', async () => {
    await editor.goTo(3, 1);
    await editor.page.locator('.editor-group-container.active .native-edit-context').focus();
    await editor.page.keyboard.type('missedR');
    await suggestions().filter({ hasText: 'missedRuns' }).first().waitFor();
    await editor.screenshot('help-7-setting');
    await editor.press('Enter');
    await suggestions().filter({ hasText: 'skip' }).first().waitFor();
    await editor.screenshot('help-8-value');
  });

  it('sees what is wrong before it is saved', async () => {
    await editor.press('Escape');
    await editor.page.keyboard.type('never');
    await until('both values are marked', async () => (await errors().count()) === 2);
    const hover = editor.page.locator('.monaco-hover:visible').filter({ hasText: 'missedRuns' });
    // A hover keeps what was known when it was asked for.
    await until('the hover has the problem and the setting', async () => {
      await editor.press('Escape');
      await editor.runCommand('Show or Focus Hover');
      const words = await hover.first().innerText();
      return (
        words.includes('missedRuns must be one of') && /How to handle missed runs.*Default: once/s.test(words)
      );
    });
    await editor.screenshot('help-9-problems');
  });
});
