import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { inventHistory, recordHistory } from '../../support/queue/recordHistory';
import { until } from '../../support/until';
import { fillIn } from '../window/clicks';
import { PageView, THEMES } from '../window/pageView';
import { untilStored } from '../window/storedState';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

const PROMPTS = [
  'Count the stars',
  'Add rate limiting to POST /login and test it',
  'READMEのインストール手順を日本語に翻訳する',
  'Remove <b>feature</b> flags',
  'Summarise the commits of the day in docs/daily.md',
];

describe('The pages of the history', () => {
  let editor: Workbench;
  let view: PageView;

  before(async () => {
    editor = await openWorkbench({
      rows: PROMPTS.map((prompt, index) => ({ id: index + 1, prompt })),
      settings: { 'claudeQueue.permissionMode': 'acceptEdits' },
    });
    view = new PageView(editor);
    await recordHistory(editor.queue, inventHistory(Date.now(), 14));
    await editor.openView('Claude Queue');
    await editor.treeRow('Count the stars');
  });

  after(() => editor.close());

  const rows = () => view.frame.locator('#table tbody tr');
  const pictures = () => view.frame.locator('.chart canvas');
  /** The canvases have a size once they are drawn. */
  const isDrawn = (): Promise<unknown> =>
    until('the pictures are drawn', async () => {
      const sizes = await Promise.all((await pictures().all()).map((one) => one.boundingBox()));
      return sizes.length > 0 && sizes.every((size) => (size?.width ?? 0) > 100);
    });

  describe('History', () => {
    it('sums attempts up, and lists the newest first, one hundred at once', async () => {
      await editor.runCommand('Claude Queue: Show History');
      await view.sentence('116 attempts: 83 success');
      assert.match(await view.frame.locator('.numbers').innerText(), /Waited, p50\s+\S+ min/);
      assert.equal(await rows().count(), 100);
      assert.equal(await pictures().count(), 2);
      await isDrawn();
      const table = view.frame.locator('#table .scroll');
      const hidden = await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.equal(hidden, 0, 'the last column is not cut');
      await editor.screenshot('history-page-1-light');
    });

    it('shows more on request, and leaves the focus on the page', async () => {
      await view.frame.getByRole('button', { name: 'Show 16 More' }).focus();
      await editor.press('Enter');
      await until('all rows are shown', async () => (await rows().count()) === 116);
    });

    it('filters by text while it is typed, in rows, numbers and pictures', async () => {
      await fillIn(view.frame.getByRole('searchbox'), 'flags review');
      await view.sentence('14 attempts: 14 review.');
      assert.equal(await rows().count(), 14);
      await editor.screenshot('history-page-2-filter');
      await fillIn(view.frame.getByRole('searchbox'), 'no such words');
      await view.sentence('No attempts.');
      await fillIn(view.frame.getByRole('searchbox'), '');
      await view.sentence('116 attempts');
    });

    it('has a table with the same content for each picture', async () => {
      await view.frame.getByText('Table of attempts per day').click();
      const table = view.frame.locator('details[open] tbody tr');
      assert.equal(await table.count(), 14);
      assert.match(await table.first().innerText(), /\d{4}-\d\d-\d\d\s+9\s+6 success/);
      await view.frame.getByText('Table of attempts per day').click();
    });

    it('covers the time that is chosen', async () => {
      await view.frame.getByRole('combobox').selectOption('Last 7 days');
      await view.sentence(/^[4-7]\d attempts/);
      await view.frame.getByRole('combobox').selectOption('Last 30 days');
      await view.sentence('116 attempts');
    });

    for (const [theme, name] of THEMES)
      it(`is drawn in ${theme}`, async () => {
        await view.setTheme(theme);
        await isDrawn();
        await editor.screenshot(`history-page-3-${name}`);
      });

    it('keeps its filter while another tab is in front', async () => {
      await fillIn(view.frame.getByRole('searchbox'), 'stars');
      await view.sentence('29 attempts');
      await editor.openFile('prompts.csv');
      await editor.runCommand('View: Open Previous Editor');
      await view.sentence('29 attempts');
      assert.equal(await view.frame.getByRole('searchbox').inputValue(), 'stars');
    });

    it('shows the attempt of a row', async () => {
      await view.frame
        .getByRole('button', { name: /^Show attempt \d+ of task 1/ })
        .last()
        .click();
      await editor.page.locator('.tab.active').filter({ hasText: 'Task 1, Attempt 1' }).waitFor();
    });
  });

  describe('Usage', () => {
    it('shows both usage windows over time, and attempts and cost per day', async () => {
      await editor.runCommand('Claude Queue: Show Usage');
      await view.frame.getByRole('heading', { name: 'Usage windows' }).waitFor();
      assert.equal(await pictures().count(), 3);
      await isDrawn();
      await view.frame.locator('.chart').first().hover();
      await view.frame
        .locator('.readout')
        .first()
        .filter({ hasText: /5-hour window \d+ %, weekly window \d+ %/ })
        .waitFor();
      await editor.screenshot('usage-page-1-light');
    });

    it('has the same figures in a table, with the limits that were reached', async () => {
      await view.frame.getByText('Table of usage windows').click();
      const table = view.frame.locator('details[open] tbody tr');
      assert.equal(await table.filter({ hasText: 'limit reached' }).count(), 11);
      await view.frame.getByText('Table of usage windows').click();
    });

    for (const [theme, name] of THEMES)
      it(`is drawn in ${theme}`, async () => {
        await view.setTheme(theme);
        await isDrawn();
        await editor.screenshot(`usage-page-2-${name}`);
      });

    it('is there again after the window was loaded again', async () => {
      await untilStored(editor.page, 'claudeQueue.usage');
      await editor.reload();
      await editor.page.locator('.tab.active').filter({ hasText: 'Usage' }).waitFor();
      await view.frame.getByRole('heading', { name: 'Usage windows' }).waitFor();
      await isDrawn();
    });

    it('is closed after that if the queue is gone, with the reason', async () => {
      rmSync(join(editor.folder, 'claude_queue', 'prompts.csv'));
      await editor.reload();
      await editor.notification('The queue file claude_queue/prompts.csv is gone.');
      await editor.page.locator('.tab').filter({ hasText: 'Usage' }).waitFor({ state: 'detached' });
    });
  });
});
