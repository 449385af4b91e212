import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeFileRule } from '../../../../../src/app/actions/tasks/grantedFiles';

describe('A rule for a file that Claude was refused', () => {
  let folder: string;
  let queue: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'granted-'));
    queue = join(folder, 'claude_queue');
    mkdirSync(queue);
    writeFileSync(join(folder, 'there.txt'), '');
    symlinkSync(queue, join(folder, 'link'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const judge = (tool: string, ...names: string[]): Promise<string | null> =>
    judgeFileRule(`${tool}(/${join(folder, ...names)})`, [queue]);

  it('is available for an existing file, and for a new one in an existing folder', async () => {
    assert.deepEqual(
      [await judge('Read', 'there.txt'), await judge('Edit', 'there.txt'), await judge('Edit', 'new.txt')],
      [null, null, null],
    );
    assert.equal(await judgeFileRule('Bash(make)', [queue]), null);
  });

  it('is not available for a folder or a place where one could be made', async () => {
    assert.match((await judge('Read', 'link')) ?? '', /it is a folder/);
    assert.match((await judge('Edit')) ?? '', /it is a folder/);
    assert.match((await judge('Read', 'new.txt')) ?? '', /does not exist/);
    assert.match((await judge('Edit', 'new', 'a.txt')) ?? '', /its folder does not exist/);
  });

  it('is not available for protected files, also by a link; reading them is', async () => {
    writeFileSync(join(queue, 'prompts.csv'), '');
    for (const names of [['claude_queue', 'prompts.csv'], ['link', 'new.csv'], ['claude_queue']]) {
      assert.match((await judge('Edit', ...names)) ?? '', /^no attempt may edit/);
    }
    assert.equal(await judge('Read', 'link', 'prompts.csv'), null);
  });
});
