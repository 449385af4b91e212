import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProblem } from '../../../src/domain/problem';
import { readConfig } from '../../../src/platform/config';

describe('A settings file', () => {
  let folder = '';
  let file = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'config-'));
    file = join(folder, 'config.yaml');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function refusal(text: string): Promise<string> {
    await writeFile(file, text);
    const error: unknown = await readConfig(file).then(assert.fail, (reason: unknown) => reason);
    assert.ok(isProblem(error, 'settings-invalid'), String(error));
    return error.message;
  }

  it('holds names with values', async () => {
    await writeFile(file, '# our queue\nmaxPerHour: 5\ntaskTimeout: 90m\n');
    assert.deepEqual(await readConfig(file), { maxPerHour: 5, taskTimeout: '90m' });
  });

  it('says nothing when it is missing or empty', async () => {
    assert.deepEqual(await readConfig(file), {});
    await writeFile(file, '# nothing yet\n');
    assert.deepEqual(await readConfig(file), {});
  });

  it('is refused with its line and column when it is not YAML', async () => {
    const message = await refusal('maxPerHour: 5\nmaxPerDay: [1\n');
    assert.ok(message.startsWith(`${file}:3:1 is not valid YAML`), message);
    assert.match(await refusal('maxPerHour: 5\nmaxPerHour: 6\n'), /:2:1 is not valid YAML/);
    assert.match(await refusal('maxPerHour: *other\n'), /is not valid YAML/);
  });

  it('is refused when it cannot be read', async () => {
    const error: unknown = await readConfig(folder).then(assert.fail, (reason: unknown) => reason);
    assert.ok(isProblem(error, 'settings-invalid'));
    assert.match(error.message, /cannot be read \(EISDIR\)/);
  });
});
