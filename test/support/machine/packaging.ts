import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

const createFolder = (): string => mkdtempSync(join(tmpdir(), 'claude-queue-package-'));

/** Builds and packs the extension, as `npm run package` does, into a folder of its own. */
export function packExtension(): Package {
  return pack(ROOT, createFolder());
}

/**
 * Packs the extension as it was built last, from a copy whose manifest has this public address, as a publisher fills it in.
 */
export function packExtensionFor(repository: string): Package {
  const folder = createFolder();
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  for (const name of [
    '.vscodeignore',
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'l10n',
    'media',
    'scripts',
  ])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  for (const name of readdirSync(ROOT).filter((each) => each.startsWith('package.nls.')))
    cpSync(join(ROOT, name), join(copy, name));
  for (const name of ['node_modules', '.vscode-test']) symlinkSync(join(ROOT, name), join(copy, name));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object;
  const unbuilt = { ...manifest, repository, scripts: {} };
  writeFileSync(join(copy, 'package.json'), JSON.stringify(unbuilt));
  return pack(copy, folder);
}

function pack(root: string, folder: string): Package {
  const file = join(folder, 'extension.vsix');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/package.mjs', file], {
    cwd: root,
    encoding: 'utf8',
  });
  const output = `${stdout}${stderr}`;
  if (status !== 0) throw new Error(`The extension could not be packed:\n${output}`);
  return { folder, file, output };
}
