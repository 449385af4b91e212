import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CLI } from '../../support/machine/cli';
import { start } from '../../support/machine/processes';

const { version } = JSON.parse(readFileSync(resolve(__dirname, '../../../package.json'), 'utf8')) as {
  version: string;
};

describe('The bundled program', () => {
  let folder: string;
  let program: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'claude-queue-bundle-'));
    program = join(folder, 'cli.js');
    copyFileSync(CLI, program);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('starts by its own name, with nothing beside it', async () => {
    assert.equal(statSync(CLI).mode & 0o111, 0o111);
    const path = `${process.execPath.replace(/\/[^/]+$/, '')}:/usr/bin:/bin`;
    const { code, stdout, stderr } = await start(program, ['--version'], {
      cwd: folder,
      env: { PATH: path, HOME: folder },
    }).ended;
    assert.deepEqual([code, stdout.trim(), stderr], [0, version, '']);
  });

  it('shows its usage', async () => {
    const { code, stdout } = await start(process.execPath, [program, '--help'], {
      cwd: folder,
      env: { HOME: folder },
    }).ended;
    assert.equal(code, 0);
    for (const command of ['init', 'check', 'status', 'run', 'work', 'trust'])
      assert.match(stdout, new RegExp(`\\b${command}\\b`));
  });
});
