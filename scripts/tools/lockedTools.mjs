// Tools that are large and that few need: not among the packages of this project, but installed into .vscode-test/NAME at
// their first use, exactly as scripts/…/package-lock.json has them.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SetupFailure, runBeside, step } from '../setup.mjs';

/** npm writes its note of what it installed at the end. */
function isInstalled(locked, place) {
  const [wanted, has] = [locked, place].map((folder) => join(folder, 'package-lock.json'));
  return (
    existsSync(join(place, 'node_modules', '.package-lock.json')) &&
    readFileSync(wanted).equals(readFileSync(has))
  );
}

/** Put in place as a whole: two parts of a test run may install it at once. */
async function install({ name, locked, options }, place) {
  const own = `${place}.${process.pid}`;
  mkdirSync(own, { recursive: true });
  try {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(locked, file), join(own, file));
    const args = ['ci', ...options, '--no-audit', '--no-fund', '--loglevel=error'];
    const { status, error } = await runBeside('npm', args, { cwd: own, stdio: ['ignore', 2, 2] });
    if (status !== 0)
      throw new SetupFailure(`npm could not install ${name} (exit ${status ?? error?.message}).`);
    if (isInstalled(locked, place)) return;
    rmSync(place, { recursive: true, force: true });
    renameSync(own, place);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/**
 * The folder in which the tool is installed, with `node_modules` in it.
 * @param tool its `name`; `locked`, the folder of its package-lock.json; `options` for `npm ci`; `size` in words
 */
export async function ensureLockedTool(tool) {
  const place = join(ROOT, '.vscode-test', tool.name);
  if (!isInstalled(tool.locked, place))
    await step(`Installing ${tool.name} (once, ${tool.size})`, () => install(tool, place), place);
  return place;
}
