import assert from 'node:assert/strict';
import { UnsavedQueue } from '../../../../src/editor/unsaved/unsavedQueue';
import { applyEdits } from '../../../support/csv/textEdits';

const HEADER =
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries\n';
const row = (id: number, prompt: string, status: string): string =>
  `${id},medium,.,${prompt},${status},,,no,,0,3\n`;
const csv = (...rows: readonly string[]): string => HEADER + rows.join('');

const OPENED = csv(row(1, 'one', 'running'), row(2, 'two', 'pending'));
const FINISHED = csv(row(1, 'one', 'completed'), row(2, 'two', 'pending'));

/** A document, and the editor's events about it. */
class Document {
  readonly queue: UnsavedQueue;

  constructor(
    private text: string,
    private dirty = false,
  ) {
    this.queue = new UnsavedQueue(text);
  }

  /** The editor reports unsaved changes only after the first one. */
  type(text: string, byUndo = false): void {
    this.queue.change(text, { wasDirty: this.dirty, byUndo });
    if (!this.dirty) this.queue.turnDirty(null);
    this.dirty = true;
    this.text = text;
  }

  /** The editor has saved it, and reports so later. */
  isClean(): void {
    this.dirty = false;
  }

  undoTo(text: string): void {
    this.type(text, true);
  }

  /** The disk was read again. */
  reload(text: string): void {
    this.queue.change(text, { wasDirty: false, byUndo: false });
    this.dirty = false;
    this.text = text;
  }

  /** Returns the file after a save, or null if both sides changed the same. */
  save(disk: string): string | null {
    const merge = this.queue.mergeWith(Buffer.from(disk));
    if (merge.kind === 'conflict') return null;
    return merge.kind === 'same' ? this.text : applyEdits(this.text, merge.edits);
  }
}

