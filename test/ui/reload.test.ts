import assert from 'node:assert/strict';
import { until } from '../support/until';
import { beginningWith } from './drawn';
import { startAgain, startAtFirst } from './firstStart';
import { HeldAnswers } from './heldAnswers';
import { openWorkbench } from './workbench';
import type { Workbench } from './workbench';

const WORKER = ' work --alone';

describe('A worker that was started in a window', () => {
  const answers = new HeldAnswers(['Count the stars', 'Name the colours']);
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Count the stars', priority: 'high' },
        { id: 2, prompt: 'Name the colours' },
      ],
      respond: answers.respond,
    });
    await editor.openView('Claude Queue');
    await startAtFirst(editor);
    await editor.terminalShows('Task 1');
  });

  after(() => editor.close());

  it('goes on while the window is reloaded, and the terminal shows it again', async () => {
    const before = editor.processes(WORKER);
    assert.equal(before.length, 1);
    const loaded = editor.page.waitForEvent('domcontentloaded');
    await editor.runCommand('Developer: Reload Window');
    await loaded;
    await editor.treeRow('Count the stars');
    assert.deepEqual(editor.processes(WORKER), before);
    await editor.screenshot('reload-1');
    console.log(await editor.treeRows());
    console.log(await editor.terminalShows('Task 1'));
  });

  it('is not stopped by closing the terminal, which can be shown again', async () => {
    await editor.closeTerminal();
    await editor.runCommand('Claude Queue: Show Claude at Work');
    await editor.terminalShows('Task 1');
    await editor.screenshot('reload-2');
    assert.equal(editor.processes(WORKER).length, 1);
    assert.equal(editor.processes(' attach').length, 1);
  });

  it('stops after its task', async () => {
    await editor.pressViewButton('Stop');
    await editor.quickInput('Stop');
    console.log(await editor.quickPicks());
    await editor.screenshot('reload-3');
    await editor.pick('After this task');
    answers.give('Count the stars');
    await until('the worker has ended', () => editor.processes(WORKER).length === 0);
    await editor.treeRow('Ready');
    await editor.screenshot('reload-4');
    console.log(await editor.treeRows());
    assert.deepEqual([(await editor.queue.task(1)).shown, (await editor.queue.task(2)).shown], ['completed', 'ready']);
  });

  it('begins nothing while the queue is held', async () => {
    await editor.runCommand('Claude Queue: Hold Queue');
    await editor.statusBar('Held');
    await startAgain(editor);
    await editor.terminalShows('Waiting');
    await editor.screenshot('reload-5');
    console.log(await editor.treeRows());
    await editor.runCommand('Claude Queue: Resume Queue');
    await editor.terminalShows('Task 2');
  });

  it('stops now and goes on in the same session', async () => {
    await editor.api.waitForTurn((turn) => turn.lastUserText.includes('Name the colours'));
    const { session } = await editor.queue.task(2);
    await editor.pressViewButton('Stop');
    await editor.quickInput('Stop');
    await editor.pick(beginningWith('Now'));
    await until('the worker has ended', () => editor.processes(WORKER).length === 0);
    await editor.treeRow('Ready');
    await editor.screenshot('reload-6');
    answers.give('Name the colours');
    await startAgain(editor);
    await editor.treeRow(/Done\s*2/);
    const turns = editor.api.turns().filter((turn) => turn.userTexts.some((words) => words.includes('Name the colours')));
    assert.deepEqual([...new Set(turns.map((turn) => turn.session))], [session]);
    await editor.screenshot('reload-7');
  });
});
