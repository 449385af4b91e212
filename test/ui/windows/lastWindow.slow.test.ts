import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/until';
import { startingWith } from '../window/drawn';
import { startAtFirst } from '../window/firstStart';
import { WithheldAnswers } from '../window/heldAnswers';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

const WORKER = ' work --alone';

describe('The last window of a workspace', () => {
  const answers = new WithheldAnswers(['Count the stars', 'Name the colours', 'Write a poem']);
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Count the stars' },
        { id: 2, prompt: 'Name the colours' },
        { id: 3, prompt: 'Write a poem' },
      ],
      respond: answers.respond,
      env: { CLAUDE_QUEUE_WINDOW_GRACE: '1s' },
    });
    await editor.openView('Claude Queue');
  });

  after(() => editor.close());

  const shown = async (id: number): Promise<string> => (await editor.queue.task(id)).shown;
  const workerLog = (): string => {
    const file = join(editor.queue.state, 'worker.log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };

  it('lets the worker finish its task when it closes, and no other starts', async () => {
    await startAtFirst(editor);
    await editor.terminalShows('Task 1');
    await editor.leave();
    await until('the worker knows', () => workerLog().includes('No editor window has this queue open'));
    assert.equal(await shown(1), 'running');
    answers.give('Count the stars');
    await until('the worker has ended', () => editor.processes(WORKER).length === 0);
    assert.deepEqual([await shown(1), await shown(2)], ['completed', 'ready']);
  });

  it('lets the worker continue if that was chosen at Start', async () => {
    await editor.comeBack();
    await editor.openView('Claude Queue');
    await editor.treeRow('Name the colours');
    await editor.pressViewButton('Start');
    await editor.quickInput('Start: ');
    await editor.pick('When the last window closes');
    await editor.pick(startingWith('continue'));
    await editor.quickInput('Start: ');
    await editor.screenshot('lastWindow-1-rule');
    await editor.pick(startingWith('Start'));
    await editor.terminalShows('Task 2');
    await editor.leave();
    answers.give('Name the colours');
    await until('the next task runs', async () => (await shown(3)) === 'running');
    answers.give('Write a poem');
    await until('all is done', async () => (await shown(3)) === 'completed');
    await editor.onlyProcess(WORKER);
  });

  it('shows on its return what ran without it', async () => {
    await editor.comeBack();
    await editor.openView('Claude Queue');
    await editor.treeRow(/Done\s*3/);
    await editor.screenshot('lastWindow-2-return');
  });
});
