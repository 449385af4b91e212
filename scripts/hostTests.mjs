// Runs the tests of test/host/ inside the editor: the desktop's where there is a display and it is available, else the
// host of scripts/host/. Each folder in test/host/ is a scenario: one run of the editor, on a copy of its workspace/, with
// the user's settings in its settings.json, for the user with a made-up account. TEST_QUEUE_EDITOR=oldest takes the oldest VS Code
// that the extension promises.
//   node scripts/hostTests.mjs COUNTS_FILE [-g PATTERN] [FILE ...]
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { require as requireTs } from 'tsx/cjs/api';
import { desktopVariables, hasDisplay } from './host/desktop.mjs';
import { chosenEditor } from './host/editors.mjs';
import { ensureHost } from './host/installHost.mjs';
import { ROOT, runScript } from './setup.mjs';

const SCENARIOS = join(ROOT, 'test', 'host');

const SHIM = join(ROOT, 'scripts', 'host', 'codeShim.mjs');
const LOOK_MS = 100;

/** All scenarios that have one of these files, or just all; each with the files to run. */
function findScenarios(files) {
  const wanted = files.map((file) => resolve(file));
  return readdirSync(SCENARIOS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, folder: join(SCENARIOS, name) }))
    .map(({ name, folder }) => {
      const all = readdirSync(folder).filter((file) => file.endsWith('.test.ts'));
      const chosen = all.map((file) => join(folder, file));
      return {
        name,
        folder,
        files: wanted.length === 0 ? chosen : chosen.filter((file) => wanted.includes(file)),
      };
    })
    .filter((scenario) => scenario.files.length > 0);
}

/** In a bundle every file would be in the bundle's folder. */
const OWN_FOLDERS = {
  name: 'own folders',
  setup: (bundle) =>
    bundle.onLoad({ filter: /[/\\]test[/\\].*\.ts$/ }, async ({ path }) => ({
      contents: `const __dirname = ${JSON.stringify(dirname(path))}; ${await readFile(path, 'utf8')}`,
      loader: 'ts',
    })),
};

/** The extension host knows no TypeScript. */
async function bundleTests(files, outfile) {
  await build({
    stdin: {
      contents: files.map((file) => `import ${JSON.stringify(file)};`).join('\n'),
      resolveDir: ROOT,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode'],
    plugins: [OWN_FOLDERS],
    logLevel: 'warning',
  });
}

/** The desktop's editor, or what is in its place. */
async function findEditor() {
  const { name, vscodeVersion } = chosenEditor();
  const version = name === 'oldest' ? vscodeVersion : 'stable';
  if (hasDisplay()) {
    try {
      return await downloadAndUnzipVSCode({ version, cachePath: join(ROOT, '.vscode-test') });
    } catch (error) {
      console.error(`The desktop's VS Code is not available (${error.message}); using the host from npm.`);
    }
  }
  await ensureHost({ browser: true });
  return SHIM;
}

/** Prints what is written into a file, as it grows. */
function follow(file) {
  writeFileSync(file, '');
  const open = openSync(file, 'r');
  const buffer = Buffer.alloc(1 << 16);
  const print = () => {
    for (let length; (length = readSync(open, buffer, 0, buffer.length, null)) > 0;)
      process.stdout.write(Buffer.from(buffer.subarray(0, length)));
  };
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      print();
      await sleep(LOOK_MS);
    }
    print();
    closeSync(open);
  })();
  return () => {
    isOver = true;
    return done;
  };
}

