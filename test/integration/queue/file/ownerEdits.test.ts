import assert from 'node:assert/strict';
import { readFile, rename, utimes, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { approvalOf } from '../../../../src/domain/task/approval';
import type { EpochMs } from '../../../../src/domain/time/epoch';
import { isProblem } from '../../../../src/domain/problem';
import { UNSEEN_MS, type Entry, type CheckpointIntent } from '../../../../src/queue/file/fileState';
import { OpenEditor } from '../../../../src/queue/file/editors/openEditors';
import { linesIn } from '../../../../src/queue/file/journal/journalLine';
import { StatePaths } from '../../../../src/queue/queuePaths';
import { HOUR, type Harness } from '../../../conformance/harness';
import { save, type FileSystemUnderTest } from '../../../conformance/fileSystemUnderTest';
import { eleven, HEADER, openFile } from '../ownedFile';

const limit = (resetAt: number) => ({ signal: { kind: 'five_hour', resetAt, message: 'limit' } as const });

async function approveOnly(harness: Harness, ...ids: readonly number[]): Promise<void> {
  const approvals = await Promise.all(ids.map(async (id) => approvalOf(await harness.state(id))));
  harness.approvedRows = { trusted: false, approvals: new Set(approvals) };
}

describe('A queue file that the user edits', () => {
  it('keeps every byte except those of changed cells', async () => {
    const dialects = [
      eleven('1,high,/w,"Say ""hi"", twice\nplease",pending,,,no,,0,3', '', '2,low,/w,x,pending,,1,no,,0,3'),
      `\ufeff${eleven('1,high,/w,Say hi,"pending",,,no,,0,3').replaceAll('\n', '\r\n')}`,
      eleven('1,high,/w,Say hi,pending,,,no,,0,3').replaceAll(',', ';'),
      'prompt,notes,status,id,working_dir\nSay hi, keep  me ,pending,1,/w\n',
      `${HEADER},mine\n1,high,/w,Say hi,Pending,,,no,,,,"my, own"`,
    ];
    for (const text of dialects) {
      const { harness, file } = await openFile(text);
      const claimed = await harness.claim();
      assert.equal(await file.text(), text.replace(/pending/i, 'running'));
      await harness.finish(claimed, 'success');
      assert.equal(await file.text(), text.replace(/pending/i, 'completed'));
    }
  });

  it('gets the retry count and, at a limit, the reset rounded up to the minute, and loses it again', async () => {
    const { harness, file } = await openFile(eleven('1,high,/w,x,pending,,,no,,0,3'));
    await harness.run('error');
    assert.equal(await file.text(), eleven('1,high,/w,x,pending,,,no,,1,3'));
    harness.clock.advance(HOUR);
    await harness.run('limit', limit(Date.parse('2026-03-02T14:10:20Z')));
    assert.equal(await file.text(), eleven('1,high,/w,x,pending,2026-03-02 14:11,,no,,1,3'));
    harness.clock.advance(4 * HOUR);
    const claimed = await harness.claim();
    assert.equal(await file.text(), eleven('1,high,/w,x,running,,,no,,1,3'));
    await harness.finish(claimed, 'success');
    assert.equal(await file.text(), eleven('1,high,/w,x,completed,,,no,,1,3'));
  });

  it("keeps the user's own time through a limit", async () => {
    const { harness, file } = await openFile(eleven('1,high,/w,x,pending,2026-03-02 09:00,,no,,0,3'));
    await harness.run('limit', limit(harness.now + HOUR));
    harness.clock.advance(HOUR);
    await harness.run('success');
    assert.equal(await file.text(), eleven('1,high,/w,x,completed,2026-03-02 09:00,,no,,0,3'));
  });

  it('with nine columns gets no other column, and still counts retries', async () => {
    const nine = 'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval\n';
    const { harness, file } = await openFile(`${nine}1,high,/w,x,pending,,,no,\n`);
    for (const wait of [HOUR, HOUR, 0]) {
      await harness.run('error');
      harness.clock.advance(wait);
    }
    assert.equal(await file.text(), `${nine}1,high,/w,x,failed,,,no,\n`);
    assert.equal((await harness.state(1)).retryCount, 3);
  });

  it('without a status column stays unchanged, and its tasks run only once', async () => {
    const text = 'id,working_dir,prompt\n1,/w,x\n';
    const { harness, file } = await openFile(text);
    assert.deepEqual(await harness.drain(), [1]);
    assert.equal(await file.text(), text);
  });

  it("has the user's edits of each shared cell imported", async () => {
    const { harness, file } = await openFile(eleven('1,high,/w,x,pending,,,no,,0,3'));
    await harness.run('error');
    await file.save(eleven('1,high,/w,x,pending,2026-03-02 11:30,,no,,2,3'));
    const { retryCount, ownerScheduledAt } = await harness.state(1);
    assert.deepEqual([retryCount, ownerScheduledAt], [2, Date.parse('2026-03-02T11:30:00Z')]);
    await file.save(eleven('1,high,/w,x,cancelled,2026-03-02 11:30,,no,,2,3'));
    assert.equal((await harness.state(1)).status, 'cancelled');
    await harness.queue.approve([], harness.op());
    assert.equal(await file.text(), eleven('1,high,/w,x,cancelled,2026-03-02 11:30,,no,,2,3'));
  });

  it('has edits imported that were made while no process ran', async () => {
    const { harness, file } = await openFile(eleven('1,high,/w,x,pending,,,no,,0,3'));
    await harness.run('error');
    await file.save(eleven('1,high,/w,x,pending,,,no,,0,3', '2,low,/w,y,pending,,,no,,0,3'));
    const later = await file.another();
    const { tasks } = await later.read();
    assert.deepEqual(
      tasks.map(({ definition, state }) => [definition.id, state.retryCount]),
      [
        [1, 0],
        [2, 0],
      ],
    );
  });

  it('needs approval for a completed task that an undo made pending', async () => {
    const before = eleven('1,high,/w,x,pending,,,no,,0,3');
    const { harness, file } = await openFile(before);
    await approveOnly(harness, 1);
    await harness.run('success');
    await file.save(before);
    assert.equal((await harness.why(1)).state, 'unapproved');
    await harness.idle();
    await harness.queue.approve([await harness.state(1)], harness.op());
    assert.deepEqual(await harness.drain(), [1]);
  });

  it('keeps a result if an editor that has not seen it saves at once', async () => {
    const { harness, file, checkpointedAt } = await completeInOneCheckpoint(
      eleven('1,high,/w,x,pending,,,no,,0,3'),
    );
    assert.equal(await file.text(), eleven('1,high,/w,x,completed,,,no,,0,3'));
    await writeFile(file.file, eleven('1,high,/w,x,pending,,,no,,0,3', '2,low,/w,typed,pending,,,no,,0,3'));
    // As at once, however late it is by now.
    const savedAt = (checkpointedAt + UNSEEN_MS / 2) / 1_000;
    await utimes(file.file, savedAt, savedAt);
    assert.deepEqual(await harness.drain(), [2], 'the new row counts, the old status does not');
    assert.equal(
      await file.text(),
      eleven('1,high,/w,x,completed,,,no,,0,3', '2,low,/w,typed,completed,,,no,,0,3'),
    );
  });

  it('keeps a result if an editor that has not seen it leaves the row invalid for a while', async () => {
    const row = '1,high,/w,x,pending,,,no,,0,3';
    const { harness, file, checkpointedAt } = await completeInOneCheckpoint(eleven(row));
    await writeFile(file.file, eleven(row.replace('high', 'urgent')));
    const savedAt = (checkpointedAt + UNSEEN_MS / 2) / 1_000;
    await utimes(file.file, savedAt, savedAt);
    assert.deepEqual(await harness.drain(), []);
    await file.save(eleven(row));
    assert.deepEqual(await harness.drain(), []);
    assert.equal(await file.text(), eleven(row.replace('pending', 'completed')));
  });

  it('imports a status that the user changed while the row was invalid', async () => {
    const row = '1,high,/w,x,pending,,,no,,0,3';
    const { harness, file } = await openFile(eleven(row));
    await harness.run('success');
    await file.save(eleven(row.replace('high', 'urgent').replace('pending', 'cancelled')));
    assert.deepEqual(await harness.drain(), []);
    await file.save(eleven(row.replace('pending', 'cancelled')));
    assert.equal((await harness.state(1)).status, 'cancelled');
  });

  it('keeps a result if an editor saves much later with the earlier status', async () => {
    const { harness, file } = await openFile(eleven('1,high,/w,x,pending,,,no,,0,3'));
    const claimed = await harness.claim();
    const seen = await file.text();
    await harness.finish(claimed, 'success');
    await file.save(seen.replace('x', 'x').concat('2,low,/w,typed,pending,,,no,,0,3\n'));
    assert.deepEqual(await harness.drain(), [2]);
    assert.equal((await harness.state(1)).status, 'completed');
  });

  it("accepts the user's undo of a written cell once it could be seen", async () => {
    const { harness, file } = await openFile(eleven('1,high,/w,x,pending,,,no,,0,3'));
    await harness.run('permanent');
    assert.equal(await file.text(), eleven('1,high,/w,x,failed,,,no,,0,3'));
    await file.save(eleven('1,high,/w,x,pending,,,no,,0,3'));
    assert.deepEqual(await harness.drain(), [1]);
  });

  it('changes no task while it is empty, half-written, or ends inside a record', async () => {
    const whole = eleven('1,high,/w,x,pending,,,no,,0,3', '2,low,/w,"y, z",pending,,,no,,0,3');
    for (const broken of ['', HEADER.slice(0, 20), whole.slice(0, whole.indexOf('y, z') + 2)]) {
      const { harness, file } = await openFile(whole);
      const claimed = await harness.claim();
      await harness.queue.approve([], harness.op());
      await file.save(broken);
      await harness.finish(claimed, 'success');
      assert.equal((await harness.queue.read()).problems.length, 1);
      assert.equal(await file.text(), broken, 'nothing is written into it');
      await assert.rejects(harness.idle(), (error) => isProblem(error, 'queue-incomplete'));
      await assert.rejects(
        harness.queue.add({ fields: { prompt: 'p', working_dir: '/w' } }, harness.op()),
        (error) => isProblem(error, 'queue-incomplete') && error.message.includes('prompts.csv:'),
      );
      await file.save(whole.replace('x,pending', 'x,running'));
      assert.deepEqual(await harness.drain(), [2]);
      assert.equal((await harness.state(1)).status, 'completed');
    }
  });

  it('shows no task as completed that never ran, however soon another row replaces one', async () => {
    const { harness, file } = await openFile(eleven('1,high,/w,branch A,pending,,,no,,0,3'));
    await harness.run('success');
    assert.match(await file.text(), /completed/);
    await file.save(eleven('1,high,/w,branch B,pending,,,no,,0,3'));
    assert.equal((await harness.state(1)).status, 'pending');
    await file.settle();
    assert.match(await file.text(), /branch B,pending/);
  });

  it('has its logs written while it is invalid', async () => {
    const { harness, file } = await openFile(eleven('1,high,/w,x,pending,,,no,,0,3'));
    const claimed = await harness.claim();
    await file.save('');
    await harness.finish(claimed, 'success');
    await file.settle();
    assert.match(await file.log('executed.log'), /^1,.*,x\n$/);
  });

  it('has deleted rows dropped only when it is whole', async () => {
    const { harness, file } = await openFile(
      eleven('1,high,/w,x,pending,,,no,,0,3', '2,low,/w,y,pending,,,no,,0,3'),
    );
    await harness.run('error');
    await file.save(eleven('2,low,/w,y,pending,,,no,,0,3', 'x,low,/w,no id,pending,,,no,,0,3'));
    await harness.queue.approve([], harness.op());
    await file.save(eleven('1,high,/w,x,pending,,,no,,1,3', '2,low,/w,y,pending,,,no,,0,3'));
    assert.equal(
      (await harness.state(1)).lastOutcome,
      'error',
      'the row may have been the one without an id',
    );
    await file.save(eleven('2,low,/w,y,pending,,,no,,0,3'));
    assert.deepEqual(await harness.drain(), [2]);
    assert.deepEqual((await harness.queue.read()).problems, []);
  });

  it('is read again if the header gives cells another meaning', async () => {
    const { harness, file } = await openFile('id,prio,working_dir,prompt\n1,low,/w,x\n2,high,/w,y\n');
    assert.equal((await harness.task(1))?.definition.priority, 'medium');
    await file.save('id,priority,working_dir,prompt\n1,low,/w,x\n2,high,/w,y\n');
    assert.equal((await harness.task(1))?.definition.priority, 'low');
  });

  it('gets new rows in its dialect', async () => {
    const { harness, file } = await openFile('id;working_dir;prompt\r\n7;/w;x');
    await harness.queue.add({ fields: { prompt: 'a;b', working_dir: '/w' } }, harness.op());
    assert.equal(await file.text(), 'id;working_dir;prompt\r\n7;/w;x\r\n8;/w;"a;b"');
  });

  it('that is missing is reported with a remedy', async () => {
    const { harness, file } = await openFile(eleven());
    await rename(file.file, `${file.file}.away`);
    await assert.rejects(
      harness.queue.read(),
      (error) => isProblem(error, 'queue-missing') && error.message.includes('claude-queue init'),
    );
    await assert.rejects(harness.ask(), (error) => isProblem(error, 'queue-missing'));
    await rename(`${file.file}.away`, file.file);
    await harness.idle();
  });
});

/**
 * Returns a file whose task went from `pending` to `completed` in one checkpoint, and the checkpoint's time. On a
 * slow machine one may come between and write `running`: then another file is tried.
 */
async function completeInOneCheckpoint(
  text: string,
): Promise<{ harness: Harness; file: FileSystemUnderTest; checkpointedAt: EpochMs }> {
  for (;;) {
    const { harness, file } = await openFile(text);
    await harness.run('success');
    await file.settle();
    const [checkpoint, ...more] = await checkpointsOf(file);
    if (checkpoint !== undefined && more.length === 0)
      return { harness, file, checkpointedAt: checkpoint.at };
  }
}

/** Returns the journal's records of the checkpoints that wrote the file. */
async function checkpointsOf({ folder }: FileSystemUnderTest): Promise<CheckpointIntent[]> {
  const bytes = await readFile(path.join(folder, 'state', 'journal'));
  const checkpoints = [...linesIn<Entry>(bytes, 0)].flatMap(({ line }) => line.entry?.fold ?? []);
  return checkpoints.filter(({ result }) => result !== null);
}

describe('An edit that brings back an earlier version', () => {
  it('counts, also where that version was the base of a window that has saved since', async () => {
    const earlier = eleven('1,low,/w,x,pending,,,no,,0,3');
    const { harness, file } = await openFile(eleven('1,high,/w,x,pending,,,no,,0,3'));
    const state = new StatePaths(path.join(file.folder, 'state'));
    const window = new OpenEditor(state, { pid: 7, startedAt: 'then' }, () => true);
    window.markUnsaved([[1, ['pending', '', '0']]]);
    await save(file.file, earlier);
    await harness.queue.sync();
    await save(file.file, eleven('1,low,/w,x,completed,,,no,,0,3'));
    await (await file.another()).sync();
    await window.markSaved();
    await save(file.file, earlier);
    await harness.queue.sync();
    assert.equal((await harness.state(1)).status, 'pending');
  });

  it('has the time that a command set, whatever an editor with unsaved changes started from', async () => {
    const { harness, file } = await openFile(eleven('1,high,/w,x,pending,2026-12-24 10:00,,no,,0,3'));
    const state = new StatePaths(path.join(file.folder, 'state'));
    new OpenEditor(state, { pid: 7, startedAt: 'then' }, () => true).markUnsaved([
      [1, ['pending', '2026-12-24 10:00', '0']],
    ]);
    const { ownerScheduledAt } = await harness.state(1);
    assert.notEqual(ownerScheduledAt, null);
    await harness.queue.edit(1, { scheduled_time: '' }, harness.op());
    assert.equal((await harness.state(1)).ownerScheduledAt, null);
    await harness.queue.edit(1, { scheduled_time: '2026-12-24 10:00' }, harness.op());
    assert.equal((await harness.state(1)).ownerScheduledAt, ownerScheduledAt);
  });
});
