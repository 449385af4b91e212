import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProblem } from '../../../../src/domain/problem';
import {
  hasCode,
  makePrivateFolder,
  readIfThere,
  replaceDurably,
  writeAll,
  writeBeside,
} from '../../../../src/platform/files/files';

describe('Files', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-files-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('that are missing are read as null; other failures are thrown', async () => {
    assert.equal(await readIfThere(join(folder, 'none')), null);
    await assert.rejects(readIfThere(folder), (error) => isProblem(error, 'not-a-file'));
  });

  it('are replaced whole, readable by the user alone, and leave nothing beside', async () => {
    const file = join(folder, 'a');
    await replaceDurably(file, 'one');
    await replaceDurably(file, 'two');
    assert.equal(readFileSync(file, 'utf8'), 'two');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ['a']);
  });

  it('that cannot be replaced stay unchanged, with nothing beside', async () => {
    const target = join(folder, 'a');
    await makePrivateFolder(join(target, 'full'));
    await assert.rejects(replaceDurably(target, 'x'));
    assert.deepEqual(readdirSync(folder), ['a']);
    await assert.rejects(writeBeside(join(folder, 'none', 'b'), 'x', 0o600), (error) =>
      hasCode(error, 'ENOENT'),
    );
  });

  it('are written to the end if the system takes one piece at a time', async () => {
    const file = join(folder, 'a');
    writeFileSync(file, 'before ');
    const handle = await fs.open(file, 'r+');
    const whole = handle.write.bind(handle);
    Object.assign(handle, {
      write: (bytes: Buffer, from: number, length: number, at: number | null) =>
        whole(bytes, from, Math.min(length, 3), at),
    });
    await writeAll(handle, Buffer.from('all of it'), 7);
    await handle.close();
    assert.equal(readFileSync(file, 'utf8'), 'before all of it');
  });

  it('are in folders that only the user can read', async () => {
    const deep = join(folder, 'x', 'y');
    await makePrivateFolder(deep);
    await makePrivateFolder(deep);
    assert.equal(statSync(deep).mode & 0o777, 0o700);
  });
});
