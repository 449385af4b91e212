// npm run package [FILE.vsix]: makes the extension as people install it, claude-task-queue-VERSION.vsix. The packager, vsce,
// is large and nobody else needs it: it is installed into .vscode-test/vsce at its first use, exactly as
// scripts/vsce/package-lock.json has it, without its parts for publishing. It builds first (vscode:prepublish).
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT, SetupFailure, runScript, step } from './setup.mjs';

const LOCKED = join(ROOT, 'scripts', 'vsce');
const TOOL = join(ROOT, '.vscode-test', 'vsce');
const VSCE = join(TOOL, 'node_modules', '@vscode', 'vsce', 'vsce');

/** npm writes its note of what it installed at the end. */
function isInstalled() {
  const [wanted, has] = [LOCKED, TOOL].map((folder) => join(folder, 'package-lock.json'));
  return (
    existsSync(join(TOOL, 'node_modules', '.package-lock.json')) &&
    readFileSync(wanted).equals(readFileSync(has))
  );
}

function install() {
  rmSync(TOOL, { recursive: true, force: true });
  mkdirSync(TOOL, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(LOCKED, name), join(TOOL, name));
  const args = ['ci', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync('npm', args, { cwd: TOOL, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new SetupFailure(`npm could not install vsce (exit ${status ?? error?.message}).`);
}

/** There is no public address to which the README's links could be rewritten. */
const PACK = ['package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];

await runScript(async () => {
  const [file, ...more] = process.argv.slice(2);
  if (more.length > 0) throw new SetupFailure('npm run package knows one argument, the file to make.');
  if (!isInstalled()) await step('Installing vsce (once, some 100 MB)', install);
  const out = file === undefined ? [] : ['--out', resolve(file)];
  const { status } = spawnSync(process.execPath, [VSCE, ...PACK, ...out], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
});
