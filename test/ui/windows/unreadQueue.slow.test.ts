import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../../support/until';
import { startingWith } from '../window/drawn';
import { startAtFirst } from '../window/firstStart';
import { WithheldAnswers } from '../window/heldAnswers';
import { openWorkbench, type Workbench } from '../window/workbench';

const WORKER = ' work --alone';

describe('A queue file that is deleted while a worker runs', () => {
  const answers = new WithheldAnswers(['Count the stars']);
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: [{ id: 1, prompt: 'Count the stars' }],
      respond: answers.respond,
    });
    await editor.openView('Claude Queue');
    await startAtFirst(editor);
    await until('the task runs', async () => (await editor.queue.task(1)).shown === 'running');
    renameSync(editor.queue.file, `${editor.queue.file}.away`);
  });

  after(() => editor.close());

  it('leaves its worker in the view and in the status bar', async () => {
    await editor.page.locator('.part.sidebar').getByText('A worker still runs').waitFor();
    await editor.page.locator('.part.statusbar').getByText('Worker runs, queue file is gone').waitFor();
    await editor.screenshot('queueFileGone-1-running');
  });

  it('leaves Stop, which ends the worker', async () => {
    await editor.pressViewButton('Stop');
    await editor.quickInput('Stop');
    await editor.screenshot('queueFileGone-2-stop');
    await editor.pick(startingWith('Now'));
    await until('the worker has ended', () => editor.processes(WORKER).length === 0);
    await editor.page.locator('.part.sidebar').getByText('claude_queue/prompts.csv is gone').waitFor();
    await editor.page.locator('.part.sidebar').getByText('A worker still runs').waitFor({ state: 'hidden' });
    await editor.screenshot('queueFileGone-3-stopped');
  });

  it('shows its task again once it is back, for the next worker to resume', async () => {
    renameSync(`${editor.queue.file}.away`, editor.queue.file);
    await editor.treeRow('Count the stars');
    assert.equal((await editor.queue.task(1)).shown, 'waiting');
  });
});

describe('Settings that are broken while a worker runs', () => {
  const answers = new WithheldAnswers(['Count the moons']);
  let editor: Workbench;
  let settings: string;

  before(async () => {
    editor = await openWorkbench({
      rows: [{ id: 1, prompt: 'Count the moons' }],
      respond: answers.respond,
    });
    settings = join(dirname(editor.queue.file), 'config.yaml');
    await editor.openView('Claude Queue');
    await startAtFirst(editor);
    await until('the task runs', async () => (await editor.queue.task(1)).shown === 'running');
    writeFileSync(settings, 'maxPerHour: [1');
  });

  after(() => editor.close());

  it('leave the worker in the view, beside the reason', async () => {
    const view = editor.page.locator('.part.sidebar');
    await view.getByText(/is not valid YAML.*Running workers/).waitFor();
    await editor.screenshot('brokenSettings-1-running');
  });

  it('leave Stop, which ends the worker', async () => {
    await editor.pressViewButton('Stop');
    await editor.quickInput('Stop');
    await editor.pick(startingWith('Now'));
    await until('the worker has ended', () => editor.processes(WORKER).length === 0);
    await editor.page
      .locator('.part.sidebar')
      .getByText(/Running workers/)
      .waitFor({ state: 'hidden' });
    await editor.screenshot('brokenSettings-2-stopped');
  });

  it('show the task again once they are corrected', async () => {
    rmSync(settings);
    await editor.treeRow('Count the moons');
    assert.equal((await editor.queue.task(1)).shown, 'ready');
  });
});
