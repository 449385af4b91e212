import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOTICE_SETTINGS } from '../../src/editor/status/noticePlan';
import { NotifyProgram } from '../support/machine/notifyProgram';
import { until } from '../support/until';
import type { EditorWindow } from './window/editorWindow';
import { isAbout } from '../support/queue/queuePlace';
import { report } from '../support/claude/reports';
import { SlowClaude } from './window/queueEditor';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

const ALL_ON = Object.fromEntries(Object.values(NOTICE_SETTINGS).map((name) => [name, true]));

describe('Notifications of two windows', () => {
  const claude = new SlowClaude();
  const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-notify-'));
  const notify = new NotifyProgram(folder);
  let editor: Workbench;
  let windows: readonly EditorWindow[];

  before(async () => {
    editor = await openWorkbench({
      settings: { 'claudeQueue.permissionMode': 'acceptEdits', 'claudeQueue.notifications': ALL_ON },
      rows: [{ id: 1, prompt: 'Hearts', working_dir: 'nowhere' }],
      respond: (turn) => {
        if (isAbout(turn, 'Clubs')) return report(turn, 'Now?', 'needs_answer', 'Which club?');
        if (isAbout(turn, 'Diamonds')) return report(turn, 'Half of it.', 'could_not', 'No diamonds.');
        return claude.respond(turn);
      },
      env: notify.variable(),
    });
    windows = [editor, await editor.openWindow()];
    for (const window of windows) {
      await window.openView('Claude Queue');
      await window.treeRow('Hearts');
    }
  });

  after(async () => {
    await editor.close();
    rmSync(folder, { recursive: true });
  });

  /** Returns the notifications with these words, once N of them are recorded as shown. */
  const shown = (words: RegExp, events: number): Promise<string[]> =>
    until(`a window shows ${String(words)}`, async () => {
      const journal = [...editor.queue.stateFiles()].find(([file]) => /journal\.?\d*$/.test(file))?.[1] ?? '';
      const recorded = journal.match(/"kind":"sent","channel":"editor"/g)?.length ?? 0;
      const all = (await Promise.all(windows.map((window) => window.notifications()))).flat();
      const found = all.filter((message) => words.test(message));
      return recorded >= events && found.length > 0 ? found : null;
    });

  it('show in one of them, together, the tasks that need attention within a minute', async () => {
    await editor.queue.run('trust');
    await editor.queue.run('run');
    for (const prompt of ['Clubs', 'Diamonds']) {
      await editor.queue.run(['add', prompt]);
      await editor.queue.run('run');
    }
    const together = /3 tasks need attention: 2 waiting for an answer, 3 in review, 1 failed\./;
    assert.equal((await shown(together, 1)).length, 1);
    const all = await Promise.all(windows.map((window) => window.notifications()));
    const window =
      windows[
        all.findIndex((messages) =>
          messages.some((message) =>
            message.includes('3 tasks need attention: 2 waiting for an answer, 3 in review, 1 failed.'),
          ),
        )
      ];
    assert.ok(window);
    await window.screenshot('notifications-1-together');
    await window.answerNotification(together, 'Review Next');
    await window.page.locator('.tab.active').filter({ hasText: 'Task 1, Attempt 1' }).waitFor();
    assert.deepEqual(notify.events(), ['failed 1', 'needs-answer 2', 'review 3']);
  });

  it('show in one of them that a worker was killed', async () => {
    await editor.queue.run(['add', 'Spades']);
    const worker = editor.queue.start('work');
    await claude.isAt('Spades');
    worker.kill('SIGKILL');
    await worker.ended;
    // Nobody hears it any more, but the stand-in would wait for it.
    claude.answer('Spades');
    assert.equal((await shown(/Worker \d+ died/, 2)).length, 1);
    await editor.screenshot('notifications-4-died');
    // No worker is there that could run it.
    await until('a window has run the notify command', () => notify.events().includes('worker-died'));
    assert.deepEqual(notify.events(), ['failed 1', 'needs-answer 2', 'review 3', 'worker-died']);
  });
});
