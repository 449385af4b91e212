import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

/** An extension as people install it. */
export interface Package {
  /** For the caller to remove. */
  readonly folder: string;
  readonly file: string;
  /** All that the packager said. */
  readonly output: string;
}

/** Builds and packs the extension, as `npm run package` does, into a folder of its own. */
export function packExtension(): Package {
  const folder = mkdtempSync(join(tmpdir(), 'claude-queue-package-'));
  const file = join(folder, 'extension.vsix');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/package.mjs', file], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const output = `${stdout}${stderr}`;
  if (status !== 0) throw new Error(`The extension could not be packed:\n${output}`);
  return { folder, file, output };
}
