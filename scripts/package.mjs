// npm run package [FILE.vsix]: makes the extension as people install it, claude-task-queue-VERSION.vsix. The packager, vsce,
// is installed at its first use, without its parts for publishing. It builds first (vscode:prepublish).
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { ensureLockedTool } from './lockedTools.mjs';
import { ROOT, SetupFailure, runScript } from './setup.mjs';

const VSCE = {
  name: 'vsce',
  locked: join(ROOT, 'scripts', 'vsce'),
  options: ['--omit=optional', '--ignore-scripts'],
  size: 'some 100 MB',
};

/** There is no public address to which the README's links could be rewritten. */
const PACK = ['package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];

await runScript(async () => {
  const [file, ...more] = process.argv.slice(2);
  if (more.length > 0) throw new SetupFailure('npm run package knows one argument, the file to make.');
  const tool = await ensureLockedTool(VSCE);
  const vsce = join(tool, 'node_modules', '@vscode', 'vsce', 'vsce');
  const out = file === undefined ? [] : ['--out', resolve(file)];
  const { status } = spawnSync(process.execPath, [vsce, ...PACK, ...out], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
});
