import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UNSEEN_MS } from '../../src/queue/file/fileState';
import type { Running } from '../support/machine/processes';
import type { RowCells } from '../support/queue/rows';
import { until } from '../support/until';
import { QueueEditor, SlowClaude } from './window/queueEditor';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

const SHOWN_AS = (row: RowCells): string => `${row.id},medium,.,${row.prompt}`;

describe('The user who types in the queue file while a worker runs', () => {
  const claude = new SlowClaude();
  let editor: Workbench;
  let file: QueueEditor;
  let worker: Running;

  before(async () => {
    editor = await openWorkbench({ settings: { 'files.autoSave': 'off' }, respond: claude.respond });
    file = new QueueEditor(editor, editor.queue.file);
    await file.open('SDK');
  });

  let hasFailed = false;
  afterEach(function () {
    hasFailed = this.currentTest?.state === 'failed';
  });

  // After its picture was taken.
  beforeEach('what failed is no concern of the next test', async () => {
    if (!hasFailed) return;
    // In this order: a dialog that is still open keeps every command away, and the editor brings back what is unsaved.
    await editor.reload();
    await file.open('id,priority');
    await editor.runCommand('File: Revert File');
    await file.hasNothingUnsaved();
  });

  after(() => editor.close());

  /** Puts these rows into the file, approves them, and starts to work on them. */
  async function workOn(...rows: readonly RowCells[]): Promise<void> {
    editor.queue.write(rows);
    await editor.queue.approve('--all');
    worker = editor.queue.start('work --until-empty');
    const [first] = rows;
    assert.ok(first);
    await claude.isAt(first.prompt);
    await file.holds({ [first.id]: 'running' });
    await file.shows(`${SHOWN_AS(first)},running`);
    await file.focus();
  }

  async function isShown(id: number, shown: string): Promise<void> {
    await until(`task ${id} is ${shown}`, async () => (await editor.queue.task(id)).shown === shown);
  }

  it('saves a new row and an edited prompt; results of the meantime are in the file', async () => {
    await workOn({ id: 11, prompt: 'Hearts' }, { id: 12, prompt: 'Spades' }, { id: 13, prompt: 'Clubs' });
    await file.typeRow('14,medium,.,Diamonds,pending,,,no,,0,3');
    await file.replace('Clubs', 'Clovers');
    await file.isMarked();
    claude.answer('Hearts');
    await isShown(11, 'completed');
    assert.equal(file.cell(11, 'status'), 'running', 'nobody writes under unsaved changes');
    await file.save();
    await file.holds({ 11: 'completed', 12: 'running', 13: 'pending', 14: 'pending' });
    assert.equal(file.cell(13, 'prompt'), 'Clovers');
    claude.answer('Spades');
    await worker.ended;
    const { tasks } = await editor.queue.status();
    assert.deepEqual(
      tasks.map(({ id, shown }) => [id, shown]),
      [
        [11, 'completed'],
        [12, 'completed'],
        [13, 'unapproved'],
        [14, 'unapproved'],
      ],
    );
    await file.shows('12,medium,.,Spades,completed');
  });

  it('saves over a file that grew, and over one that kept its size', async () => {
    await workOn({ id: 21, prompt: 'Ash' }, { id: 22, prompt: 'Elm' }, { id: 23, prompt: 'Oak' });
    await file.replace('Elm', 'Fir');
    await editor.queue.run(['add', 'Yew']);
    await file.save();
    await file.shows('Yew');
    assert.deepEqual([file.cell(22, 'prompt'), file.cell(24, 'prompt')], ['Fir', 'Yew']);

    await file.replace('Fir', 'Fig');
    file.changeOnDisk((csv) => csv.replace('Oak', 'Bay'));
    await file.save();
    await file.shows('Bay');
    assert.deepEqual([file.cell(22, 'prompt'), file.cell(23, 'prompt')], ['Fig', 'Bay']);

    await file.replace('Fig', 'Ivy');
    file.changeOnDisk((csv) => csv.replace(/^24.*\n/m, ''));
    await file.save();
    assert.deepEqual([file.cell(22, 'prompt'), file.cell(24, 'prompt')], ['Ivy', undefined]);
    claude.answer('Ash');
    claude.answer('Bay');
    await worker.ended;
    await file.holds({ 21: 'completed', 22: 'pending' });
  });

  it('pastes a row in one go, which is there after a save over another file', async () => {
    await workOn({ id: 31, prompt: 'Rice' });
    await editor.press('Control+End');
    await editor.page.keyboard.insertText('39,medium,.,Wheat,pending,,,no,,0,3\n');
    await file.hasUnsaved();
    await editor.queue.run(['add', 'Oats']);
    await file.save();
    assert.deepEqual([file.cell(39, 'prompt'), file.cell(32, 'prompt')], ['Wheat', 'Oats']);
    claude.answer('Rice');
    claude.answer('Oats');
    await worker.ended;
    await file.holds({ 31: 'completed', 32: 'completed', 39: 'pending' });
  });

  it('continues typing while it is saved', async () => {
    await workOn({ id: 41, prompt: 'North' }, { id: 42, prompt: 'South' });
    await file.replace('South', 'East');
    await file.isQuiet(async () => {
      for (let time = 0; time < 5; time += 1) {
        await editor.press('Control+S');
        await editor.page.keyboard.type(' and west');
        await editor.press('Control+S');
      }
      await file.hasNothingUnsaved();
    });
    await file.replace('East', 'Ease');
    await editor.queue.run(['add', 'Home']);
    await file.save();
    const typed = `Ease${' and west'.repeat(5)}`;
    await file.shows(`42,medium,.,${typed},pending`);
    assert.deepEqual([file.cell(42, 'prompt'), file.cell(43, 'prompt')], [typed, 'Home']);
    claude.answer('North');
    claude.answer('Home');
    await worker.ended;
    await file.holds({ 41: 'completed', 42: 'pending', 43: 'completed' });
  });

  it('types before the editor has noticed a write', async () => {
    await workOn({ id: 51, prompt: 'Red' }, { id: 52, prompt: 'Green' }, { id: 53, prompt: 'Blue' });
    await editor.press('Control+End');
    claude.answer('Red');
    await file.holds({ 51: 'completed' });
    await editor.page.keyboard.insertText('54,medium,.,Grey,pending,,,no,,0,3\n');
    await file.hasUnsaved();
    claude.answer('Green');
    await isShown(52, 'completed');
    await file.save();
    await file.holds({ 51: 'completed', 52: 'completed', 53: 'running', 54: 'pending' });
    claude.answer('Blue');
    await worker.ended;
  });

  it('undoes beyond a write of the program, and saves: no status is lost, and nothing runs again', async () => {
    await workOn({ id: 61, prompt: 'Iron' }, { id: 62, prompt: 'Gold' });
    await file.replace('Gold', 'Zinc');
    await file.save();
    claude.answer('Iron');
    await file.holds({ 61: 'completed' });
    await worker.ended;
    await file.shows('61,medium,.,Iron,completed');
    await file.undo();
    await file.shows('61,medium,.,Iron,running');
    await file.save();
    await file.shows('61,medium,.,Iron,completed');
    await file.holds({ 61: 'completed' });
    assert.equal((await editor.queue.task(61)).shown, 'completed');
    await editor.queue.run('work --until-empty');
    assert.equal(claude.timesAt('Iron'), 1);
  });

  it('types pending over completed: the task is pending, and needs approval', async () => {
    await workOn({ id: 71, prompt: 'Sun' });
    claude.answer('Sun');
    await worker.ended;
    await file.holds({ 71: 'completed' });
    await file.shows('71,medium,.,Sun,completed');
    await file.isOlderThan(UNSEEN_MS);
    await file.replace('completed', 'pending');
    await file.save();
    await isShown(71, 'unapproved');
    await file.holds({ 71: 'pending' });
  });

  it('reverts the file, or closes it without saving: the file catches up', async () => {
    await workOn({ id: 81, prompt: 'One' }, { id: 82, prompt: 'Two' });
    await file.replace('Two', 'Deux');
    await file.isMarked();
    claude.answer('One');
    await isShown(81, 'completed');
    assert.equal(file.cell(81, 'status'), 'running');
    await editor.runCommand('File: Revert File');
    await file.holds({ 81: 'completed', 82: 'running' });
    await file.shows('82,medium,.,Two,running');

    await file.typeRow('83,medium,.,Three,pending,,,no,,0,3');
    await file.isMarked();
    claude.answer('Two');
    await isShown(82, 'completed');
    assert.equal(file.cell(82, 'status'), 'running');
    await editor.runCommand('View: Close Editor');
    await editor.answerDialog('prompts.csv', "Don't Save");
    await file.holds({ 82: 'completed' });
    await worker.ended;
    await file.open('82,medium,.,Two,completed');
    assert.equal(file.cell(83, 'id'), undefined);
  });

  it('must choose if a script changed the same cell; neither version is lost', async () => {
    await workOn({ id: 91, prompt: 'Do' }, { id: 92, prompt: 'Re' });
    await file.replace('Re', 'Mi mine');
    file.changeOnDisk((csv) => csv.replace('Re', 'Fa theirs'));
    await editor.press('Control+S');
    await editor.notification('The queue file also changed on disk');
    await editor.notification('Failed to save');
    assert.equal(file.cell(92, 'prompt'), 'Fa theirs');
    await editor.answerNotification('Failed to save', 'Overwrite');
    await until('it is saved', () => file.cell(92, 'prompt') === 'Mi mine');
    const kept = [...editor.queue.stateFiles()].filter(([name]) => name.includes('replaced'));
    assert.deepEqual(
      kept.map(([, text]) => text.includes('Fa theirs')),
      [true],
    );
    claude.answer('Do');
    await worker.ended;
    await file.holds({ 91: 'completed', 92: 'pending' });
    await editor.runCommand('Notifications: Clear All Notifications');
  });

  it('changes the language of the file and a setting: unsaved text stays, and is saved', async () => {
    await workOn({ id: 95, prompt: 'Lead' }, { id: 96, prompt: 'Tin' });
    await file.replace('Tin', 'Brass');
    await file.isMarked();
    await editor.runCommand('Change Language Mode');
    await editor.answer('Markdown');
    const settings = join(editor.folder, 'claude_queue', 'config.yaml');
    writeFileSync(settings, 'maxPerHour: 90\n');
    claude.answer('Lead');
    await isShown(95, 'completed');
    assert.equal(file.cell(95, 'status'), 'running', 'nobody writes under unsaved changes');
    await file.save();
    await file.holds({ 95: 'completed' });
    assert.equal(file.cell(96, 'prompt'), 'Brass');
    claude.answer('Tin');
    await worker.ended;
    await editor.runCommand('Change Language Mode');
    await editor.answer('Plain Text');
  });

  it('types with auto save: half a row is saved for a while, and nothing is lost', async () => {
    const settings = join(editor.folder, '.vscode', 'settings.json');
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, '{ "files.autoSave": "afterDelay", "files.autoSaveDelay": 150 }');
    await workOn({ id: 101, prompt: 'Tea' }, { id: 102, prompt: 'Milk' });
    await editor.press('Control+End');
    await editor.page.keyboard.type('103,medium,.,Cof');
    await until('half a row is saved', () => editor.queue.read().endsWith('Cof'));
    claude.answer('Tea');
    await file.holds({ 101: 'completed', 102: 'running' });
    await editor.page.keyboard.type('fee,pending,,,no,,0,3\n', { delay: 20 });
    claude.answer('Milk');
    await file.isQuiet(() => until('the row is saved', () => file.cell(103, 'max_retries') === '3'));
    await worker.ended;
    await file.holds({ 101: 'completed', 102: 'completed', 103: 'pending' });
    await file.shows('103,medium,.,Coffee,pending,,,no,,0,3');
    await file.shows('102,medium,.,Milk,completed');
    await file.hasNothingUnsaved();
  });
});
