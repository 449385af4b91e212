import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { until } from '../../support/until';
import { fillIn } from '../window/clicks';
import { QueueEditor } from '../window/queueEditor';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

const HEADER =
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,user';
const ROWS = [
  '1,high,.,Upgrade to Node 22 and fix the type errors,completed,,,no,,aiko',
  '2,medium,services/api,Add cursor pagination to GET /orders,pending,2026-11-25 07:00,1,no,,ken',
  '3,high,services/api,"Fix the race in token refresh,',
  'with a test that fails without the fix.',
  'Change nothing else.",pending,,1|2,yes,0 7 * * 1-5,ken',
  '4,medium,services/web,請求書の一覧に検索欄を追加し、テストも書く,pending,,3|2,no,,aiko',
];
const MORE = Array.from(
  { length: 60 },
  (_, index) => `${index + 5},low,docs,Part ${index + 5},pending,,1,no,,ken`,
);
const CSV = `${[HEADER, ...ROWS, ...MORE].join('\n')}\n`;

/** Line of the row of task 4, from 1. */
const LAST = 7;

/** Column of the dependencies on line 6, from 1. */
const DEPENDENCIES = 32;

/** Style of drawn words. */
interface Drawn {
  readonly color: string;
  readonly opacity: string;
  readonly weight: string;
}

describe('The queue file in the editor', () => {
  let editor: Workbench;
  let file: QueueEditor;

  before(async () => {
    editor = await openWorkbench({
      settings: { 'workbench.colorTheme': 'Default Light Modern', 'files.autoSave': 'off' },
    });
    writeFileSync(editor.queue.file, CSV);
    file = new QueueEditor(editor, editor.queue.file);
    await file.open('Upgrade to Node');
  });

  after(() => editor.close());

  /** Returns the style of the first drawn part of a line that has just these words. */
  async function styleOf(words: string): Promise<Drawn | null> {
    return editor.page.evaluate<Drawn | null>(`(() => {
      const parts = document.querySelectorAll('.editor-group-container.active .view-line > span > span');
      const isIt = ({ textContent }) => textContent.replaceAll('\\u00a0', ' ') === ${JSON.stringify(words)};
      const found = [...parts].find(isIt);
      if (found === undefined) return null;
      const { color, opacity, fontWeight: weight } = getComputedStyle(found);
      return { color, opacity, weight };
    })()`);
  }

  async function isDrawn(words: string, holds: (style: Drawn) => boolean): Promise<Drawn> {
    return until(`${words} is drawn so`, async () => {
      const style = await styleOf(words);
      return style !== null && holds(style) ? style : null;
    });
  }

  async function breadcrumbs(): Promise<string[]> {
    return editor.page
      .locator('.editor-group-container.active .monaco-breadcrumb-item')
      .evaluateAll((items) => items.map((item) => (item as { textContent: string }).textContent));
  }

  async function showsColumn(name: string): Promise<void> {
    await until(`the breadcrumbs name ${name}`, async () => (await breadcrumbs()).at(-1)?.includes(name));
  }

  it('has a colour for each kind of column, and the prompt plain', async () => {
    await editor.goTo(LAST, 3);
    const prompt = await isDrawn('請求書の一覧に検索欄を追加し、テストも書く', () => true);
    const id = await isDrawn('4', ({ color }) => color !== prompt.color);
    const priority = await isDrawn('high', ({ color }) => color !== prompt.color);
    const folder = await isDrawn('services/web', ({ color }) => color !== prompt.color);
    assert.equal(new Set([id, prompt, priority, folder].map(({ color }) => color)).size, 4);
  });

  it('dims the header and delimiters, but not the column at the cursor', async () => {
    await editor.goTo(6, DEPENDENCIES);
    await isDrawn('dependencies', ({ weight, opacity }) => weight === '700' && opacity === '1');
    await isDrawn(',', ({ opacity }) => Number(opacity) < 1);
    await showsColumn('dependencies (column 7 of 10)');
    await editor.screenshot('queue-file-light');
    await editor.goTo(LAST, 4);
    await isDrawn('priority', ({ weight }) => weight === '700');
    await showsColumn('priority (column 2 of 10)');
  });

  it('folds a prompt of several lines', async () => {
    await editor.goTo(4, 1);
    await editor.press('Control+Shift+BracketLeft');
    await until('the prompt is folded', async () =>
      (await editor.editorLines()).every((line) => !line.includes('Change nothing else')),
    );
    await editor.screenshot('queue-file-folded');
    await editor.press('Control+Shift+BracketRight');
    await file.shows('Change nothing else');
  });

  it('goes from a dependency to its row, and lists the rows that depend on it', async () => {
    await editor.goTo(6, DEPENDENCIES);
    await editor.press('F12');
    await editor.statusBar('Ln 2, Col 1');
    await editor.goTo(3, 1);
    await editor.press('Shift+F12');
    const peek = editor.page.locator('.reference-zone-widget');
    await until('both rows are listed', async () =>
      (await peek.innerText()).replaceAll('\u00a0', ' ').includes('References ('),
    );
    await editor.screenshot('queue-file-references');
    await editor.press('Escape');
  });

  it('keeps the header visible above rows further down, with the column at the cursor', async () => {
    await editor.goTo(60, 14);
    const sticky = editor.page.locator('.editor-group-container.active .sticky-widget');
    await sticky.filter({ hasText: 'id,priority' }).waitFor();
    await showsColumn('prompt (column 4 of 10)');
    const isBold = `(() => {
      const parts = document.querySelectorAll('.editor-group-container.active .sticky-widget span');
      return [...parts].some((part) => part.textContent === 'prompt' && getComputedStyle(part).fontWeight === '700');
    })()`;
    await until('the column at the cursor is bold in it', () => editor.page.evaluate<boolean>(isBold));
    await editor.screenshot('queue-file-sticky');
  });

  it('marks a wrong cell while it is unsaved, and no longer once it is right', async () => {
    const marks = editor.page.locator('.editor-group-container.active .squiggly-error');
    await editor.goTo(3, 3);
    for (const _ of 'medium') await editor.press('Shift+ArrowRight');
    await editor.page.keyboard.type('hihg');
    await marks.first().waitFor();
    await file.hasUnsaved();
    await editor.screenshot('queue-file-problem');
    await file.undo(2);
    await file.shows('2,medium');
    await marks.first().waitFor({ state: 'detached' });
  });

  it('renames an id in its row and in dependencies, and refuses one that is taken', async () => {
    await editor.goTo(3, 1);
    await renameTo('4');
    await editor.notification('Id 4 is on line 7 already. Choose another one.');
    await editor.screenshot('queue-file-rename-refused');
    await file.focus();
    await renameTo('99');
    await file.shows('99,medium');
    await file.shows('1|99');
    await file.shows('3|99');
    await file.undo();
    await file.shows('2,medium');
  });

  async function renameTo(id: string): Promise<void> {
    await editor.press('F2');
    const box = editor.page.locator('.rename-box input');
    await box.waitFor();
    await fillIn(box, id);
    await editor.press('Enter');
  }

  it('is drawn in a dark theme', async () => {
    const before = await isDrawn('high', () => true);
    await editor.runCommand('Preferences: Color Theme');
    await editor.pick('Dark Modern');
    await isDrawn('high', ({ color }) => color !== before.color);
    await editor.goTo(6, DEPENDENCIES);
    await isDrawn('dependencies', ({ weight }) => weight === '700');
    await editor.screenshot('queue-file-dark');
  });
});
