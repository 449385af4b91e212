import assert from 'node:assert/strict';
import { PageView } from '../window/pageView';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

describe('Invalid settings of VS Code', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: [{ id: 1, prompt: 'Count the stars' }],
      settings: {
        'claudeQueue.permissionMode': 'bypassPermissions',
        'claudeQueue.keepAwake': 'always',
        'claudeQueue.whenLastWindowCloses': 'stopnow',
      },
    });
    await editor.openView('Claude Queue');
  });

  after(() => editor.close());

  it('are reported, and no default replaces them in silence', async () => {
    const row = await editor.treeRow('Invalid settings');
    assert.match(
      await row.innerText(),
      /claudeQueue\.permissionMode must be one of auto, acceptEdits, manual, dontAsk, plan; it is "bypassPermissions"\. \(\+2\)/,
    );
    assert.match(await editor.statusBar('Invalid settings'), /Invalid settings/);
    await editor.treeRow('claudeQueue.keepAwake');
  });

  it('prevent Start, which offers the check, which offers each setting', async () => {
    await editor.pressViewButton('Start');
    await editor.answerNotification('Invalid settings', 'Check This Machine');
    const { frame } = new PageView(editor);
    await frame.getByText('claudeQueue.keepAwake must be one of never, while-working').waitFor();
    assert.equal(await frame.getByRole('button', { name: /^Open Setting/ }).count(), 3);
    assert.deepEqual(editor.processes('work --alone'), []);
  });

  it('open from their rows', async () => {
    await (await editor.treeRow(/Open Setting.*claudeQueue\.permissionMode/)).click();
    await editor.page.getByText('Default permission mode for unattended attempts.').first().waitFor();
    await editor.screenshot('invalid-settings');
  });
});

describe('An address of Redis that is not text', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: [{ id: 1, prompt: 'Count the stars' }],
      settings: { 'claudeQueue.redis': 6379 },
    });
    await editor.openView('Claude Queue');
  });

  after(() => editor.close());

  it('is reported, and the queue of the folder is not shown in its place', async () => {
    const row = await editor.treeRow('Redis cannot be used');
    assert.match(await row.innerText(), /"6379" is not an address of Redis\. Write it like rediss:/);
    assert.equal(await editor.page.getByText('Count the stars').count(), 0);
  });
});
