// npm run package [FILE.vsix]: makes the extension as people install it, claude-task-queue-VERSION.vsix. The packager, vsce,
// is installed at its first use, without its parts for publishing. It builds first (vscode:prepublish).
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureLockedTool } from './tools/lockedTools.mjs';
import { ROOT, SetupFailure, runScript } from './setup.mjs';

const VSCE = {
  name: 'vsce',
  locked: join(ROOT, 'scripts', 'vsce'),
  options: ['--omit=optional', '--ignore-scripts'],
  size: 'some 100 MB',
};

/** There is no public address to which the README's links could be rewritten. */
const PACK = [
  ...['package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'],
  ...['--readme-path', 'dist/README.md'],
];

/** The extension's page: the README without its pictures, since the editor shows only those that have an https address. */
function writePage() {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(join(ROOT, 'dist', 'README.md'), readme.replaceAll(/^!\[.*\]\(media\/.*\)\n\n/gm, ''));
}

await runScript(async () => {
  const [file, ...more] = process.argv.slice(2);
  if (more.length > 0) throw new SetupFailure('npm run package knows one argument, the file to make.');
  const tool = await ensureLockedTool(VSCE);
  writePage();
  const vsce = join(tool, 'node_modules', '@vscode', 'vsce', 'vsce');
  const out = file === undefined ? [] : ['--out', resolve(file)];
  const { status } = spawnSync(process.execPath, [vsce, ...PACK, ...out], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
});
