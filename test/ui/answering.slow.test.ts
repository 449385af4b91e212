import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLAUDE } from '../support/claude/claudeHome';
import { isAbout } from '../support/queue/queuePlace';
import { limit, signInFailure, text } from '../support/claude/replies';
import { report } from '../support/claude/reports';
import { until } from '../support/until';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

/** The real `claude`, but for its sign-in: that needs a browser and an account. */
const WITH_SIGN_IN = `#!/bin/sh
if [ "$1 $2" = 'auth login' ]; then
  printf 'Paste code here > '
  read -r code
  test "$code" = 'right'
  exit
fi
exec '${CLAUDE}' "$@"
`;

/** Link that would run a command of VS Code. */
const LINK = '[it](command:workbench.action.files.newUntitledFile)';

describe('A user whom Claude Code needs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sign-in-'));
  let editor: Workbench;
  let isSignedIn = true;
  let isLimited = false;

  before(async () => {
    const claude = join(folder, 'claude');
    writeFileSync(claude, WITH_SIGN_IN);
    chmodSync(claude, 0o755);
    editor = await openWorkbench({
      env: { CLAUDE_QUEUE_CLAUDE: claude },
      rows: [
        { id: 1, prompt: 'Tidy up' },
        { id: 2, prompt: 'Then sweep', dependencies: '1' },
      ],
      respond: (turn) => {
        if (!isSignedIn) return signInFailure();
        if (isLimited) return limit({ kind: 'five_hour', resetInSeconds: 3600 });
        if (!isAbout(turn, 'Tidy up')) return text('It is swept.');
        return turn.userTexts.some((words) => words.startsWith('Keep it.'))
          ? report(turn, 'I kept it.', 'finished', 'Kept the folder.')
          : report(turn, 'Delete or keep?', 'needs_answer', `Delete the folder or keep ${LINK}?`);
      },
    });
    await editor.openView('Claude Queue');
    await editor.treeRow('Tidy up');
    await editor.queue.run('trust');
  });

  after(async () => {
    await editor.close();
    rmSync(folder, { recursive: true });
  });

  it('sees the question in the tree, and the dependent task waits', async () => {
    await editor.queue.run('work --until-empty');
    await editor.treeRow(/question.*Tidy up/);
    await editor.screenshot('answering-1-question');
    assert.equal((await editor.queue.task(2)).shown, 'blocked');
  });

  it('answers from the tree, and the task is ready to resume its session', async () => {
    await editor.pressTreeButton('Tidy up', 'Answer');
    await editor.quickInput('Answer Task 1');
    const question = editor.page.locator('.quick-input-message').filter({ hasText: 'Delete the folder' });
    await question.waitFor();
    assert.equal(await question.getByRole('link').count(), 0);
    await editor.screenshot('answering-2-box');
    await editor.answer('Keep it.');
    await editor.treeRow(/Next\s*1/);
  });

  it('sees on top of the tree that a sign-in is needed, and signs in from there in a terminal', async () => {
    isSignedIn = false;
    await editor.queue.run('work --until-empty');
    await editor.treeRow(/Sign in needed/);
    await editor.statusBar('Sign in needed');
    await editor.screenshot('answering-3-sign-in');
    await editor.pressTreeButton('Sign in needed', 'Sign In');
    await editor.terminalShows('Paste code here');
    isSignedIn = true;
    await editor.enterInTerminal('right');
  });

  it('can resume the queue when the sign-in succeeded', async () => {
    await editor.answerNotification('Sign-in finished', 'Resume Queue');
    await until('the queue is resumed', async () => (await editor.queue.status()).gate.state === 'open');
    await editor.queue.run('work --until-empty');
    await editor.treeRow(/Done\s*2/);
    assert.equal((await editor.queue.task(1)).status, 'completed');
  });

  it('sees a reached usage limit, and lets a task probe before its reset', async () => {
    isLimited = true;
    await editor.queue.run(['add', 'Count the stars']);
    editor.queue.start('work');
    await editor.treeRow(/^Usage limit/);
    await editor.treeRow(/1st.*Count the stars/);
    await until('the attempt has ended', async () => (await editor.queue.task(3)).shown === 'waiting');
    await editor.screenshot('answering-4-limit');
    isLimited = false;
    await editor.pressTreeButton(/^Usage limit/, 'Try Now');
    await editor.treeRow(/Done\s*3/);
    await editor.screenshot('answering-5-tried');
    await until('the gate is open', async () => (await editor.queue.status()).gate.state === 'open');
  });
});
