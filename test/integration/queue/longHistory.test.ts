import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputName } from '../../../src/domain/task/attempt';
import type { AttemptFilter, TaskQueue } from '../../../src/queue/taskQueue';
import type { FileSystemUnderTest } from '../../conformance/fileSystemUnderTest';
import { until } from '../../support/until';
import { eleven, openFile } from './ownedFile';

const ROWS = eleven('1,high,/w,x,pending,,,no,,0,3', '2,low,/w,y,pending,,,no,,0,3');

/** So much that the journal is large after a few steps. */
const MUCH = 'x'.repeat(300_000);

async function makeLarge(queue: TaskQueue): Promise<void> {
  for (const part of [1, 2, 3, 4, 5]) {
    await queue.hold({ by: 'person', why: MUCH }, `hold-${String(part)}`);
    await queue.resume(`resume-${String(part)}`);
  }
}

function journalsOf({ folder }: FileSystemUnderTest): string[] {
  return readdirSync(join(folder, 'state')).filter((name) => name.startsWith('journal'));
}

describe('A queue file with a long history', () => {
  it('has its journal replaced after a checkpoint, and every process continues', async () => {
    const { harness, file } = await openFile(ROWS);
    const other = await file.another();
    await makeLarge(harness.queue);
    await harness.run('success');
    await harness.queue.close();
    assert.deepEqual(journalsOf(file), ['journal', 'journal.2']);
    for (const queue of [harness.queue, other, await file.another()]) {
      assert.equal((await queue.attempts({})).length, 1);
      assert.deepEqual(
        (await queue.read()).tasks.map(({ state }) => state.status),
        ['completed', 'pending'],
      );
    }
    await harness.run('success');
    assert.equal((await other.attempts({})).length, 2);
  });

  it('answers a repeated call as before its journal was replaced', async () => {
    const { harness, file } = await openFile(ROWS);
    const row = { fields: { prompt: 'p', working_dir: '/w' } };
    const added = await harness.queue.add(row, 'add');
    await makeLarge(harness.queue);
    await harness.run('success');
    await harness.queue.close();
    assert.deepEqual(journalsOf(file), ['journal', 'journal.2']);
    assert.deepEqual(await (await file.another()).add(row, 'add'), added);
    assert.equal((await harness.queue.read()).tasks.length, 3);
  });

  it('notifies watchers, also of changes after its new journal', async () => {
    const { harness, file } = await openFile(ROWS);
    await makeLarge(harness.queue);
    await harness.run('success');
    await harness.queue.close();
    const other = await file.another();
    const end = new AbortController();
    let reported = 0;
    other.watch(() => (reported += 1), end.signal);
    await harness.queue.hold({ by: 'person', why: 'x' }, 'last');
    await until('the watcher is notified', () => reported > 0);
    end.abort();
  });

  it('returns attempts that started between two times, newest first', async () => {
    const { harness } = await openFile(ROWS);
    const { claim: first } = await harness.run('success');
    harness.clock.advance(60_000);
    const { claim: second } = await harness.run('success');
    const idsOf = async (filter: AttemptFilter): Promise<number[]> =>
      (await harness.queue.attempts(filter)).map(({ id }) => id);
    assert.deepEqual(await idsOf({ since: first.at }), [2, 1]);
    assert.deepEqual(await idsOf({ since: first.at + 1 }), [2]);
    assert.deepEqual(await idsOf({ until: second.at }), [1]);
    assert.deepEqual(await idsOf({ limit: 1 }), [2]);
  });

  it('is archived whole, and starts anew, also for open handles', async () => {
    const { harness, file } = await openFile(ROWS);
    const other = await file.another();
    await makeLarge(harness.queue);
    await harness.run('success');
    await harness.queue.close();
    await other.read();
    const archive = await harness.queue.reset();
    assert.deepEqual(
      readdirSync(archive).filter((name) => name.startsWith('journal')),
      ['journal.2'],
    );
    for (const queue of [harness.queue, other, await file.another()]) {
      assert.deepEqual(await queue.attempts({}), []);
      assert.deepEqual(
        (await queue.read()).tasks.map(({ state }) => state.status),
        ['completed', 'pending'],
      );
    }
    await harness.run('success');
    assert.equal((await other.attempts({})).length, 1);
  });

  it('keeps the output of a task in review, and logs it when it is accepted', async () => {
    const { harness, file } = await openFile(ROWS);
    const outputs = join(file.folder, 'state', 'outputs');
    mkdirSync(outputs, { recursive: true });
    for (const [id, outcome] of [[1, 'review'] as const, [2, 'success'] as const]) {
      const claimed = await harness.claim();
      const { change, attempt } = await harness.endOf(claimed, outcome);
      const output = outputName(id, attempt.number);
      writeFileSync(join(outputs, output), '{}\n');
      const end = { change, attempt: { ...attempt, output }, definition: claimed.definition };
      await harness.queue.finish(claimed.claim, end, harness.op());
    }
    const archive = await harness.queue.reset();
    assert.deepEqual(readdirSync(outputs), [outputName(1, 1)]);
    assert.deepEqual(readdirSync(join(archive, 'outputs')), [outputName(2, 1)]);
    await harness.queue.command(1, 'accept', harness.op());
    await file.settle();
    assert.match(await file.log('executed.log'), /^1,[^\n]*\n$/);
  });
});
