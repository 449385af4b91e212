import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { CLAUDE } from '../support/claude/claudeHome';
import { fillIn } from './window/clicks';
import { startAtFirst } from './window/firstStart';
import { PageView } from './window/pageView';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

const PROGRAM = 'dist/cli.js';

describe('An untrusted folder', () => {
  let editor: Workbench;
  let filesBefore: string[];

  const files = (): string[] => readdirSync(editor.folder, { recursive: true, encoding: 'utf8' }).sort();

  before(async () => {
    editor = await openWorkbench({
      trust: 'asks',
      settings: { 'claudeQueue.notifications': { late: true } },
      rows: [
        { id: 1, prompt: 'Check the SDK', deadline: '2026-01-02 09:00' },
        { id: 2, prompt: 'Sweep the floor' },
      ],
    });
    filesBefore = files();
    await editor.answerDialog('trust', /No/);
    await editor.openView('Claude Queue');
  });

  after(() => editor.close());

  it('shows its queue in the tree and in the file, without actions', async () => {
    await editor.treeRow('SDK');
    await editor.runCommand('Claude Queue: Open Queue File');
    const lenses = await editor.lenses((all) => all.length === 2);
    for (const lens of lenses) assert.match(lens, /^\S?\s*Not approved on this machine[^…]*$/);
    await editor.screenshot('restricted-1-read');
  });

  it('has a row that says why nothing can start', async () => {
    await editor.treeRow(/Restricted Mode.*No task can start/);
  });

  it('says of an empty queue that it is empty, and where to trust the folder', async () => {
    const { file } = editor.queue;
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.slice(0, before.indexOf('\n') + 1));
    const view = editor.page.locator('.sidebar');
    await view.getByText('The queue is empty.').waitFor();
    await view.getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
    await editor.screenshot('restricted-2-empty');
    writeFileSync(file, before);
    await editor.treeRow('SDK');
  });

  it('has no command that runs or writes', async () => {
    await editor.press('F1');
    await fillIn(editor.page.locator('.quick-input-widget:visible input.input'), '>Claude Queue: ');
    const offered = (await editor.quickPicks()).map(({ label }) => label);
    for (const label of offered)
      assert.match(
        label,
        /Open Queue File|Show Log|Show Menu|Show Attempt|Show History|Show Usage|Show Report|Group Tasks|Filter|Focus on|Show Claude Queue/,
      );
    await editor.press('Escape');
  });

  it('shows its history', async () => {
    await editor.runCommand('Claude Queue: Show History');
    await new PageView(editor).sentence('No attempts.');
  });

  it('has nothing written into it, and nothing started', () => {
    assert.deepEqual(files(), filesBefore);
    assert.deepEqual([...editor.processes(PROGRAM), ...editor.processes(CLAUDE)], []);
    assert.deepEqual(editor.api.requests, []);
  });

  it('shows no notification', async () => {
    await editor.treeRow('Check the SDK');
    assert.deepEqual(await editor.notifications(), []);
  });

  it('works once it is trusted, without a reload', async () => {
    await (await editor.treeRow('Manage Workspace Trust')).click();
    await editor.page.getByRole('button', { name: 'Trust', exact: true }).click();
    await Promise.all([editor.notification('Task 1 missed its deadline'), editor.closeModalEditor()]);
    await editor.page.locator('.sidebar').getByText('Restricted Mode').waitFor({ state: 'detached' });
    await startAtFirst(editor);
    await editor.treeRow(/Done\s*2/);
    await editor.screenshot('restricted-3-trusted');
  });
});
