import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isAbout } from '../support/queue/queuePlace';
import { text, tool } from '../support/claude/replies';
import { drawnAs } from './window/drawn';
import { PageView } from './window/pageView';
import { until } from '../support/until';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

/** Nothing allows it but a rule of its own. */
const COMMAND = "python3 -c \"open('swept.txt', 'w')\"";

/** Prompt that would be a link and a picture if a hover drew it as Markdown. */
const TRAP = 'Trap [Gift](command:claudeQueue.stop) ![Gift](https://a.example/gift.png)';

describe('The user who reviews a refused action', () => {
  let editor: Workbench;
  let turns = 0;

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Sweep the yard' },
        { id: 2, prompt: 'Count the stars' },
        { id: 3, prompt: TRAP, scheduled_time: '2099-01-01 00:00' },
      ],
      // At each attempt: the command, then a word.
      respond: (turn) => {
        if (!isAbout(turn, 'Sweep the yard')) return text('It is done.');
        turns += 1;
        return turns % 2 === 1 ? tool('Bash', { command: COMMAND }) : text('It is done.');
      },
    });
    await editor.openView('Claude Queue');
    await editor.treeRow('Sweep the yard');
  });

  after(() => editor.close());

  const made = (): string => join(editor.folder, 'swept.txt');
  const shown = async (id: number): Promise<string> => (await editor.queue.task(id)).shown;

  it('sees the billing before the first Start, and checks the machine', async () => {
    await editor.pressViewButton('Start');
    await editor.quickInput('Default permission mode');
    await editor.pick('acceptEdits');
    await editor.quickInput('Start: Claude Code');
    await editor.screenshot('reviewing-1-start');
    await editor.pick(/Account.*billed to the subscription/s);
    await new PageView(editor).sentence('No problems.');
    await editor.screenshot('reviewing-2-machine');
    // Beside the page the list is shown again.
    await editor.quickInput('Start: Claude Code');
    const list = editor.page.locator('.quick-input-widget:visible');
    await until('the list is closed', async () => {
      await editor.press('Escape');
      return (await list.count()) === 0;
    });
  });

  it('rehearses: nothing has run yet with the present permissions', async () => {
    await editor.runCommand('Claude Queue: Dry Run Next 24 Hours');
    await new PageView(editor).frame.getByText('Never finished in their present form').waitFor();
    await editor.screenshot('reviewing-3-rehearsal');
  });

  it('sees the task wait for review, with why, its facts and what can be done', async () => {
    await approveAndStart();
    await editor.treeRow(/Needs Attention\s*1/);
    await editor.treeRow(/Done\s*1/);
    const reported = await editor.tooltip(await editor.treeRow('Sweep the yard'), 'Last end');
    assert.match(reported, /Needs review: .*Bash python3/);
    assert.match(reported, /Accept Task as Completed.*Allow Tools and Retry….*Retry Task.*More…/s);
    assert.match(reported, /Last end +review \(denied\).*Cost +\$/s);
    await editor.screenshot('reviewing-4-tooltip');
  });

  it('opens its attempt by a link of the hover, and finds no link that a prompt made', async () => {
    const hover = editor.page.locator('.monaco-hover:visible');
    await hover.getByText('Show Attempt', { exact: true }).click();
    await editor.page.locator('.tab.active').filter({ hasText: 'Task 1, Attempt 1' }).waitFor();
    await editor.tooltip(await editor.treeRow('Trap'), 'Attempts');
    const links = await hover.locator('a').allInnerTexts();
    assert.ok(!links.some((link) => /Trap|Gift/.test(link)), links.join());
    assert.equal(await hover.locator('img').count(), 0);
    await editor.screenshot('reviewing-4-trap');
  });

  it('finds what needs attention in the hover of the status bar, with links', async () => {
    const reported = await editor.tooltip(editor.statusBarEntry('5h 20%'), 'need');
    assert.match(reported, /needs? attention/);
    assert.match(reported, /Stop….*Review Task 1….*Add Task….*More…/s);
    await editor.screenshot('reviewing-4-status');
    await editor.page.locator('.monaco-hover:visible').getByText('Review Task 1…').click();
    await editor.quickInput('Task 1: Sweep the yard');
    await editor.press('Escape');
  });

  it('allows only that action from the row, and the task completes', async () => {
    await editor.openFile('prompts.csv');
    await editor.chooseFromLens('Needs review', 'Allow Tools and Retry…');
    await editor.quickInput('Allow Tools and Retry: for task 1 only');
    await editor.screenshot('reviewing-5-allow');
    await editor.press('Enter');
    await editor.treeRow(/Done\s*2/);
    assert.equal(await shown(1), 'completed');
    assert.ok(existsSync(made()));
    await editor.screenshot('reviewing-6-done');
  });

  it('finds the same facts in the hover in the file, and before its output', async () => {
    const lines = editor.page.locator('.editor-group-container.active .view-line');
    const line = lines.filter({ hasText: drawnAs('Sweep the yard') });
    const hover = editor.page.locator('.monaco-hover:visible').filter({ hasText: 'Last end' });
    // A lens that comes moves the line from under the mouse.
    await until('the hover is open', async () => {
      await editor.page.mouse.move(0, 0);
      await line.hover({ position: { x: 3, y: 8 } });
      return hover.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
    assert.match(await hover.innerText(), /Last end +success.*/);
    await editor.screenshot('reviewing-7-hover');
    await editor.expand('Done');
    await editor.chooseFromTreeMenu('Sweep the yard', 'Show Output');
    await editor.terminalShows(/succeeded.*q:\sdetach/s);
    await editor.runCommand('Terminal: Scroll to Top');
    await editor.terminalShows(/outcome\s+success/);
    await editor.screenshot('reviewing-8-output');
  });

  /** As the user who has chosen what Claude may do, and approved nothing yet. */
  const approveAndStart = async (): Promise<void> => {
    await editor.pressViewButton('Start');
    await editor.quickInput('Start: ');
    await editor.pick('Approve and start');
  };
});

