import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCsv } from '../../../../src/queue/csv/csvFile';
import { mergeCsv } from '../../../../src/queue/csv/threeWayMerge';
import { baseOf, OpenEditor } from '../../../../src/queue/file/editors/openEditors';
import type { Harness } from '../../../conformance/harness';
import type { FileSystemUnderTest } from '../../../conformance/fileSystemUnderTest';
import { until } from '../../../support/until';
import { eleven, openFile } from '../ownedFile';
import { applyEdits } from '../../../support/csv/textEdits';
import { StatePaths } from '../../../../src/queue/queuePaths';

const WINDOW = 77;

const PENDING = eleven('1,high,/w,x,pending,,,no,,0,3');
const COMPLETED = eleven('1,high,/w,x,completed,,,no,,0,3');
const TYPED = '2,low,/w,typed,pending,,,no,,0,3\n';

/** A queue that is open in an editor window of this machine. */
async function openInEditor(
  text: string,
): Promise<{ harness: Harness; file: FileSystemUnderTest; window: OpenEditor; onDisk: () => string }> {
  const { harness, file } = await openFile(text);
  const process = { pid: WINDOW, startedAt: 'then' };
  const window = new OpenEditor(new StatePaths(join(file.folder, 'state')), process, (one) =>
    harness.machine.isAlive(one),
  );
  return { harness, file, window, onDisk: () => readFileSync(file.file, 'utf8') };
}

/** Marks this text as changed in an editor. */
function typeInto(window: OpenEditor, text: string): void {
  window.markUnsaved(baseOf(readCsv(Buffer.from(text))));
}

/** Does what an editor does after a save. */
async function settleSave(harness: Harness, window: OpenEditor): Promise<void> {
  await harness.queue.sync();
  await window.markSaved();
  await harness.queue.sync();
}

describe('A queue file with unsaved changes in an editor', () => {
  it('is not written while tasks end, and is written after the save', async () => {
    const { harness, file, window, onDisk } = await openInEditor(PENDING);
    typeInto(window, PENDING);
    await harness.run('success');
    assert.equal((await harness.state(1)).status, 'completed');
    await until('the log is written', async () => (await file.log('executed.log')) !== '');
    assert.equal(onDisk(), PENDING);
    await window.markSaved();
    await until('the file is written', () => onDisk() === COMPLETED);
    assert.equal((await file.log('executed.log')).trim().split('\n').length, 1);
  });

  it('is written by no process, and does not block the end of one', async () => {
    const { harness, file, window, onDisk } = await openInEditor(PENDING);
    typeInto(window, PENDING);
    await harness.run('success');
    const other = await file.another();
    await other.hold({ by: 'person', why: 'lunch' }, harness.op());
    await file.settle();
    assert.equal(onDisk(), PENDING);
    await other.sync();
    assert.equal(onDisk(), PENDING);
    await window.markSaved();
    await until('the file is written', () => onDisk() === COMPLETED);
  });

  it('keeps a result that the editor has not seen, however late it saves', async () => {
    const { harness, file, window, onDisk } = await openInEditor(PENDING);
    await harness.run('success');
    assert.equal(await file.text(), COMPLETED);
    typeInto(window, PENDING);
    await file.save(`${PENDING}${TYPED}`);
    assert.equal((await harness.state(1)).status, 'completed');
    await settleSave(harness, window);
    assert.equal(onDisk(), `${COMPLETED}${TYPED}`);
    assert.deepEqual(await harness.drain(), [2]);
  });

  it("takes the user's change over a result that they have not seen", async () => {
    const { harness, file, window, onDisk } = await openInEditor(PENDING);
    const claimed = await harness.claim();
    typeInto(window, await file.text());
    await harness.finish(claimed, 'error');
    await file.save(PENDING.replace('pending', 'cancelled'));
    await settleSave(harness, window);
    const { status, retryCount } = await harness.state(1);
    assert.deepEqual([status, retryCount], ['cancelled', 1]);
    assert.equal(onDisk(), PENDING.replace('pending', 'cancelled').replace('0,3', '1,3'));
  });

  it('keeps the change of one save when the next one starts with it', async () => {
    const { harness, file, window, onDisk } = await openInEditor(PENDING);
    await harness.run('permanent');
    typeInto(window, await file.text());
    await file.save(PENDING);
    await harness.queue.sync();
    await window.markSaved();
    typeInto(window, PENDING);
    await file.save(`${PENDING}${TYPED}`);
    await settleSave(harness, window);
    assert.equal((await harness.state(1)).status, 'pending');
    assert.equal(onDisk(), `${PENDING}${TYPED}`);
  });

  it('is written after the window died, whose changes can still come back', async () => {
    const { harness, file, window, onDisk } = await openInEditor(PENDING);
    typeInto(window, PENDING);
    await harness.run('success');
    await until('the log is written', async () => (await file.log('executed.log')) !== '');
    assert.equal(onDisk(), PENDING);
    harness.machine.kill(WINDOW);
    await until('the file is written', () => onDisk() === COMPLETED);
    await file.save(`${PENDING}${TYPED}`);
    await harness.queue.sync();
    assert.equal(onDisk(), `${COMPLETED}${TYPED}`);
  });

  it('gets added rows, which the editor merges before it saves', async () => {
    const { harness, file, window, onDisk } = await openInEditor(PENDING);
    await harness.run('error');
    const base = await file.text();
    typeInto(window, base);
    await harness.queue.add({ fields: { prompt: 'added', working_dir: '/w' } }, harness.op());
    harness.clock.advance(3_600_000);
    await harness.run('success');
    const mine = base.replace('/w,x,', '/w,"x, typed",');
    const [baseFile, mineFile, theirs] = [base, mine, onDisk()].map((text) => readCsv(Buffer.from(text)));
    assert.ok(baseFile && mineFile && theirs);
    const merge = mergeCsv({ base: baseFile, mine: mineFile, theirs, isOwn: () => false });
    assert.equal(merge.kind, 'merged');
    await file.save(applyEdits(mine, merge.edits));
    await settleSave(harness, window);
    assert.deepEqual(
      (await file.readRows()).map((row) => [row['id'], row['prompt'], row['status'], row['retry_count']]),
      [
        ['1', 'x, typed', 'completed', '1'],
        ['2', 'added', '', ''],
      ],
    );
  });

  it('is written after a reset as before: pending writes and the edit base are kept', async () => {
    const { harness, file, window, onDisk } = await openInEditor(PENDING);
    typeInto(window, PENDING);
    await harness.run('success');
    const archive = await harness.queue.reset();
    assert.deepEqual(await harness.queue.attempts({}), []);
    assert.match(readFileSync(join(archive, 'executed.log'), 'utf8'), /^1,/);
    assert.equal(onDisk(), PENDING);
    await file.save(PENDING);
    await settleSave(harness, window);
    assert.equal((await harness.state(1)).status, 'completed', 'what was saved had not seen it');
    await until('the file is written', () => onDisk() === COMPLETED);
    const windows = readdirSync(join(file.folder, 'state', 'windows'));
    assert.equal(windows.length, 1, 'the window is still open');
  });
});

describe('A queue', () => {
  it('is written at once on request', async () => {
    const { harness, onDisk } = await openInEditor(PENDING);
    const claimed = await harness.claim();
    await harness.queue.sync();
    assert.equal(onDisk(), PENDING.replace('pending', 'running'));
    await harness.finish(claimed, 'success');
    await harness.queue.sync();
    assert.equal(onDisk(), COMPLETED);
  });
});
