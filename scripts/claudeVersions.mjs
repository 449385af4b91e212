// Older releases of Claude Code that the tests run as well as the newest one, which is among the packages of this project:
// the oldest that is promised to work, and one that is older still. Both are plain JavaScript.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureLockedTool } from './lockedTools.mjs';
import { ROOT } from './setup.mjs';

const FOLDERS = ['oldest', 'older'].map((name) => join(ROOT, 'scripts', 'claude-versions', name));

function versionOf(folder) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return dependencies['@anthropic-ai/claude-code'];
}

/** Installs each into .vscode-test/claude-VERSION, where it is not there already. */
export async function ensureOldClaudes() {
  for (const locked of FOLDERS)
    await ensureLockedTool({
      name: `claude-${versionOf(locked)}`,
      locked,
      // They work without the native libraries that only pictures need.
      options: ['--omit=optional', '--ignore-scripts'],
      size: 'some 70 MB',
    });
}