describe('A queue file with unsaved changes', () => {
  it('has none when it is opened, or read again', () => {
    const document = new Document(OPENED);
    assert.equal(document.queue.editBase, null);
    document.reload(FINISHED);
    assert.equal(document.queue.editBase, null);
  });

  it('has the text before the first key as its edit base, although the editor reports that late', () => {
    const document = new Document(OPENED);
    document.type(`${OPENED}3`);
    assert.equal(document.queue.editBase?.text, OPENED);
    assert.deepEqual(document.queue.editBase.texts, [
      [1, ['running', '', '0']],
      [2, ['pending', '', '0']],
    ]);
  });

  it('keeps its edit base during typing, and gets another one after a save', () => {
    const document = new Document(OPENED);
    document.type(`${OPENED}3`);
    const { editBase } = document.queue;
    document.type(`${OPENED}3,`);
    assert.equal(document.queue.editBase, editBase);
    document.queue.turnClean();
    assert.equal(document.queue.editBase, null);
  });

  it('keeps a row that was pasted at once, whatever else changed on disk', () => {
    const document = new Document(OPENED);
    document.type(OPENED + row(9, 'pasted', 'pending'));
    const saved = document.save(OPENED + row(3, 'added', 'pending'));
    assert.equal(
      saved,
      csv(
        row(1, 'one', 'running'),
        row(2, 'two', 'pending'),
        row(3, 'added', 'pending'),
        row(9, 'pasted', 'pending'),
      ),
    );
  });

  it('takes a status from the disk that the user did not edit', () => {
    const document = new Document(OPENED);
    document.type(OPENED.replace('two', 'deux'));
    assert.equal(document.save(FINISHED), FINISHED.replace('two', 'deux'));
  });

  it('loses no status when an undo goes beyond a write of the program', () => {
    const document = new Document(OPENED);
    document.reload(FINISHED);
    document.undoTo(OPENED);
    assert.equal(document.save(FINISHED), FINISHED);
    document.type(OPENED.replace('two', 'deux'));
    assert.equal(document.save(FINISHED), FINISHED.replace('two', 'deux'));
  });

  it('loses no status to an undo of a saved edit', () => {
    const pending = OPENED.replace('running', 'pending');
    const document = new Document(FINISHED);
    document.type(pending);
    document.queue.turnClean();
    document.reload(FINISHED);
    document.undoTo(pending);
    assert.equal(document.save(FINISHED), FINISHED);
  });

  it('keeps a typed status over a write of the program', () => {
    const document = new Document(OPENED);
    document.type(OPENED.replace('running', 'cancelled'));
    assert.equal(document.save(FINISHED), OPENED.replace('running', 'cancelled'));
  });

  it('does not count merged text as typed', () => {
    const document = new Document(OPENED);
    document.type(OPENED.replace('two', 'deux'));
    const merged = document.save(FINISHED) ?? '';
    document.type(merged);
    const failed = FINISHED.replace('completed', 'failed');
    assert.equal(document.save(failed), failed.replace('two', 'deux'));
  });

  it('keeps text that is typed during the save', () => {
    const document = new Document(OPENED);
    const first = OPENED.replace('two', 'tw');
    const second = OPENED.replace('two', 't');
    document.type(first);
    document.queue.startSave();
    document.type(second);
    document.queue.endSave(Buffer.from(first));
    assert.equal(document.queue.editBase?.text, first);
    assert.equal(document.save(first + row(3, 'added', 'pending')), second + row(3, 'added', 'pending'));
  });

  it('has nothing unsaved after a save with the last key', () => {
    const document = new Document(OPENED);
    document.queue.startSave();
    document.type(FINISHED);
    document.queue.endSave(Buffer.from(`\ufeff${FINISHED}`));
    assert.equal(document.queue.editBase, null);
  });

  it('has the saved text as its edit base if the first key came before the disk was read', () => {
    const first = OPENED.replace('two', 'deux');
    const second = first.replace('deux', 'deux et trois');
    const document = new Document(OPENED);
    document.type(first);
    document.queue.startSave();
    document.isClean();
    document.type(second);
    document.queue.endSave(Buffer.from(first));
    assert.equal(document.queue.editBase?.text, first);
    assert.equal(document.save(first + row(3, 'added', 'pending')), second + row(3, 'added', 'pending'));
  });

  it('has the saved text as its edit base if the document was clean when the save started, and the save included some keys', () => {
    const [first, second] = ['deux', 'deux et trois'].map((words) => OPENED.replace('two', words));
    assert.ok(first !== undefined && second !== undefined);
    const document = new Document(OPENED);
    document.queue.startSave();
    document.type(first);
    document.type(second);
    document.queue.endSave(Buffer.from(first));
    assert.equal(document.queue.editBase?.text, first);
    assert.equal(document.save(first + row(3, 'added', 'pending')), second + row(3, 'added', 'pending'));
  });

  it('that a restart restored has its stored edit base', () => {
    const document = new Document(OPENED.replace('two', 'deux'), true);
    document.queue.turnDirty(OPENED);
    assert.equal(document.queue.editBase?.text, OPENED);
    assert.equal(document.save(FINISHED), FINISHED.replace('two', 'deux'));
  });

  it('that a restart restored is not merged without its edit base', () => {
    const typed = OPENED.replace('two', 'deux');
    const document = new Document(typed, true);
    document.queue.turnDirty(null);
    assert.equal(document.queue.editBase?.text, null);
    assert.equal(document.save(FINISHED), null);
    assert.equal(document.save(typed), typed);
  });

  it('reports a conflict if both sides changed one cell', () => {
    const document = new Document(OPENED);
    document.type(OPENED.replace('two', 'deux'));
    assert.equal(document.save(OPENED.replace('two', 'zwei')), null);
  });

  it('recognizes a row that was cut and pasted', () => {
    const document = new Document(OPENED);
    document.type(csv(row(2, 'two', 'pending')));
    document.type(csv(row(2, 'two', 'pending'), row(1, 'one', 'running')));
    assert.equal(document.save(FINISHED), csv(row(2, 'two', 'pending'), row(1, 'one', 'completed')));
  });
});
