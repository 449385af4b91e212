import assert from 'node:assert/strict';
import { inventHistory, recordHistory } from '../../support/queue/recordHistory';
import { fillIn } from '../window/clicks';
import { PageView, THEMES } from '../window/pageView';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

const PROMPTS = [
  'Count the stars',
  'Add rate limiting to POST /login and test it',
  'READMEのインストール手順を日本語に翻訳する',
  'Remove <b>feature</b> flags',
  'Summarise the commits of the day in docs/daily.md',
  'Удалить мёртвый код из модуля оплаты',
];

const ROWS = PROMPTS.map((prompt, index) => ({
  id: index + 1,
  prompt,
  ...(index === 3 ? { dependencies: '2' } : {}),
  ...(index === 2 ? { deadline: new Date(Date.now() + 2_400_000).toISOString() } : {}),
}));

describe('The page of the forecast', () => {
  let editor: Workbench;
  let view: PageView;

  before(async () => {
    editor = await openWorkbench({ rows: ROWS });
    view = new PageView(editor);
    await recordHistory(editor.queue, inventHistory(Date.now(), 14));
    await editor.queue.approve('1 2 3 4 5');
    await editor.openView('Claude Queue');
    await editor.treeRow('Count the stars');
  });

  after(() => editor.close());

  const rows = () => view.frame.locator('tbody tr');

  it('shows what to settle first, then each task with its times', async () => {
    await editor.runCommand('Claude Queue: Forecast Next 24 Hours');
    await view.frame.getByRole('heading', { name: /5 tasks will start; likely finished by/ }).waitFor();
    await view.frame.locator('.settle li').filter({ hasText: 'Waits for your approval.' }).waitFor();
    assert.match(
      await rows().first().innerText(),
      /^1 +Count the stars\s+\d\d:\d\d\s+\d\d:\d\d to \d\d:\d\d/,
    );
    await editor.screenshot('forecast-page-1-light');
  });

  it('approves a task from its line, and counts it then', async () => {
    await view.frame.getByRole('button', { name: 'Approve task 6' }).click();
    await editor.quickInput('Approve');
    await editor.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
    await view.frame.getByRole('heading', { name: /6 tasks will start/ }).waitFor();
    assert.equal(await view.frame.locator('.settle li').filter({ hasText: 'approval' }).count(), 0);
  });

  for (const [theme, name] of THEMES)
    it(`is drawn in ${theme}`, async () => {
      await view.setTheme(theme);
      await editor.screenshot(`forecast-page-2-${name}`);
    });

  it('compares with another setting, and says first what differs', async () => {
    await view.frame.getByLabel('Setting or priority').selectOption('maxPerHour');
    await fillIn(view.frame.getByLabel('New value'), 'many');
    await view.frame.getByRole('button', { name: 'Compare' }).click();
    await view.frame.getByRole('status').filter({ hasText: 'maxPerHour must be a whole number' }).waitFor();
    await fillIn(view.frame.getByLabel('New value'), '2');
    await view.frame.getByRole('button', { name: 'Compare' }).press('Enter');
    await view.sentence(/^Last task likely completed: \d\d:\d\d instead of \d\d:\d\d\.$/);
    await view.frame.locator('.sentence:focus').waitFor();
    await view.frame.getByRole('row', { name: /^Tasks that start 6 6$/ }).waitFor();
    await view.frame.getByRole('region', { name: 'Tasks that differ' }).waitFor();
  });

  it('compares with another priority too, and drops a change', async () => {
    await view.frame.getByLabel('Setting or priority').selectOption('priority 6');
    await view.frame.locator('select[data-action="value"]').selectOption('high');
    await view.frame.getByRole('button', { name: 'Compare With This Too' }).click();
    await view.frame.locator('.changes li').filter({ hasText: 'priority of task 6: high' }).waitFor();
    await view.frame.getByText('Start earlier: task 6.').waitFor();
    for (const [theme, name] of THEMES) {
      await view.setTheme(theme);
      await editor.screenshot(`forecast-page-3-${name}`);
    }
    await view.frame.getByRole('button', { name: 'Remove maxPerHour: 2' }).click();
    await view.frame.getByRole('button', { name: 'Remove priority of task 6: high' }).click();
    await view.frame.locator('.changes').waitFor({ state: 'detached' });
  });

  /** Pixels of the timeline that are only seen after scrolling sideways. */
  const hiddenWidth = () =>
    view.frame
      .locator('.scroll')
      .first()
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

  it('has all columns on a page of 600 pixels', async () => {
    assert.equal(await hiddenWidth(), 0, 'beside the side bar in a window of 1280 pixels');
    const size = editor.page.viewportSize();
    await editor.page.setViewportSize({ width: 960, height: 900 });
    await view.frame.locator('.scroll').first().waitFor();
    for (const [theme, name] of THEMES) {
      await view.setTheme(theme);
      await editor.screenshot(`forecast-page-5-${name}`);
    }
    assert.equal(await hiddenWidth(), 0);
    await view.frame.getByRole('columnheader', { name: 'Risk' }).waitFor({ state: 'attached' });
    if (size !== null) await editor.page.setViewportSize(size);
  });

  it('can be read in a column of 300 pixels', async () => {
    const size = editor.page.viewportSize();
    editor.queue.write([...ROWS, { id: 7, prompt: 'Rename the table of users in every migration' }]);
    await view.frame.getByRole('button', { name: 'Refresh' }).click();
    await view.frame.getByRole('button', { name: 'Approve task 7' }).waitFor();
    await editor.page.setViewportSize({ width: 660, height: 900 });
    await editor.screenshot('forecast-page-4-narrow');
    const sentence = await view.frame.locator('.settle p').first().boundingBox();
    assert.ok(sentence !== null && sentence.width > 200, String(sentence?.width));
    const hidden = await view.frame
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.equal(hidden, 0, 'only tables may be scrolled sideways');
    if (size !== null) await editor.page.setViewportSize(size);
  });

  it('opens the row of a task', async () => {
    await view.frame
      .getByRole('button', { name: /^2 {1,2}Add rate limiting/ })
      .first()
      .click();
    await editor.page.locator('.tab.active').filter({ hasText: 'prompts.csv' }).waitFor();
  });
});
