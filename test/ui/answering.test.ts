import assert from 'node:assert/strict';
import { isAbout } from '../support/queuePlace';
import { signInFailure, text } from '../support/replies';
import { report } from '../support/reports';
import { openWorkbench } from './workbench';
import type { Workbench } from './workbench';

describe('A user whom Claude asks something', () => {
  let editor: Workbench;
  let isSignedIn = true;

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Tidy up' },
        { id: 2, prompt: 'Then sweep', dependencies: '1' },
      ],
      respond: (turn) => {
        if (!isSignedIn) return signInFailure();
        if (!isAbout(turn, 'Tidy up')) return text('It is swept.');
        return turn.userTexts.some((words) => words.startsWith('Keep it.'))
          ? report(turn, 'I kept it.', 'finished', 'Kept the folder.')
          : report(turn, 'Delete or keep?', 'needs_answer', 'Delete the folder or keep it?');
      },
    });
    await editor.openView('Claude Queue');
    await editor.treeRow('Tidy up');
    await editor.queue.run('trust');
  });

  after(() => editor.close());

  it('sees the question in the tree, and what depends on the task waits', async () => {
    await editor.queue.run('work --until-empty');
    await editor.treeRow(/needs an answer: Delete the folder/);
    await editor.screenshot('answering-1-question');
    assert.equal((await editor.queue.task(2)).shown, 'blocked');
  });

  it('answers from the tree, and the task is ready to resume its session', async () => {
    await editor.pressTreeButton('Tidy up', 'Answer');
    await editor.quickInput('Answer Task 1');
    await editor.screenshot('answering-2-box');
    await editor.answer('Keep it.');
    await editor.treeRow(/Ready\s*1/);
  });

  it('sees on top of the tree that a sign-in is needed, until the queue is resumed', async () => {
    isSignedIn = false;
    await editor.queue.run('work --until-empty');
    await editor.treeRow(/Sign in needed/);
    await editor.screenshot('answering-3-sign-in');
    isSignedIn = true;
    await editor.runCommand('Claude Queue: Resume Queue');
    await editor.queue.run('work --until-empty');
    await editor.treeRow(/Done\s*2/);
    assert.equal((await editor.queue.task(1)).status, 'completed');
    await editor.screenshot('answering-4-done');
  });
});
