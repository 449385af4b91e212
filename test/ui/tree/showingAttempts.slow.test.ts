import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { isAbout } from '../../support/queue/queuePlace';
import { text, tool } from '../../support/claude/replies';
import { until } from '../../support/until';
import { WithheldAnswers } from '../window/heldAnswers';
import { THEMES } from '../window/pageView';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

/** Nothing allows it but a rule of its own. */
const COMMAND = "python3 -c \"open('swept.txt', 'w')\"";

const HOSTILE = [
  '# The yard is **swept**',
  'See `notes/meeting.md:2`, [a link](https://example.com/x) and [another](command:workbench.action.closeWindow).',
  '<script>document.body.textContent = "taken"</script> <img src=x onerror="document.body.textContent=1">',
  '![picture](https://example.com/p.png)',
].join('\n\n');

describe('The page of an attempt', () => {
  let editor: Workbench;
  let turns = 0;
  const held = new WithheldAnswers(['Count the stars']);

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Sweep the yard' },
        { id: 2, prompt: 'Count the stars' },
      ],
      settings: { 'claudeQueue.permissionMode': 'acceptEdits' },
      respond: (turn) => {
        if (isAbout(turn, 'Count the stars') && turn.toolResults === 0)
          return tool('Read', { file_path: join(editor.folder, 'notes/meeting.md') }, 'I look at the notes.');
        if (!isAbout(turn, 'Sweep the yard')) return held.respond(turn);
        turns += 1;
        if (turns === 1) return tool('Edit', edit(editor.folder), 'I change the notes first.');
        if (turns === 2) return tool('Bash', { command: COMMAND });
        return text(HOSTILE);
      },
    });
    writeFileSync(join(editor.folder, 'notes/meeting.md'), 'one\ntwo\nthree\n');
    await editor.queue.approve('--all');
    await editor.openView('Claude Queue');
    await editor.pressViewButton('Start');
    await editor.quickInput('Start: ');
    await editor.press('Enter');
  });

  after(() => editor.close());

  it('shows the steps of a running attempt as they come', async () => {
    await editor.treeRow('Read notes/meeting.md');
    await editor.chooseFromTreeMenu('Count the stars', 'Show Attempt');
    const page = pageOf(editor);
    await page.getByText('I look at the notes.').waitFor();
    await page.locator('#verdict').getByText('Running for').waitFor();
    await editor.screenshot('attempt-1-running');
    held.give('Count the stars');
    await page.locator('#verdict').getByText('Attempt 1 succeeded').waitFor();
    await editor.screenshot('attempt-2-ended');
  });

  it('shows what Claude did, what was refused, and the facts', async () => {
    await editor.treeRow(/Needs Attention\s*1/);
    await editor.chooseFromTreeMenu('Sweep the yard', 'Show Attempt');
    const page = pageOf(editor);
    await page.getByText('I change the notes first.').waitFor();
    await page.locator('.refusal').getByText('Allow and Retry').waitFor();
    assert.match(await page.locator('.refusal .rule').innerText(), /^Bash\(python3/);
    await page.locator('#facts').getByText('review (denied)').waitFor();
    await page.locator('h4').getByText('The yard is swept').waitFor();
    await editor.screenshot('attempt-3-review');
  });

  it('treats the words of Claude as text', async () => {
    const page = pageOf(editor);
    await page.getByText('<script>document.body').waitFor();
    assert.equal(await page.locator('a, img, iframe, #steps script').count(), 0);
    await page.getByText('(command:workbench.action.closeWindow)').waitFor();
  });

  it('opens a file of the working directory at its line', async () => {
    const page = pageOf(editor);
    await page.getByRole('button', { name: 'notes/meeting.md' }).last().click();
    await editor.page.locator('.tab.active').filter({ hasText: 'meeting.md' }).waitFor();
    await until('the cursor is at line 2', async () =>
      (await editor.page.locator('.part.statusbar').innerText()).includes('Ln 2'),
    );
  });

  it('is there again after another tab, and continues the session in a terminal', async () => {
    await editor.chooseFromTreeMenu('Sweep the yard', 'Show Attempt');
    const page = pageOf(editor);
    await page.getByRole('button', { name: 'Continue Session in Terminal' }).click();
    await until('Claude Code resumes the session', () => editor.processes('--resume').length > 0);
    await editor.screenshot('attempt-4-continued');
  });

  for (const [theme, name] of THEMES)
    it(`is readable in the theme ${theme}`, async () => {
      await editor.runCommand('Preferences: Color Theme');
      await editor.answer(theme);
      await editor.chooseFromTreeMenu('Sweep the yard', 'Show Attempt');
      await pageOf(editor).getByText('I change the notes first.').waitFor();
      await editor.screenshot(`attempt-5-${name}`);
    });

  /** The editor remembers only some seconds later which tab is in front. */
  async function reloadOnPage(): Promise<void> {
    await editor.reload();
    await editor.page.locator('.tab').filter({ hasText: 'Task 1, Attempt 1' }).click();
  }

  it('is there again after the window was loaded again', async () => {
    await reloadOnPage();
    await pageOf(editor).getByText('I change the notes first.').waitFor();
    await editor.screenshot('attempt-6-reloaded');
  });

  it('says why it is empty where the queue is gone, and is filled once that is back', async () => {
    const file = join(editor.folder, 'claude_queue', 'prompts.csv');
    renameSync(file, `${file}.away`);
    await reloadOnPage();
    await pageOf(editor)
      .locator('#verdict')
      .getByText('The queue file claude_queue/prompts.csv is gone.')
      .waitFor();
    await editor.screenshot('attempt-7-gone');
    renameSync(`${file}.away`, file);
    await pageOf(editor).getByText('I change the notes first.').waitFor();
  });
});

function edit(folder: string): Readonly<Record<string, unknown>> {
  return { file_path: join(folder, 'notes/meeting.md'), old_string: 'two', new_string: 'two and a half' };
}

/** The visible page. */
function pageOf({ page }: Workbench): FrameLocator {
  return page
    .locator('iframe.webview.ready:visible')
    .last()
    .contentFrame()
    .locator('iframe#active-frame')
    .contentFrame();
}
