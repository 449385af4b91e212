import assert from 'node:assert/strict';
import { limit, text, tool } from '../support/replies';
import type { Reply } from '../support/replies';
import type { Turn } from '../support/turn';
import { openWorkbench } from './workbench';
import type { Workbench } from './workbench';

const RESET_IN_SECONDS = 12;
const PAUSE_MS = 60;

/** What Claude does on the rows of `sample/`: the third meets the 5-hour limit in the middle of its work, once. */
class Evening {
  private isLimited = false;

  reply({ userTexts, toolResults }: Turn): Reply {
    const is = (prompt: string): boolean => userTexts.some((words) => words.includes(prompt));
    if (is('write the open questions'))
      return toolResults === 0
        ? tool('Write', { file_path: 'notes/questions.md', content: 'Who?\n' })
        : text('Two questions are open; they are in notes/questions.md, one a line.', PAUSE_MS);
    if (!is('Answer the questions')) return text('Done.');
    if (toolResults === 0) return tool('Glob', { pattern: 'notes/*.md' });
    if (this.isLimited) return text('Both questions are answered.');
    this.isLimited = true;
    return limit({ kind: 'five_hour', resetInSeconds: RESET_IN_SECONDS });
  }
}

describe('An evening with the queue', () => {
  let editor: Workbench;

  before(async () => {
    const evening = new Evening();
    editor = await openWorkbench({ respond: (turn) => evening.reply(turn) });
  });

  after(() => editor.close());

  it('begins with a tree of what waits for a first look', async () => {
    await editor.openView('Claude Queue');
    await editor.treeRow('SDK');
    console.log(await editor.treeRows());
    await editor.screenshot('story-1-tree');
  });

  it('tells on each row of the file what it is and what can be done with it', async () => {
    await editor.runCommand('Claude Queue: Open Queue File');
    console.log(await editor.lenses());
    await editor.screenshot('story-2-lenses');
  });

  it('asks at the first Start what Claude may do, and lists what is new', async () => {
    await editor.pressViewButton('Start');
    console.log(await editor.quickPicks());
    await editor.screenshot('story-3-permissions');
    await editor.pick('acceptEdits');
    await editor.page.locator('.quick-input-title').filter({hasText: 'Start: '}).waitFor();
    console.log(await editor.quickPicks());
    await editor.screenshot('story-4-list');
  });

  it('shows Claude at work', async () => {
    await editor.pick('Approve and start');
    console.log(await editor.terminalShows('Task 2'));
    await editor.screenshot('story-5-work');
    console.log(await editor.treeRows());
    console.log(await editor.terminalShows('questions.md, one a line'));
    await editor.screenshot('story-6-work');
    console.log(await editor.treeRows());
  });

  it('counts down to the reset of a limit, and says why', async () => {
    console.log(await editor.statusBar('Limit'));
    await editor.screenshot('story-7-limit');
    console.log(await editor.treeRows());
    console.log(await editor.notifications());
  });

  it('goes on by itself', async () => {
    console.log(await editor.terminalShows('Both questions'));
    await editor.treeRow('Done');
    await editor.expand('Done');
    await editor.screenshot('story-8-done');
    console.log(await editor.treeRows());
    console.log(await editor.queue.status());
    assert.ok(true);
  });
});
