import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../support/until';
import { fillIn, pressInRow } from '../window/clicks';
import { PageView } from '../window/pageView';
import { untilRemembered } from '../window/storedState';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

/** Under which VS Code stores what the extension remembers. */
const EXTENSION = 'claude-task-queue.claude-task-queue';

describe('The form of a task', () => {
  let editor: Workbench;

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Paint the fence' },
        { id: 2, prompt: 'Sweep the yard', priority: 'low' },
      ],
    });
    writeFileSync(join(editor.folder, 'notes.md'), 'First line\nSecond line\nThird line\n');
    await editor.openView('Claude Queue');
    await editor.treeRow('Paint the fence');
  });

  after(() => editor.close());

  const page = (): PageView => new PageView(editor);

  const form = (): FrameLocator => page().frame;

  const textOf = async (id: string): Promise<string> => (await form().locator(`#${id}`).innerText()).trim();

  const shows = (id: string, words: RegExp): Promise<unknown> =>
    until(`${id} shows ${words.source}`, async () => words.test(await textOf(id)));

  const isClosed = (): Promise<void> => editor.page.locator('iframe.webview').waitFor({ state: 'detached' });

  const open = async (title = 'Claude Queue: Add Task in Form'): Promise<void> => {
    await editor.runCommand(title);
    await form().locator('#prompt:focus').waitFor();
  };

  const readRows = (): string => readFileSync(editor.queue.file, 'utf8');

  const cells = async (id: number) => (await editor.queue.task(id)) as unknown as Record<string, unknown>;

  it('is filled by keys alone, says when the task runs, and adds it approved', async () => {
    await open();
    await shows('lead', /^Write a prompt\.$/);
    await page().typePrompt('Write a poem about rain');
    for (const id of ['editPrompt', 'folder', 'browse', 'priority']) await page().tabTo(id);
    await editor.page.keyboard.type('high');
    await page().tabTo('after');
    await editor.page.keyboard.type('paint');
    await editor.press('Enter');
    await shows('chips', /1 Paint the fence/);
    await page().tabTo('time');
    await editor.page.keyboard.type('tomorrow 2am');
    await shows('hint-time', /^\w{3} \d{4}-\d\d-\d\d 02:00, in \d+ [dh]/);
    await shows('lead', /^After 1 and at \w{3} .* 02:00/);
    await shows('rest', /Approved, because you write it here/);
    await editor.screenshot('form-1-typed');
    await editor.press('Control+Enter');
    await isClosed();
    await editor.treeRow('Write a poem');
    assert.match(readRows(), /^3,high,.*Write a poem about rain,pending,[^,]* 02:00,1,/m);
    // Approved: it waits for its time and for task 1, not for the user.
    assert.notEqual((await editor.queue.task(3)).shown, 'unapproved');
  });

  it('shows what is wrong beside the field, with the focus there, and adds nothing', async () => {
    await open();
    await page().typePrompt('Count the birds');
    await fillIn(form().locator('#time'), 'someday');
    await form().locator('#prompt').focus();
    await shows('problem-time', /^This time is not understood/);
    await editor.press('Control+Enter');
    await form().locator('#time:focus').waitFor();
    assert.equal(await form().locator('#time').getAttribute('aria-invalid'), 'true');
    await editor.screenshot('form-2-wrong');
    await fillIn(form().locator('#time'), '');
    await form().locator('#repeat').selectOption('weekday');
    await shows('hint-repeat', /^First as soon as possible, then \w{3} .* 09:00, /);
    await editor.press('Control+Enter');
    await isClosed();
    await editor.treeRow('Count the birds');
    assert.match(readRows(), /Count the birds,pending,.*yes,0 9 \* \* 1-5/);
  });

  it('keeps what was typed when its tab is hidden or closed', async () => {
    await open();
    await page().typePrompt('Feed the cat');
    await shows('lead', /^As soon as/);
    await editor.openFile('notes.md');
    await editor.page.locator('.tab').filter({ hasText: 'Add Task' }).click();
    // The page is there before what it shows.
    const isBack = async (): Promise<boolean> =>
      (await form().locator('#prompt').inputValue()) === 'Feed the cat';
    await until('the prompt is back', isBack);
    await editor.runCommand('View: Close Editor');
    await isClosed();
    await open();
    await until('the prompt is back', isBack);
    await form().locator('#cancel').click();
    await isClosed();
    await open();
    assert.equal(await form().locator('#prompt').inputValue(), '');
    await form().locator('#cancel').click();
    await isClosed();
  });

  it('adds a task once that two tabs of one browser restore', async () => {
    const name = 'Wash the car';
    const prompts = (): number => readRows().split(name).length - 1;
    await open();
    await page().typePrompt(name);
    await untilRemembered(editor.page, EXTENSION, name, 'Feed the cat');
    const tab = await editor.openTab();
    const other = new PageView(tab).frame;
    await tab.runCommand('Claude Queue: Add Task in Form');
    await until('the prompt is in both', async () => (await other.locator('#prompt').inputValue()) === name);
    await form().locator('#prompt').focus();
    await editor.press('Control+Enter');
    await isClosed();
    await until('it is added', () => prompts() === 1);
    await other.locator('#prompt').focus();
    await tab.press('Control+Enter');
    await other.getByText('This task was already added in another window.').waitFor();
    assert.equal(prompts(), 1);
    await other.locator('#cancel').click();
    await tab.page.close();
  });

  it('edits a task, and says that its approval is renewed', async () => {
    await editor.queue.approve('2');
    await pressInRow({
      press: () => editor.chooseFromTreeMenu('Sweep the yard', 'Edit Task'),
      hasCome: () => form().locator('#prompt:focus').isVisible(),
      question: editor.page.locator('.quick-input-title:visible').filter({ hasText: 'Edit Task' }),
    });
    await until('the row is there', async () => (await form().locator('#prompt').inputValue()) !== '');
    await shows('rest', /Nothing is changed yet/);
    await form().locator('#priority').selectOption('critical');
    await shows('rest', /Changes priority; its approval stays/);
    await fillIn(form().locator('#prompt'), 'Sweep the whole yard');
    await shows('rest', /Approved again, because you write it here/);
    await editor.screenshot('form-3-edit');
    await form().getByRole('button', { name: 'Save' }).click();
    await isClosed();
    await editor.treeRow('Sweep the whole yard');
    assert.equal((await cells(2))['priority'], 'critical');
    assert.equal((await editor.queue.task(2)).shown, 'ready');
  });

  it('keeps the changes of a row when its tab is closed, until they are cancelled', async () => {
    await editor.queue.approve('2');
    const edit = async (): Promise<void> => {
      await pressInRow({
        press: () => editor.chooseFromTreeMenu(/Sweep the/, 'Edit Task'),
        hasCome: () => form().locator('#prompt:focus').isVisible(),
        question: editor.page.locator('.quick-input-title:visible').filter({ hasText: 'Edit Task' }),
      });
      await until('the row is there', async () => (await form().locator('#prompt').inputValue()) !== '');
    };
    await edit();
    const saved = await form().locator('#prompt').inputValue();
    await fillIn(form().locator('#prompt'), 'Sweep the street');
    await shows('rest', /Changes prompt/);
    await editor.runCommand('View: Close Editor');
    await isClosed();
    await edit();
    await shows('failure', /not saved yet\. Cancel discards them/);
    assert.equal(await form().locator('#prompt').inputValue(), 'Sweep the street');
    await editor.screenshot('form-5-restored');
    await form().locator('#cancel').click();
    await isClosed();
    await edit();
    assert.equal(await form().locator('#prompt').inputValue(), saved);
    await form().locator('#cancel').click();
    await isClosed();
  });

  it('says that the task was removed meanwhile, and keeps what was typed', async () => {
    const added = await editor.queue.run(['add', 'Rake the leaves']);
    assert.equal(added.code, 0);
    const id = /\d+/.exec(added.stdout)?.[0] ?? '';
    await pressInRow({
      press: () => editor.chooseFromTreeMenu('Rake the leaves', 'Edit Task'),
      hasCome: () => form().locator('#prompt:focus').isVisible(),
      question: editor.page.locator('.quick-input-title:visible').filter({ hasText: 'Edit Task' }),
    });
    await until('the row is there', async () => (await form().locator('#prompt').inputValue()) !== '');
    await fillIn(form().locator('#prompt'), 'Rake all leaves');
    await shows('rest', /Changes prompt/);
    await editor.queue.run(['rm', id]);
    await shows('lead', new RegExp(`^Task ${id} was removed\\.$`));
    await shows('rest', /^Nothing can be saved\. Copy your text/);
    await form().getByRole('button', { name: 'Save' }).click();
    await shows('failure', new RegExp(`There is no task ${id}\\.`));
    assert.equal(await form().locator('#prompt').inputValue(), 'Rake all leaves');
    assert.equal(await form().locator('main').getAttribute('inert'), null);
    await form().locator('#cancel').click();
    await isClosed();
  });

  it('attaches the selection of an editor, which is shown in full', async () => {
    await editor.openFile('notes.md');
    await editor.goTo(2, 1);
    await editor.press('Shift+End');
    await open('Claude Queue: Add to Claude Queue');
    await shows('attachments', /notes\.md:2[^]*Second line/);
    await page().typePrompt('Explain this');
    await editor.screenshot('form-4-context');
    await editor.press('Control+Enter');
    await isClosed();
    await editor.treeRow('Explain this');
    assert.match(readRows(), /Explain this\n\nContext: notes\.md:2\n```\nSecond line\n```/);
  });
});
