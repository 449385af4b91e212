import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAbout } from '../support/queue/queuePlace';
import { text, tool } from '../support/claude/replies';
import { until } from '../support/until';
import { fillIn } from './window/clicks';
import { startingWith, drawnAs } from './window/drawn';
import { startAgain } from './window/firstStart';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

describe('The user who starts in an empty folder', () => {
  let editor: Workbench;
  let empty: string;

  before(async () => {
    empty = mkdtempSync(join(tmpdir(), 'empty-'));
    editor = await openWorkbench({
      workspace: empty,
      // Nothing allows this tool: the task comes to its end, but not as it wanted to.
      respond: (turn) =>
        isAbout(turn, 'Sweep the yard') && turn.toolResults === 0
          ? tool('Bash', { command: 'curl --version' })
          : text('Done.'),
    });
  });

  after(async () => {
    await editor.close();
    rmSync(empty, { recursive: true });
  });

  const shown = async (id: number): Promise<string> => (await editor.queue.task(id)).shown;

  const addTask = async (prompt: string): Promise<void> => {
    await editor.pressViewButton('Add Task');
    await editor.quickInput('Add Task (1/2)');
    await editor.answer(prompt);
    await editor.quickInput('Add Task (2/2)');
    await editor.pick('high');
    // Its row is there before its approval is.
    await editor.treeRow(/Next\s*1/);
    await editor.treeRow(prompt);
  };

  it('makes a queue from the view, with an example that waits for approval', async () => {
    await editor.openView('Claude Queue');
    const button = editor.page.getByRole('button', { name: 'Create Queue' });
    await button.waitFor();
    await editor.screenshot('commands-1-welcome');
    await button.click();
    await until('the file is shown', async () =>
      (await editor.editorLines()).join('\n').includes('id,priority,working_dir,prompt'),
    );
    await editor.treeRow(/not approved.*Write three ideas/);
    await editor.screenshot('commands-1-example');
    assert.equal((await editor.queue.run(['rm', '1'])).code, 0);
  });

  it('adds a task, which needs no approval', async () => {
    await addTask('Paint the fence');
    assert.equal(await shown(2), 'ready');
    await editor.screenshot('commands-2-added');
  });

  it('resumes a queue that is not paused, and reads that', async () => {
    await editor.runCommand('Claude Queue: Resume Queue');
    await editor.notification('The queue was not paused.');
  });

  it('cancels it, and retries it, from the menu of its row', async () => {
    await editor.chooseFromTreeMenu('Paint the fence', 'Cancel Task');
    await editor.expand('Done');
    await editor.chooseFromTreeMenu('Paint the fence', 'Retry Task');
    await editor.treeRow(/Next\s*1/);
  });

  it('runs just that task and sees what Claude says', async () => {
    await editor.pressTreeButton('Paint the fence', 'Run This Task');
    await editor.quickInput('Default permission mode');
    await editor.pick('acceptEdits');
    await editor.quickInput('Claude Code');
    await editor.screenshot('commands-3-run');
    await editor.pick(startingWith('Run'));
    await editor.treeRow(/Done\s*1/);
    await editor.terminalShows(/Done\..*succeeded/s);
    assert.equal(await shown(2), 'completed');
  });

  it('accepts a task in which Claude was refused a tool', async () => {
    await addTask('Sweep the yard');
    await startAgain(editor);
    await editor.treeRow(/Needs Attention\s*1/);
    await editor.screenshot('commands-4-review');
    await editor.chooseFromTreeMenu('Sweep the yard', 'Accept Task');
    await editor.treeRow(/Done\s*2/);
    assert.equal(await shown(3), 'completed');
  });

  it('archives the history after a confirmation, once no worker runs', async () => {
    await editor.pressViewButton('Stop');
    await editor.page.getByRole('button', { name: 'Start' }).first().waitFor();
    assert.notEqual(editor.queue.log('executed'), '');
    await editor.runCommand('Claude Queue: Reset History');
    await editor.screenshot('commands-5-reset');
    await editor.answerDialog('history', 'Archive History');
    await editor.notification('Attempts, logs and outputs are now in');
    assert.equal(editor.queue.log('executed'), '');
  });

  it('finds each action in the log', async () => {
    await editor.runCommand('Claude Queue: Show Log');
    const panel = editor.page.locator('.part.panel');
    const lines = panel.locator('.view-line');
    await lines.filter({ hasText: 'Command' }).first().waitFor();
    // Only the last lines are drawn until another one is looked for.
    await editor.press('Control+F');
    await fillIn(panel.locator('.find-widget.visible textarea').first(), 'Command accept');
    await until('the log shows it', async () => {
      await editor.press('Enter');
      return lines.filter({ hasText: drawnAs('Command accept') }).isVisible();
    });
    await editor.screenshot('commands-6-log');
  });

  it('fixes unreadable settings from the view, without a reload', async () => {
    const settings = join(editor.folder, 'claude_queue', 'config.yaml');
    writeFileSync(settings, 'maxPerHour: [\n');
    const opening = await editor.treeRow('Open config.yaml');
    await editor.screenshot('commands-7-failing');
    await opening.click();
    await until('the settings are shown', async () =>
      (await editor.editorLines()).some((line) => line.includes('maxPerHour')),
    );
    writeFileSync(settings, 'maxPerHour: 30\n');
    await editor.treeRow(/Done\s*2/);
  });

  it('says that the queue file is gone, and shows its tasks again when it is back', async () => {
    const { file } = editor.queue;
    renameSync(file, `${file}.away`);
    await editor.page.locator('.part.sidebar').getByText('claude_queue/prompts.csv is gone').waitFor();
    await editor.screenshot('commands-8-gone');
    renameSync(`${file}.away`, file);
    await editor.treeRow(/Done\s*2/);
  });
});
