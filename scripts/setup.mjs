// Makes a fresh clone ready: Node, packages, the programs, a `claude` that runs. Needs nothing but Node itself, says what
// it does, and does only what is still to be done.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
export const CLAUDE = join(ROOT, 'node_modules', '.bin', 'claude');
export const CLI = join(ROOT, 'dist', 'cli.js');

/** Something is missing on this machine; the message says what to do about it. */
export class SetupFailure extends Error {}

const readJson = (...path) => JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));

/** Interval at which a long step prints that it continues. */
const PROGRESS_MS = 10_000;

/**
 * Does one thing and says on standard error what it is, what came of it and how long it took; meanwhile, how long it has
 * taken, and how large the folder that it fills has become.
 */
export async function step(what, work, folder) {
  process.stderr.write(`${what} … `);
  const startedMs = Date.now();
  const size = () => (folder === undefined ? '' : describeSize(folder));
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - startedMs) / 1000);
    process.stderr.write(`\n  ${[`${seconds} s`, size()].filter(Boolean).join(', ')} … `);
  }, PROGRESS_MS);
  try {
    const answer = (await work()) ?? (size() || 'done');
    process.stderr.write(`${answer} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)\n`);
  } finally {
    clearInterval(timer);
  }
}

/** Size of a folder on the disk, as text; empty if unknown. */
function describeSize(folder) {
  const { stdout } = spawnSync('du', ['-sk', folder], { encoding: 'utf8' });
  const kilobytes = Number.parseInt(stdout ?? '', 10);
  return Number.isNaN(kilobytes) ? '' : `${Math.round(kilobytes / 1024)} MB`;
}

/** Runs a program while others continue, and gives its exit code, all that it printed, and why it could not be started. */
export function runBeside(file, args, options) {
  return new Promise((resolve) => {
    const child = spawn(file, args, options);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', (error) => resolve({ status: null, output, error }));
    child.once('close', (status) => resolve({ status, output }));
  });
}

/** Compares versions like 20.19.0 number by number. */
export function isAtLeast(version, wanted) {
  const [has, needs] = [version, wanted].map((text) => text.split('.').map(Number));
  for (const [i, need] of needs.entries()) if (has[i] !== need) return has[i] > need;
  return true;
}

function checkNode() {
  const wanted = readJson('package.json').engines.node.replace(/^[^0-9]*/, '');
  if (isAtLeast(process.versions.node, wanted)) return;
  throw new SetupFailure(
    [
      `Node ${wanted} or newer is needed; this is Node ${process.versions.node} (${process.execPath}).`,
      'Install it from https://nodejs.org/en/download, or, where nvm is in use, run: nvm install 20',
    ].join('\n'),
  );
}

/**
 * Whether node_modules holds what package-lock.json asks for. npm notes at the end of each installation what it put
 * there; packages for other platforms are missing from that note by right.
 */
function isInstalled() {
  if (!existsSync(join(ROOT, 'node_modules', '.package-lock.json'))) return false;
  const wanted = readJson('package-lock.json').packages;
  const present = readJson('node_modules', '.package-lock.json').packages;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true;
    const found = present[path];
    return found === undefined
      ? optional === true
      : found.version === version && found.integrity === integrity;
  });
}

async function install() {
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const { error, status } = await runBeside('npm', args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (error?.code === 'ENOENT') {
    throw new SetupFailure('npm is missing. On Debian and Ubuntu run: sudo apt-get install -y npm');
  }
  if (status !== 0) {
    throw new SetupFailure(
      `npm could not install the packages (exit ${status ?? error?.message}); its own words are above. ` +
        'They come from the registry that `npm config get registry` names.',
    );
  }
}

/** Asks the installed `claude` for its version, in a home of its own so that nothing of the user's is read or written. */
function askClaudeVersion() {
  const home = mkdtempSync(join(tmpdir(), 'claude-version-'));
  try {
    return spawnSync(CLAUDE, ['--version'], {
      env: { HOME: home, PATH: process.env.PATH },
      encoding: 'utf8',
      timeout: 20_000,
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const works = (answer) => answer.status === 0 && /^\d+\.\d+\.\d+/.test(answer.stdout);

/** An npm that is set to run no install scripts leaves a placeholder: then run that one script here. */
function checkClaude() {
  let answer = askClaudeVersion();
  if (!works(answer)) {
    spawnSync(process.execPath, ['install.cjs'], {
      cwd: join(ROOT, 'node_modules', '@anthropic-ai', 'claude-code'),
      stdio: 'ignore',
    });
    answer = askClaudeVersion();
  }
  if (works(answer)) return answer.stdout.trim();
  const said = `${answer.error?.message ?? ''}${answer.stdout ?? ''}${answer.stderr ?? ''}`.trim();
  const library = /error while loading shared libraries: (\S+?):/.exec(said)?.[1];
  throw new SetupFailure(
    [
      `The installed claude does not run: ${said === '' ? `exit ${answer.status ?? answer.signal}` : said}`,
      library === undefined
        ? 'Remove the folder node_modules and try again; Linux (x64, arm64) and macOS are supported.'
        : `${library} is missing. On Debian and Ubuntu run: sudo apt-get install -y libc6 libgcc-s1 libstdc++6`,
    ].join('\n'),
  );
}

/** Installs the packages that everything else needs. Rejects with a SetupFailure if the user has to act. */
export async function ensurePackages() {
  checkNode();
  if (isInstalled()) return;
  process.stderr.write(
    'Installing the packages that package-lock.json names into node_modules: once, some 500 MB, a minute or so.\n',
  );
  await step('npm ci', install, join(ROOT, 'node_modules'));
}

/** Everything that `npm start` and `npm test` need. Rejects with a SetupFailure where the user has to act. */
export async function setUp() {
  await ensurePackages();
  await step('Building', async () => {
    const { build } = await import('./build.mjs');
    return (await build()).join(', ');
  });
  await step('Checking claude', checkClaude);
}

/** A program that only the tests need, under any of its names, and the Debian packages that bring it. */
export function program(names, debianPackages) {
  return {
    what: `the program "${names[0]}"`,
    isThere: () => findProgram(names) !== undefined,
    debianPackages,
  };
}

/** The first of these programs that is on the PATH. */
export function findProgram(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
}

/**
 * Sees to what only the tests need of the system. Installs the packages of what is missing where it has the right to,
 * and says exactly what to run where it has not.
 */
export async function ensureOnSystem(needs) {
  const missing = () => needs.filter(({ isThere }) => !isThere());
  const packages = missing().flatMap(({ debianPackages }) => debianPackages);
  if (packages.length > 0 && process.getuid?.() === 0)
    await step(`Installing ${packages.join(', ')} on this system with apt-get, as root`, () =>
      installPackages(packages),
    );
  const left = missing();
  if (left.length === 0) return;
  throw new SetupFailure(
    `Here is needed: ${left.map(({ what }) => what).join(' and ')}. On Debian and Ubuntu run: ` +
      `sudo apt-get install -y ${left.flatMap(({ debianPackages }) => debianPackages).join(' ')}`,
  );
}

async function installPackages(debianPackages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...debianPackages]]) {
    await runBeside('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 2] });
  }
}

/** Runs a script's main function and turns what it answers, or how it failed, into the exit code. */
export async function runScript(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(
      `\n${error instanceof SetupFailure ? error.message : (error.stack ?? String(error))}\n`,
    );
    process.exitCode = 1;
  }
}
