import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProblem } from '../../../../src/domain/problem';
import { placeInConfig, readConfig } from '../../../../src/platform/files/config';

describe('A settings file', () => {
  let folder = '';
  let file = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'config-'));
    file = join(folder, 'config.yaml');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function assertRefused(path: string, message: string): Promise<void> {
    await assert.rejects(readConfig(path), (error) => {
      assert.ok(isProblem(error, 'settings-invalid'), String(error));
      assert.ok(error.message.startsWith(message), error.message);
      return true;
    });
  }

  it('has names with values', async () => {
    await writeFile(file, '# our queue\nmaxPerHour: 5\ntaskTimeout: 90m\n');
    assert.deepEqual(await readConfig(file), { maxPerHour: 5, taskTimeout: '90m' });
  });

  it('has the position of a name', async () => {
    assert.equal(await placeInConfig(file, 'pools'), null);
    await writeFile(file, '# ours\nmaxPerHour: 5\n"pools":\n  fast: {}\n');
    assert.deepEqual(await placeInConfig(file, 'pools'), { line: 3, column: 1 });
    assert.equal(await placeInConfig(file, 'fast'), null);
    assert.deepEqual(await placeInConfig(file, 'pools', 'fast'), { line: 4, column: 3 });
    assert.equal(await placeInConfig(file, 'pools', 'fast', 'max'), null);
    assert.equal(await placeInConfig(file, 'maxPerHour', 'fast'), null);
    await writeFile(file, '- a list\n');
    assert.equal(await placeInConfig(file, 'pools'), null);
  });

  it('has the position of a value whose name is missing, or a number', async () => {
    await writeFile(file, 'maxPerHour: 5\n: 3\n7: x\n');
    assert.deepEqual(await readConfig(file), { maxPerHour: 5, '': 3, '7': 'x' });
    assert.deepEqual(await placeInConfig(file, ''), { line: 2, column: 1 });
    assert.deepEqual(await placeInConfig(file, '7'), { line: 3, column: 1 });
  });

  it('is empty when it is missing or empty', async () => {
    assert.deepEqual(await readConfig(file), {});
    await writeFile(file, '# nothing yet\n');
    assert.deepEqual(await readConfig(file), {});
  });

  it('is refused with its line and column when it is not YAML', async () => {
    await writeFile(file, 'maxPerHour: 5\nmaxPerDay: [1\n');
    await assertRefused(file, `${file}:3:1 is not valid YAML: `);
    await writeFile(file, 'maxPerHour: 5\nmaxPerHour: 6\n');
    await assertRefused(file, `${file}:2:1 is not valid YAML: `);
    await writeFile(file, 'maxPerHour: *other\n');
    await assertRefused(file, `${file} is not valid YAML: `);
  });

  it('is refused if it is not a file', () =>
    assertRefused(folder, `${folder} is a folder, not a regular file.`));
});
