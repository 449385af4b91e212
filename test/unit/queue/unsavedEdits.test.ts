import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCsv } from '../../../src/queue/csv/csvFile';
import { mergeCsv } from '../../../src/queue/csv/merge';
import { baseOf, OpenEditor } from '../../../src/queue/file/editors/openEditors';
import type { Bench } from '../../conformance/bench';
import type { FileSubject } from '../../conformance/fileSubject';
import { until } from '../../support/until';
import { eleven, openFile } from './ownedFile';
import { applyEdits } from './textEdits';

const WINDOW = 77;

const PENDING = eleven('1,high,/w,x,pending,,,no,,0,3');
const COMPLETED = eleven('1,high,/w,x,completed,,,no,,0,3');
const TYPED = '2,low,/w,typed,pending,,,no,,0,3\n';

/** A queue that is open in an editor window of this machine. */
async function openInEditor(
  text: string,
): Promise<{ bench: Bench; file: FileSubject; window: OpenEditor; onDisk: () => string }> {
  const { bench, file } = await openFile(text);
  const process = { pid: WINDOW, startedAt: 'then' };
  const window = new OpenEditor(join(file.folder, 'state'), process, (one) => bench.machine.isAlive(one));
  return { bench, file, window, onDisk: () => readFileSync(file.file, 'utf8') };
}

/** What an editor says that has begun to change this text. */
function typeInto(window: OpenEditor, text: string): void {
  window.markUnsaved(baseOf(readCsv(Buffer.from(text))));
}

/** What an editor does when it has saved. */
async function settleSave(bench: Bench, window: OpenEditor): Promise<void> {
  await bench.queue.writeBack();
  await window.markSaved();
  await bench.queue.writeBack();
}

describe('A queue file with unsaved changes in an editor', () => {
  it('is left alone while tasks end, and follows when they are saved', async () => {
    const { bench, file, window, onDisk } = await openInEditor(PENDING);
    typeInto(window, PENDING);
    await bench.run('success');
    assert.equal((await bench.state(1)).status, 'completed');
    await until('the log is written', async () => (await file.log('executed.log')) !== '');
    assert.equal(onDisk(), PENDING);
    await window.markSaved();
    await until('the file is written', () => onDisk() === COMPLETED);
    assert.equal((await file.log('executed.log')).trim().split('\n').length, 1);
  });

  it('is left alone by all processes, and keeps none of them from closing', async () => {
    const { bench, file, window, onDisk } = await openInEditor(PENDING);
    typeInto(window, PENDING);
    await bench.run('success');
    const other = await file.another();
    await other.hold({ by: 'person', why: 'lunch' }, bench.op());
    await file.settle();
    assert.equal(onDisk(), PENDING);
    await other.writeBack();
    assert.equal(onDisk(), PENDING);
    await window.markSaved();
    await until('the file is written', () => onDisk() === COMPLETED);
  });

  it('keeps a result that came while the editor did not know it yet, however late it saves', async () => {
    const { bench, file, window, onDisk } = await openInEditor(PENDING);
    await bench.run('success');
    assert.equal(await file.text(), COMPLETED);
    typeInto(window, PENDING);
    await file.save(`${PENDING}${TYPED}`);
    assert.equal((await bench.state(1)).status, 'completed');
    await settleSave(bench, window);
    assert.equal(onDisk(), `${COMPLETED}${TYPED}`);
    assert.deepEqual(await bench.drain(), [2]);
  });

  it('takes what a person changed in it, against a result that they have not seen', async () => {
    const { bench, file, window, onDisk } = await openInEditor(PENDING);
    const claimed = await bench.claim();
    typeInto(window, await file.text());
    await bench.finish(claimed, 'error');
    await file.save(PENDING.replace('pending', 'cancelled'));
    await settleSave(bench, window);
    const { status, retryCount } = await bench.state(1);
    assert.deepEqual([status, retryCount], ['cancelled', 1]);
    assert.equal(onDisk(), PENDING.replace('pending', 'cancelled').replace('0,3', '1,3'));
  });

  it('takes what was changed in one save, although the next one begins with it', async () => {
    const { bench, file, window, onDisk } = await openInEditor(PENDING);
    await bench.run('permanent');
    typeInto(window, await file.text());
    await file.save(PENDING);
    await bench.queue.writeBack();
    await window.markSaved();
    typeInto(window, PENDING);
    await file.save(`${PENDING}${TYPED}`);
    await settleSave(bench, window);
    assert.equal((await bench.state(1)).status, 'pending');
    assert.equal(onDisk(), `${PENDING}${TYPED}`);
  });

  it('is written when the window has died, whose changes may still come back later', async () => {
    const { bench, file, window, onDisk } = await openInEditor(PENDING);
    typeInto(window, PENDING);
    await bench.run('success');
    await until('the log is written', async () => (await file.log('executed.log')) !== '');
    assert.equal(onDisk(), PENDING);
    bench.machine.kill(WINDOW);
    await until('the file is written', () => onDisk() === COMPLETED);
    await file.save(`${PENDING}${TYPED}`);
    await bench.queue.writeBack();
    assert.equal(onDisk(), `${COMPLETED}${TYPED}`);
  });

  it('still gets added rows, which the editor merges before it saves', async () => {
    const { bench, file, window, onDisk } = await openInEditor(PENDING);
    await bench.run('error');
    const base = await file.text();
    typeInto(window, base);
    await bench.queue.add({ cells: { prompt: 'added', working_dir: '/w' } }, bench.op());
    bench.clock.advance(3_600_000);
    await bench.run('success');
    const mine = base.replace('/w,x,', '/w,"x, typed",');
    const [baseFile, mineFile, theirs] = [base, mine, onDisk()].map((text) => readCsv(Buffer.from(text)));
    assert.ok(baseFile && mineFile && theirs);
    const merge = mergeCsv({ base: baseFile, mine: mineFile, theirs, isOwn: () => false });
    assert.equal(merge.kind, 'merged');
    await file.save(applyEdits(mine, merge.edits));
    await settleSave(bench, window);
    assert.deepEqual(
      (await file.readRows()).map((row) => [row['id'], row['prompt'], row['status'], row['retry_count']]),
      [
        ['1', 'x, typed', 'completed', '1'],
        ['2', 'added', '', ''],
      ],
    );
  });

  it('is written after a reset as before: what it is to be told, and what it is based on, is still known', async () => {
    const { bench, file, window, onDisk } = await openInEditor(PENDING);
    typeInto(window, PENDING);
    await bench.run('success');
    const archive = await bench.queue.reset();
    assert.deepEqual(await bench.queue.attempts({}), []);
    assert.match(readFileSync(join(archive, 'executed.log'), 'utf8'), /^1,/);
    assert.equal(onDisk(), PENDING);
    await file.save(PENDING);
    await settleSave(bench, window);
    assert.equal((await bench.state(1)).status, 'completed', 'what was saved had not seen it');
    await until('the file is told', () => onDisk() === COMPLETED);
    const windows = readdirSync(join(file.folder, 'state', 'windows'));
    assert.equal(windows.length, 1, 'the window is still open');
  });
});

describe('A queue', () => {
  it('is written back at once when it is asked to be', async () => {
    const { bench, onDisk } = await openInEditor(PENDING);
    const claimed = await bench.claim();
    await bench.queue.writeBack();
    assert.equal(onDisk(), PENDING.replace('pending', 'running'));
    await bench.finish(claimed, 'success');
    await bench.queue.writeBack();
    assert.equal(onDisk(), COMPLETED);
  });
});
