import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLE_PROMPT, makeQueue } from '../../../../../src/app/actions/queue/newQueue';
import { isProblem } from '../../../../../src/domain/problem';
import { cellOf, readCsv } from '../../../../../src/queue/csv/csvFile';
import { readRow } from '../../../../../src/queue/csv/row';
import { QueuePaths } from '../../../../../src/queue/queuePaths';

describe('A new queue', () => {
  let folder: string;
  let paths: QueuePaths;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'new-queue-'));
    paths = new QueuePaths(join(folder, 'claude_queue', 'prompts.csv'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const readRows = (): ReturnType<typeof readCsv> => readCsv(readFileSync(paths.file));

  it('has no row', async () => {
    await makeQueue({ paths });
    assert.deepEqual(readRows().records, []);
  });

  it('has a valid pending row as an example, if that is wanted', async () => {
    await makeQueue({ paths }, { example: true });
    const file = readRows();
    const [record, ...others] = file.records;
    assert.ok(record);
    assert.deepEqual(others, []);
    assert.equal(cellOf(file, record, 'prompt'), EXAMPLE_PROMPT);
    const context = { timeZone: 'UTC', folder, home: '/home/me', allowBypass: false };
    const reading = readRow(file, record, context);
    assert.ok('row' in reading, JSON.stringify(reading));
  });

  it('has no example in a folder that was there: another program may have left its history', async () => {
    mkdirSync(paths.folder);
    await makeQueue({ paths }, { example: true });
    assert.deepEqual(readRows().records, []);
  });

  it('replaces no file', async () => {
    await makeQueue({ paths });
    await assert.rejects(makeQueue({ paths }, { example: true }), (error) =>
      isProblem(error, 'queue-exists'),
    );
    assert.deepEqual(readRows().records, []);
  });
});