describe('A queue file that changed after its approval', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Count the stars\nTell how many' },
        { id: 2, prompt: 'Name them' },
      ],
      settings: { 'claudeQueue.permissionMode': 'acceptEdits' },
    });
    await editor.queue.approve('--all');
    editor.queue.write([
      { id: 1, prompt: 'Count the stars\nDelete the others', working_dir: '/tmp' },
      { id: 2, prompt: 'Name them' },
    ]);
    await editor.openView('Claude Queue');
    await editor.treeRow(/Needs Attention\s*1/);
  });

  after(() => editor.close());

  it('lists at Start which cells changed in which row, and which row never ran', async () => {
    await editor.pressViewButton('Start');
    await editor.quickInput('Start: ');
    const rows = editor.page.locator('.quick-input-list .monaco-list-row');
    const changed = await rows.filter({ hasText: /^1\s+Count/ }).innerText();
    assert.match(changed.replaceAll(/\s+/g, ' '), /changed: working_dir, prompt/);
    const other = await rows.filter({ hasText: /^2\s+Name/ }).innerText();
    assert.match(other.replaceAll(/\s+/g, ' '), /never finished with its present permissions/);
    await editor.screenshot('reviewing-9-changed');
  });

  it('shows both versions side by side before approval', async () => {
    const row = editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: /^1\s+Count/ });
    await editor.hover(row);
    await row.getByRole('button', { name: 'Show what changed' }).click();
    const side = (which: string) => editor.page.locator(`.monaco-diff-editor .editor.${which} .view-lines`);
    await side('original')
      .filter({ hasText: drawnAs('Tell how many') })
      .waitFor();
    await side('modified')
      .filter({ hasText: drawnAs('Delete the others') })
      .waitFor();
    await editor.screenshot('reviewing-10-difference');
    assert.equal((await editor.queue.task(1)).shown, 'unapproved');
  });
});
