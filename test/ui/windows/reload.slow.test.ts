import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { signal } from '../../support/machine/processTable';
import { isAbout } from '../../support/queue/queuePlace';
import { until } from '../../support/until';
import { startingWith } from '../window/drawn';
import { startAgain, startAtFirst } from '../window/firstStart';
import { WithheldAnswers } from '../window/heldAnswers';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

const WORKER = ' work --alone';

describe('A worker that was started in a window', () => {
  const answers = new WithheldAnswers([
    'Count the stars',
    'Name the colours',
    'Write a poem',
    'Paint the wall',
    'Mow the lawn',
  ]);
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

  /** Stops the worker after its task, and starts another one, which waits for that. */
  const startWhileItStops = async (id: number): Promise<void> => {
    await editor.statusBar(`Task ${id}`);
    await editor.pressViewButton('Stop');
    await editor.quickInput('Stop');
    await editor.pick('After this task');
    await editor.statusBar(`Task ${id}, stopping`);
    await editor.runCommand('Claude Queue: Start');
    await editor.answerNotification(`The worker is stopping after task ${id}`, 'Start Again After It');
    await editor.quickInput('Start: ');
    await editor.pick(startingWith('Start'));
    await editor.notification('Starts once the worker has stopped');
  };

  const shown = async (id: number): Promise<string> => (await editor.queue.task(id)).shown;

  it('continues while the window is reloaded, which then shows it as before', async () => {
    const worker = await editor.onlyProcess(WORKER);
    const loaded = editor.page.waitForEvent('domcontentloaded');
    await editor.runCommand('Developer: Reload Window');
    await loaded;
    await editor.terminalShows('Task 1');
    const rows = ['Running', '1  Count the stars', 'Next', '2  Name the colours'];
    await until('the tree is as before', async () =>
      isDeepStrictEqual(
        (await editor.treeRows()).map(({ label, description }) =>
          /\s/.test(description) ? description : label,
        ),
        rows,
      ),
    );
    assert.deepEqual(await editor.onlyProcess(WORKER), worker);
    await editor.screenshot('reload-1-again');
  });

  it('is not stopped by closing its terminal, which can be shown again', async () => {
    await editor.closeTerminal('Claude Queue');
    await until('nothing shows it', () => editor.processes(' attach').length === 0);
    await editor.onlyProcess(WORKER);
    await editor.runCommand('Claude Queue: Show Worker Terminal');
    await editor.terminalShows('Task 1');
    await editor.runCommand('Claude Queue: Show Worker Terminal');
    await editor.onlyProcess(' attach');
  });

  it('finishes its task where it is stopped after it, and starts no other', async () => {
    await editor.pressViewButton('Stop');
    await editor.quickInput('Stop');
    await editor.screenshot('reload-2-stop');
    await editor.pick('After this task');
    answers.give('Count the stars');
    await until('the worker has ended', () => editor.processes(WORKER).length === 0);
    await editor.treeRow(/Next\s*1/);
    assert.deepEqual([await shown(1), await shown(2)], ['completed', 'ready']);
  });

  it('starts nothing while the queue is paused, and shows that', async () => {
    await editor.runCommand('Claude Queue: Pause Queue');
    await editor.statusBar('Paused');
    await startAgain(editor);
    await editor.terminalShows(/Waiting: .*paused/);
    await editor.treeRow(/^Paused/);
    await editor.screenshot('reload-3-held');
    await editor.runCommand('Claude Queue: Resume Queue');
    await editor.terminalShows('Task 2');
  });

  it('stops now, and the next one resumes in the same session', async () => {
    const { session } = await editor.api.waitForTurn((turn) => isAbout(turn, 'Name the colours'));
    await editor.pressViewButton('Stop');
    await editor.quickInput('Stop');
    await editor.pick(startingWith('Now'));
    await until('the worker has ended', () => editor.processes(WORKER).length === 0);
    await editor.treeRow(/Next\s*1/);
    answers.give('Name the colours');
    await startAgain(editor);
    await editor.treeRow(/Done\s*2/);
    const turns = editor.api.turns().filter((turn) => isAbout(turn, 'Name the colours'));
    assert.deepEqual([...new Set(turns.map((turn) => turn.session))], [session]);
  });

  it('is followed by another one if it is started while it stops', async () => {
    await editor.queue.run(['add', 'Write a poem']);
    await editor.queue.run(['add', 'Sing it']);
    await startWhileItStops(3);
    await editor.screenshot('reload-4-after');
    answers.give('Write a poem');
    await editor.treeRow(/Done\s*4/);
    await editor.onlyProcess(WORKER);
  });

  it('is followed by none until the user agrees again if a setting changed while it stopped', async () => {
    await editor.queue.run(['add', 'Paint the wall']);
    await startWhileItStops(5);
    editor.changeSetting('claudeQueue.keepAwake', 'while-working');
    answers.give('Paint the wall');
    await editor.notification('The account, the permissions or another setting changed meanwhile');
    await editor.quickInput('Start: ');
    assert.deepEqual(editor.processes(WORKER), []);
    await editor.pick(startingWith('Start'));
    await editor.onlyProcess(WORKER);
  });

  it('can be started again after its death, and is not shown as running', async () => {
    await editor.queue.run(['add', 'Mow the lawn']);
    await editor.statusBar('Task 6');
    for (const worker of editor.processes(WORKER)) signal(worker, 'SIGKILL');
    await until('the worker is dead', () => editor.processes(WORKER).length === 0);
    await editor.queue.run(['add', 'Rake the leaves']);
    await editor.treeRow(/worker died.*Rake the leaves/);
    await editor.screenshot('reload-5-died');
    answers.give('Mow the lawn');
    await startAgain(editor);
    await editor.treeRow(/Done\s*7/);
  });
});