/** Runs one scenario to its end; answers its counts. */
async function runScenario({ name, folder, files }, { editor, grep }) {
  // Within the checkout: the host finds the extension of a file by its path.
  const place = mkdtempSync(join(ROOT, '.vscode-test', 'run-'));
  const { createClaudeHome } = requireTs('../test/support/claude/claudeHome.ts', import.meta.url);
  // A test that needs the stand-in of the Messages API starts one and sets its address.
  const home = createClaudeHome({ apiUrl: 'http://127.0.0.1:1', interactive: true });
  try {
    const suite = {
      testsFile: join(place, `${name}.cjs`),
      countsFile: join(place, 'counts.json'),
      reporter: join(ROOT, 'scripts', 'mochaReporter.cjs'),
      // The log of the workbench would be mixed into it, and its empty lines lost.
      ...(editor === SHIM ? { outputFile: join(place, 'output.txt') } : {}),
      ...{ grep, isForbiddingOnly: Boolean(process.env.CI), color: process.stdout.isTTY },
    };
    await bundleTests(files, suite.testsFile);
    fillHome(home, folder);
    console.log(`\nIn the ${chosenEditor().name} editor: ${name}`);
    const why = await runEditor(editor, home, suite);
    if (existsSync(suite.countsFile)) return JSON.parse(readFileSync(suite.countsFile, 'utf8'));
    console.error(`The tests of ${name} did not come to their end: ${why ?? 'the extension host died'}.`);
    return { passes: 0, failures: 1, pending: 0, failed: [] };
  } finally {
    await endWhatIsLeft(home);
    rmSync(place, { recursive: true, force: true, maxRetries: 10 });
    home.remove();
  }
}

/** A worker that a test has started continues without the editor. */
async function endWhatIsLeft(home) {
  // Elsewhere the environment of a process cannot be read.
  if (process.platform !== 'linux') return;
  const { endProcesses } = requireTs('../test/support/machine/processTable.ts', import.meta.url);
  await endProcesses(`HOME=${home.env.HOME}`);
}

const userFolderOf = (home) => join(home.folder, 'user');

/** Puts the scenario's workspace and settings where the editor finds them. */
function fillHome(home, folder) {
  const copy = (name, to) => {
    if (existsSync(join(folder, name))) cpSync(join(folder, name), to, { recursive: true });
  };
  copy('workspace', home.workspace);
  mkdirSync(join(userFolderOf(home), 'User'), { recursive: true });
  copy('settings.json', join(userFolderOf(home), 'User', 'settings.json'));
}

/** Undefined where the editor ended well. */
async function runEditor(editor, home, suite) {
  const stopFollowing = suite.outputFile === undefined ? () => undefined : follow(suite.outputFile);
  const whole = process.env;
  // runTests adds to the environment of this process and knows no way to start from nothing.
  const { NODE_V8_COVERAGE, TEST_QUEUE_EDITOR } = whole;
  process.env = { ...desktopVariables(), NODE_V8_COVERAGE, TEST_QUEUE_EDITOR };
  try {
    await runTests({
      vscodeExecutablePath: editor,
      extensionDevelopmentPath: ROOT,
      extensionTestsPath: join(ROOT, 'scripts', 'host', 'suiteEntry.cjs'),
      launchArgs: [
        home.workspace,
        `--user-data-dir=${userFolderOf(home)}`,
        `--extensions-dir=${join(home.folder, 'extensions')}`,
      ],
      extensionTestsEnv: { ...home.env, TEST_QUEUE_SUITE: JSON.stringify(suite) },
    });
    return undefined;
  } catch (error) {
    return error.message;
  } finally {
    process.env = whole;
    await stopFollowing();
  }
}

async function main(argv) {
  const options = { grep: { type: 'string', short: 'g' } };
  const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
  const [countsFile, ...files] = positionals;
  const editor = await findEditor();
  const total = { passes: 0, failures: 0, pending: 0, failed: [] };
  for (const scenario of findScenarios(files)) {
    const { failed, ...counts } = await runScenario(scenario, { editor, grep: values.grep });
    for (const name of Object.keys(counts)) total[name] += counts[name];
    total.failed.push(...failed);
  }
  writeFileSync(countsFile, JSON.stringify(total));
  return total.failures === 0 ? 0 : 1;
}

await runScript(() => main(process.argv.slice(2)));
