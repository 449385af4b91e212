// Other releases of Claude Code that the tests run as well as the newest one, which is among the packages of this project: the
// oldest that is promised to work, one that is older still, and the one that npm installs on Node 20.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureLockedTool } from './lockedTools.mjs';
import { ROOT } from '../setup.mjs';

/** Plain JavaScript: these work without the native libraries that only pictures need. */
const PLAIN = { options: ['--omit=optional', '--ignore-scripts'], size: 'some 70 MB' };
/** A program for this system, which its own script puts in its place. */
const NATIVE = { options: [], size: 'some 240 MB' };

const RELEASES = [
  { folder: 'oldest', ...PLAIN },
  { folder: 'older', isForLong: true, ...PLAIN },
  { folder: 'node20', ...NATIVE },
].map(({ folder, ...rest }) => ({ locked: join(ROOT, 'scripts', 'claude-versions', folder), ...rest }));

function versionOf(folder) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return dependencies['@anthropic-ai/claude-code'];
}

/** Installs into .vscode-test/claude-VERSION, where it is not there already, each that `npm test`, or else `npm run test:long`, runs. */
export async function ensureOldClaudes({ isLong = false } = {}) {
  for (const { isForLong, ...release } of RELEASES)
    if (isLong || !isForLong)
      await ensureLockedTool({ name: `claude-${versionOf(release.locked)}`, ...release });
}
