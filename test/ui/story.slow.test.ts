import assert from 'node:assert/strict';
import { isAbout } from '../support/queue/queuePlace';
import { SOON_SECONDS, limit, text, tool } from '../support/claude/replies';
import type { Reply } from '../support/claude/replies';
import type { Turn } from '../support/claude/turn';
import { until } from '../support/until';
import { WithheldAnswers } from './window/heldAnswers';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

/**
 * Claude's answers for the rows of `sample/`: the third row meets the 5-hour limit once, in the middle of its work.
 */
class Evening {
  private readonly first = new WithheldAnswers(['write the open questions']);
  private isLimited = false;

  readonly respond = (turn: Turn): Reply | Promise<Reply> => {
    if (isAbout(turn, 'write the open questions') && turn.toolResults === 0)
      return tool('Write', { file_path: 'notes/questions.md', content: 'Who?\n' });
    if (!isAbout(turn, 'Answer the questions')) return this.first.respond(turn);
    if (turn.toolResults === 0) return tool('Glob', { pattern: 'notes/*.md' });
    if (this.isLimited) return text('Both questions are answered.');
    this.isLimited = true;
    // Longer than others: the count-down is looked at again and again.
    return limit({ kind: 'five_hour', resetInSeconds: 3 * SOON_SECONDS });
  };

  /** Lets the first task come to its end. */
  resume(): void {
    this.first.give('write the open questions');
  }
}

const TASKS = [/^1 .*SDK/, /^2 .*open questions/, /^3 .*Answer the questions/, /^10 .*AI/, /^20 /];

describe('An evening with the queue', () => {
  const evening = new Evening();
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({ respond: evening.respond });
  });

  after(() => editor.close());

  it('starts with a tree of unapproved tasks', async () => {
    await editor.openView('Claude Queue');
    const [group, ...rows] = await until('all rows are there', async () => {
      const shown = await editor.treeRows();
      return shown.length === 1 + TASKS.length ? shown : null;
    });
    assert.deepEqual([group?.label, group?.description], ['Needs Attention', '5']);
    const tasks = rows.map(({ description }) => ({ label: description }));
    assertLabels(tasks, TASKS);
    await editor.screenshot('story-1-tree');
  });

  it('shows the state on each row of the file', async () => {
    await editor.runCommand('Claude Queue: Open Queue File');
    const lenses = await editor.lenses((all) => all.length === TASKS.length);
    for (const lens of lenses) assert.match(lens, /Not approved on this machine…$/);
    await editor.screenshot('story-2-lenses');
  });

  it('asks at the first Start for the permission mode, then lists the account and the new rows', async () => {
    await editor.pressViewButton('Start');
    await editor.quickInput('Default permission mode');
    const modes = (await editor.quickPicks()).map(({ label }) => label);
    assert.deepEqual(modes, ['auto', 'acceptEdits', 'manual', 'plan']);
    await editor.screenshot('story-3-permissions');
    await editor.pick('acceptEdits');
    await editor.quickInput('Start: Claude Code');
    const [first, account, permissions, windows, ...rows] = await editor.quickPicks();
    assert.equal(first?.label, 'Approve and start');
    assert.equal(account?.label, 'Account');
    assert.match(account.description, /^as \S+ on \S+/);
    assert.match(permissions?.description ?? '', /acceptEdits/);
    assert.match(windows?.label ?? '', /last window/);
    assertLabels(rows, TASKS);
    await editor.screenshot('story-4-list');
  });

  it('shows Claude running after the approval', async () => {
    await editor.pick('Approve and start');
    await editor.terminalShows(/Task\s2,.*Write\snotes/s);
    await editor.treeRow('Running');
    await editor.statusBar('Task 2');
    await editor.screenshot('story-5-work');
  });

  it('waits out the 5-hour limit with a countdown and the reason', async () => {
    evening.resume();
    const before = await editor.statusBar('Limit');
    await until('the status bar has counted down', async () => (await editor.statusBar('Limit')) !== before);
    const row = await editor.treeRow(/1st.*Answer the questions/);
    assert.match((await row.textContent()) ?? '', /3\s+Answer/);
    await editor.screenshot('story-6-limit');
    assert.deepEqual(await editor.notifications(), []);
  });

  it('resumes by itself in the same session, and counts no retry', async () => {
    await editor.terminalShows('Both questions are answered');
    await editor.treeRow(/Done\s*4/);
    const sessions = editor.api.turns().filter((turn) => isAbout(turn, 'Answer the questions'));
    assert.equal(new Set(sessions.map(({ session }) => session)).size, 1);
    const { retryCount, lastOutcome } = await editor.queue.task(3);
    assert.deepEqual([retryCount, lastOutcome], [0, 'success']);
    await editor.expand('Done');
    await editor.treeRow(/not confirmed.*レポート生成/);
    await editor.screenshot('story-7-done');
    assert.deepEqual(await editor.notifications(), []);
  });

  it('opens each output with one click, and keeps it open', async () => {
    await editor.chooseFromTreeMenu('Answer the questions', 'Show Output');
    await editor.terminalShows(/Both\squestions.*succeeded.*q:\sdetach/s);
    await editor.screenshot('story-8-output');
    await editor.chooseFromTreeMenu('Answer the questions', 'Show Output');
    await editor.terminalShows(/Both\squestions.*q:\sdetach/s);
    await until('one terminal shows it', () => editor.processes(' attach 3 --stay').length === 1);
  });
});

function assertLabels(rows: readonly { readonly label: string }[], patterns: readonly RegExp[]): void {
  assert.equal(rows.length, patterns.length);
  rows.forEach(({ label }, index) => assert.match(label, patterns[index] ?? /^$/));
}
