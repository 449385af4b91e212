import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SCHEME } from '../../src/editor/changes/versionUri';
import { GitRepository } from '../support/machine/gitRepository';
import { isAbout } from '../support/queue/queuePlace';
import { tool } from '../support/claude/replies';
import { report } from '../support/claude/reports';
import { until } from '../support/until';
import { drawnAs } from './window/drawn';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

/** The smallest image: one pixel. */
const RED =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
const BLUE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/eL9GtQAAAABJRU5ErkJggg==';

const BEFORE: Readonly<Record<string, string | Buffer>> = {
  'src/fence.ts': "export const colour = 'white';\nexport const height = 2;\n",
  'old.txt': 'Not needed any more.\n',
  'logo.png': Buffer.from(RED, 'base64'),
  'run.sh': 'true\n',
};

/** Command of the first attempt. */
const PAINT = [
  'sed -i s/white/green/ src/fence.ts',
  'rm old.txt',
  "printf 'Two coats.\\n' > notes.md",
  `printf %s ${BLUE} | base64 -d > logo.png`,
  'chmod +x run.sh',
  'truncate -s 11M paint.bin',
].join(' && ');

/** Run in the page: whether the window has stored that an editor shows kept versions. It does so now and then. */
const IS_STORED = `(async () => {
  const whenDone = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db')) continue;
    const stored = await whenDone(indexedDB.open(name));
    const values = await whenDone(stored.transaction('ItemTable').objectStore('ItemTable').getAll());
    stored.close();
    if (values.some((value) => String(value).includes('${SCHEME}'))) return true;
  }
  return false;
})()`;

/** Command of its second attempt. */
const AGAIN = "sed -i 's/height = 2/height = 3/' src/fence.ts";

describe('The changes of an attempt', () => {
  let editor: Workbench;
  /** Commands that Claude runs before it reports. The second attempt continues the session of the first. */
  const commands = [PAINT];

  before(async () => {
    editor = await openWorkbench({
      settings: { 'claudeQueue.notifications': { review: true, allDone: false } },
      rows: [
        { id: 1, prompt: 'Paint the fence', allowed_tools: 'Bash' },
        { id: 2, prompt: 'Look at it' },
      ],
      respond: (turn) => {
        if (!isAbout(turn, 'Paint the fence'))
          return report(turn, 'It is green.', 'finished', 'Looked at it.');
        const command = commands[turn.toolResults];
        if (command === undefined) return report(turn, 'Is it dry?', 'could_not', 'The paint is wet.');
        return tool('Bash', { command });
      },
    });
    for (const [name, content] of Object.entries(BEFORE)) {
      mkdirSync(dirname(join(editor.folder, name)), { recursive: true });
      writeFileSync(join(editor.folder, name), content);
    }
    GitRepository.init(editor.folder).commitAll('Before');
    await editor.openView('Claude Queue');
    await editor.treeRow('Paint the fence');
    await editor.narrowSideBar();
    await editor.queue.run('trust');
  });

  after(() => editor.close());

  /** Waits until the active editor shows these lines. */
  const shows = async (...lines: readonly string[]): Promise<void> => {
    const drawn = editor.page.locator('.editor-group-container.active .view-line');
    for (const line of lines)
      await drawn
        .filter({ hasText: drawnAs(line) })
        .first()
        .waitFor();
  };

  it('open from the notification about its review', async () => {
    const pressed = editor.answerNotification(/Task 1 needs review/, 'Show Changes');
    await Promise.all([pressed, editor.queue.run('work --until-empty')]);
    await shows("colour = 'white'", "colour = 'green'", 'Two coats.', 'Not needed any more.');
    const said = await editor.notification('Changes of task 1, attempt 1');
    assert.match(said, /Only the permissions of run\.sh changed\. paint\.bin changed too/);
    await editor.screenshot('changes-1-notification');
  });

  it('are there again when the window reloads', async () => {
    await until('the open editor is stored', () => editor.page.evaluate<boolean>(IS_STORED));
    await editor.reload();
    await shows("colour = 'white'", "colour = 'green'", 'Two coats.', 'Not needed any more.');
    await editor.screenshot('changes-2-reloaded');
  });

  it('open from the row of the tree, in place of the same ones', async () => {
    await editor.openView('Claude Queue');
    await editor.treeRow(/Needs Attention\s*1/);
    await editor.hover(await editor.treeRow('Paint the fence'));
    await editor.screenshot('changes-3-row');
    await editor.pressTreeButton('Paint the fence', 'Show Changes');
    await shows("colour = 'green'");
    await editor.notification('Changes of task 1, attempt 1');
    assert.equal(await editor.page.locator('.tab').filter({ hasText: 'Changes of task 1' }).count(), 1);
  });

  it('open from the menu of the row', async () => {
    await editor.runCommand('View: Close All Editors');
    await editor.page.locator('.tab').waitFor({ state: 'detached' });
    await editor.chooseFromTreeMenu('Paint the fence', 'Show Changes');
    await shows("colour = 'green'");
  });

  it('have both versions of an image', async () => {
    await editor.page.getByRole('button', { name: 'Open Diff' }).click();
    const webviews = editor.page.locator('iframe.webview.ready');
    for (const side of [0, 1]) {
      const drawn = webviews.nth(side).contentFrame().locator('iframe#active-frame').contentFrame();
      await drawn.locator('img').waitFor();
    }
    await editor.screenshot('changes-4-image');
  });

  it('open from the lens of the row, for the attempt that the user chooses', async () => {
    commands.push(AGAIN);
    await editor.queue.run('retry 1');
    await editor.queue.run('work --until-empty');
    await editor.openFile('prompts.csv');
    await editor.lenses((all) => all.some((lens) => lens.includes('Needs review')));
    await editor.screenshot('changes-5-lens');
    await editor.chooseFromLens('Needs review', 'Show Changes');
    await editor.quickInput('Show Changes: task 1');
    await editor.screenshot('changes-6-attempts');
    const attempts = await editor.quickPicks();
    assert.deepEqual(
      attempts.map(({ label }) => label),
      ['Attempt 2', 'Attempt 1'],
    );
    await editor.press('Enter');
    await shows('height = 2', 'height = 3');
    await editor.screenshot('changes-7-second');
  });

  it('are offered for no task that changed nothing', async () => {
    await editor.expand('Done');
    await (await editor.treeRow('Look at it')).click({ button: 'right' });
    const items = editor.page.getByRole('menuitem');
    await items.filter({ hasText: 'Show Output' }).waitFor();
    assert.equal(await items.filter({ hasText: 'Show Changes' }).count(), 0);
    await editor.press('Escape');
  });
});
