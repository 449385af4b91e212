// npm run package [FILE.vsix]: makes the extension as people install it, claude-task-queue-VERSION.vsix. The packager, vsce,
// is installed at its first use, without its parts for publishing. It builds first (vscode:prepublish).
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ensureLockedTool } from './tools/lockedTools.mjs';
import { ROOT, SetupFailure, runScript } from './setup.mjs';

const VSCE = {
  name: 'vsce',
  locked: join(ROOT, 'scripts', 'vsce'),
  options: ['--omit=optional', '--ignore-scripts'],
  size: 'some 100 MB',
};

/** The README's pictures, for a package whose page has no public address at which they are. */
const PICTURES = ['!media/*.gif', '!media/start.png'];

/**
 * The arguments of the packager. With the public address (`repository` in package.json) it makes the README's links lead there.
 * While that is empty they stay as they are, and the pictures are in the package.
 */
function packArguments() {
  const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const args = ['package', '--no-dependencies'];
  if (repository) return args;
  const list = join(ROOT, 'dist', '.vscodeignore');
  mkdirSync(dirname(list), { recursive: true });
  const shipped = readFileSync(join(ROOT, '.vscodeignore'), 'utf8');
  writeFileSync(list, `${[shipped.trimEnd(), ...PICTURES].join('\n')}\n`);
  return [...args, '--allow-missing-repository', '--no-rewrite-relative-links', '--ignoreFile', list];
}

await runScript(async () => {
  const [file, ...more] = process.argv.slice(2);
  if (more.length > 0) throw new SetupFailure('npm run package knows one argument, the file to make.');
  const tool = await ensureLockedTool(VSCE);
  const vsce = join(tool, 'node_modules', '@vscode', 'vsce', 'vsce');
  const out = file === undefined ? [] : ['--out', resolve(file)];
  const { status } = spawnSync(process.execPath, [vsce, ...packArguments(), ...out], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
});
