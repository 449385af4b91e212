import assert from 'node:assert/strict';
import { EVERY_END_ROWS, everyEnd, NIGHT_MS, ordinaryNight } from '../../support/night/everyEnd';
import { HOUR } from '../../support/queue/attempts';
import { recordNight } from '../../support/night/recordNight';
import { PageView, THEMES } from '../window/pageView';
import { untilStored } from '../window/storedState';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

describe('The page of the report', () => {
  let editor: Workbench;
  let view: PageView;

  before(async () => {
    editor = await openWorkbench({ rows: EVERY_END_ROWS });
    view = new PageView(editor);
    const start = Date.now() - NIGHT_MS;
    await recordNight(editor.queue, start - 24 * HOUR, ordinaryNight());
    await recordNight(editor.queue, start, everyEnd(start));
    await editor.queue.approve('13 14 16 18');
    await editor.openView('Claude Queue');
    await editor.treeRow('Publish the changelog');
  });

  after(() => editor.close());

  const needs = () => view.frame.locator('.needs > li');
  const heading = (name: RegExp) => view.frame.getByRole('heading', { name, level: 1 });

  it('says first what the user must do, the riskiest first', async () => {
    await editor.runCommand('Claude Queue: Show Report');
    await heading(/7 tasks need attention, 5 are worth a look/).waitFor();
    const texts = await needs().allInnerTexts();
    assert.match(texts[0] ?? '', /1 task is due and no worker is running\s+Start…$/);
    assert.match(texts[1] ?? '', /^failed\s+3 +Remove <b>feature<\/b> flags that are always on/);
    assert.match(
      texts.find((text) => text.startsWith('refused')) ?? '',
      /5 +Add rate limiting to POST \/login\s+Bash docker compose up -d redis/,
    );
    await editor.screenshot('report-page-1-light');
  });

  it('has a button that edits a stuck task', async () => {
    const stuck = needs().filter({ hasText: /^stuck/ });
    assert.equal(await stuck.getByRole('button', { name: 'Edit Task 13', exact: true }).count(), 1);
  });

  it('has each task in its table, with a count of each attempt', async () => {
    assert.equal(await view.frame.locator('tbody tr').count(), EVERY_END_ROWS.length);
    await view.frame.getByText('22 attempts = 9 success').waitFor();
    assert.deepEqual(await view.frame.locator('.swatch').allInnerTexts(), [
      ...['success', 'review', 'limit', 'error', 'other', 'nothing ran'],
    ]);
    const timeline = view.frame.getByRole('region', { name: 'Timeline' });
    await timeline.scrollIntoViewIfNeeded();
    await editor.screenshot('report-page-2-night');
    const hidden = await timeline.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.equal(hidden, 0, 'pixels must be scrolled to in a window of 1,280 pixels');
  });

  it('says how far off the forecast was, as the night before would have given it', async () => {
    const sentence = view.frame.getByText(
      /^Forecast, computed again from earlier attempts: \d+ of \d+ starts came by the time given as likely, \d+ were expected/,
    );
    await sentence.scrollIntoViewIfNeeded();
    await editor.screenshot('report-page-2-forecast');
  });

  it('accepts a task from its line, which is gone then', async () => {
    await view.frame.getByRole('button', { name: 'Accept task 5' }).click();
    await heading(/6 tasks need attention/).waitFor();
    assert.equal(await view.frame.getByRole('button', { name: 'Accept task 5' }).count(), 0);
  });

  for (const [theme, name] of THEMES)
    it(`is drawn in ${theme}`, async () => {
      await view.setTheme(theme);
      await heading(/6 tasks need attention/).scrollIntoViewIfNeeded();
      await editor.screenshot(`report-page-3-${name}`);
    });

  it('is there again after the window was loaded again', async () => {
    await untilStored(editor.page, 'claudeQueue.report');
    await editor.reload();
    await editor.page.locator('.tab.active').filter({ hasText: 'Report' }).waitFor();
    await heading(/6 tasks need attention/).waitFor();
  });

  it('can be read in a column of 300 pixels', async () => {
    await editor.page.setViewportSize({ width: 660, height: 900 });
    const main = await view.frame.locator('main').boundingBox();
    assert.ok(main !== null && main.width < 320, String(main?.width));
    for (const button of await view.frame.locator('.needs button').all()) {
      const box = await button.boundingBox();
      assert.ok(box !== null && box.x >= main.x && box.x + box.width <= main.x + main.width);
    }
    await editor.screenshot('report-page-4-narrow');
  });
});
