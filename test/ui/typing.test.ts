import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Running } from '../support/processes';
import type { RowCells } from '../support/rows';
import { until } from '../support/until';
import { QueueEditor, SlowClaude } from './queueEditor';
import { openWorkbench } from './workbench';
import type { Workbench } from './workbench';

const SHOWN_AS = (row: RowCells): string => `${row.id},medium,.,${row.prompt}`;

describe('A person who types in the queue file while a worker works', () => {
  const claude = new SlowClaude();
  let editor: Workbench;
  let file: QueueEditor;
  let worker: Running;

  before(async () => {
    editor = await openWorkbench({ settings: { 'files.autoSave': 'off' }, respond: claude.respond });
    file = new QueueEditor(editor, editor.queue.file);
    await file.open('SDK');
  });

  after(() => editor.close());

  /** Puts these rows into the file, approves them, and begins to work on them. */
  async function workOn(...rows: readonly RowCells[]): Promise<void> {
    editor.queue.write(rows);
    await editor.queue.run('approve --all');
    worker = editor.queue.start('work --until-empty');
    const [first] = rows;
    assert.ok(first);
    await claude.isAt(first.prompt);
    await file.holds({ [first.id]: 'running' });
    await file.shows(`${SHOWN_AS(first)},running`);
  }

  async function isShown(id: number, shown: string): Promise<void> {
    await until(`task ${id} is ${shown}`, async () => (await editor.queue.task(id)).shown === shown);
  }

  it('saves a new row and an edited prompt; what finished meanwhile is in the file', async () => {
    await workOn({ id: 11, prompt: 'Hearts' }, { id: 12, prompt: 'Spades' }, { id: 13, prompt: 'Clubs' });
    await file.typeRow('14,medium,.,Diamonds,pending,,,no,,0,3');
    await file.replace('Clubs', 'Clovers');
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
});
