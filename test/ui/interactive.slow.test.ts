import assert from 'node:assert/strict';
import { CLAUDE } from '../support/claude/claudeHome';
import { signal } from '../support/machine/processTable';
import { isAbout } from '../support/queue/queuePlace';
import { limit, text } from '../support/claude/replies';
import { until } from '../support/until';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

const RESET_IN_SECONDS = 3600;

describe('A task that the user does with Claude Code in a terminal', () => {
  let editor: Workbench;

  /** Without those that only ask Claude Code for its version, or whose account it is. */
  const SESSION = [CLAUDE, '--settings'];

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Sing a song', priority: 'high' },
        { id: 2, prompt: 'Tell a tale' },
        { id: 3, prompt: 'Draw a map' },
      ],
      respond: (turn) =>
        isAbout(turn, 'Draw a map')
          ? limit({ kind: 'five_hour', resetInSeconds: RESET_IN_SECONDS })
          : text('La la la.'),
    });
    await editor.openView('Claude Queue');
    await editor.treeRow('Sing a song');
    await editor.runCommand('Claude Queue: Open Queue File');
  });

  after(() => editor.close());

  it('has Claude Code itself in the terminal, with the task as its first prompt', async () => {
    await editor.chooseFromLens('Not approved', 'Run This Task Interactively');
    await editor.api.waitForTurn((turn) => isAbout(turn, 'Sing a song'));
    await editor.terminalShows('La la la');
    await editor.onlyProcess(...SESSION);
    await editor.treeRow(/ended its turn/);
    await editor.statusBar('Task 1 (you)');
    await editor.screenshot('interactive-1-turn');
  });

  it('runs nothing without asking before its row is approved, and shows that in its terminal', async () => {
    const claude = await editor.onlyProcess(...SESSION);
    assert.match(claude.command, /--permission-mode default/);
    await editor.page.getByText('Task 1 (not approved)').first().waitFor();
  });

  it('has one terminal, however often it is opened', async () => {
    await editor.runCommand('Claude Queue: Run This Task Interactively');
    await editor.pick('Sing a song');
    await editor.treeRow(/ended its turn/);
    await editor.onlyProcess(...SESSION);
    assert.deepEqual(await editor.notifications(), []);
  });

  it('is completed when the user clicks Done and agrees to close its terminal', async () => {
    await editor.chooseFromLens(/Running.*you/, 'Mark Task as Done');
    await editor.screenshot('interactive-1-end');
    await editor.answerDialog('still open on task 1', 'End Claude and Mark Done');
    await editor.treeRow(/Done\s*1/);
    await until('Claude has ended', () => editor.processes(...SESSION).length === 0);
    assert.deepEqual(await editor.notifications(), []);
    assert.equal((await editor.queue.task(1)).shown, 'completed');
  });

  /** Resolves once the second task is the user's no more. */
  const returned = (): Promise<unknown> =>
    until('task 2 is in the queue', async () => (await editor.queue.task(2)).shown === 'unapproved');

  const runInteractively = async (): Promise<void> => {
    await editor.runCommand('Claude Queue: Run This Task Interactively');
    await editor.pick('Tell a tale');
  };

  it('keeps its attempt when the question about an earlier one is answered', async () => {
    await runInteractively();
    await editor.treeRow(/ended its turn/);
    for (const claude of editor.processes(...SESSION)) signal(claude, 'SIGTERM');
    await editor.notification('What is the result');
    await editor.chooseFromTreeMenu('Tell a tale', 'Return Task to Queue');
    await returned();
    await runInteractively();
    await editor.treeRow(/ended its turn/);
    await editor.answerNotification('What is the result', 'Done');
    await editor.notification('has been ended already');
    assert.equal((await editor.queue.task(2)).shown, 'running');
    await editor.chooseFromTreeMenu('Tell a tale', 'Return Task to Queue');
    await editor.answerDialog('still open on task 2', 'End Claude and Return to Queue');
    await returned();
  });

  it('returns to the queue by the answer to the question asked after its terminal closed in a reloaded window', async () => {
    await editor.chooseFromTreeMenu('Tell a tale', 'Run This Task Interactively');
    await editor.treeRow(/ended its turn/);
    await editor.reload();
    await editor.openView('Claude Queue');
    await editor.treeRow(/ended its turn/);
    for (const claude of editor.processes(...SESSION)) signal(claude, 'SIGTERM');
    await editor.answerNotification('What is the result', 'Return to Queue');
    await editor.treeRow(/Needs Attention\s*2/);
    const { status, retryCount } = await editor.queue.task(2);
    assert.deepEqual([status, retryCount], ['pending', 0]);
  });

  it('waits for the reset when a limit stopped it, and its terminal is closed', async () => {
    await editor.pressTreeButton('Draw a map', 'Approve');
    await editor.quickInput('Approve');
    await editor.quickPicks();
    await editor.press('Enter');
    await editor.treeRow(/Next\s*1/);
    await editor.chooseFromTreeMenu('Draw a map', 'Run This Task Interactively');
    await editor.treeRow(/Close the terminal/);
    await editor.screenshot('interactive-2-limit');
    const { gate } = await editor.queue.status();
    assert.equal(gate.state, 'closed');
    await editor.closeTerminal('Task 3');
    await editor.treeRow(/Next\s*1, from/);
    await editor.statusBar('Limit');
    await editor.screenshot('interactive-3-waits');
    const { shown, retryCount, lastOutcome } = await editor.queue.task(3);
    assert.deepEqual([shown, retryCount, lastOutcome], ['waiting', 0, 'limit']);
    await until('the row has its time', () => scheduled(3) >= Date.parse(gate.until ?? ''));
  });

  /** The time that is in the row. */
  const scheduled = (id: number): number => {
    const row = editor.queue.read().split('\n')[id] ?? '';
    const time = /,(\d{4}-\d\d-\d\d) (\d\d:\d\d),/.exec(row);
    return Date.parse(`${time?.[1] ?? ''}T${time?.[2] ?? ''}Z`);
  };
});
