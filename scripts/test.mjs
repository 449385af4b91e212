// npm test: sets up, runs every test, measures coverage, and says what came of it: the tests that need no editor, and beside
// them those inside the editor (test/host/) and before it (test/ui/), which mostly wait. With arguments (files, -g PATTERN and the
// like, as mocha takes them) only a part, without coverage; tests with the editor run if their files are named. The last
// line is `N passed, N failed`.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { RAW_COVERAGE, clearCoverage, reportCoverage } from './coverage.mjs';
import { ensureHost } from './host/installHost.mjs';
import { ROOT, ensureOnSystem, program, runScript, setUp } from './setup.mjs';

const MOCHA = join(ROOT, 'node_modules', '.bin', 'mocha');
const UI_TIMEOUT_MS = 120_000;

const mocha = (countsFile, words) => [
  MOCHA,
  ...['--reporter', 'scripts/mochaReporter.cjs', '--reporter-option', `countsFile=${countsFile}`],
  ...(process.env.CI ? ['--forbid-only'] : []),
  ...words,
];

const isIn = (folder) => (file) => relative(ROOT, file).startsWith(join('test', folder));

/** The parts of a run: which files are whose, all of them where none is named, and the command that runs them. */
const PARTS = [
  {
    name: 'the tests without the editor',
    owns: (file) => !isIn('host')(file) && !isIn('ui')(file),
    all: ['--ignore', 'test/host/**', '--ignore', 'test/ui/**', 'test/**/*.test.ts'],
    command: mocha,
  },
  {
    name: 'the tests inside the editor',
    owns: isIn('host'),
    all: [],
    command: (countsFile, words) => [process.execPath, 'scripts/hostTests.mjs', countsFile, ...words],
  },
  {
    name: 'the tests before the editor',
    owns: isIn('ui'),
    all: ['test/ui/**/*.test.ts'],
    prepare: () => ensureHost({ browser: true }),
    command: (countsFile, words) => mocha(countsFile, ['--timeout', String(UI_TIMEOUT_MS), ...words]),
  },
];

/** What each part is to be called with; parts of which no file was named are left out. */
function planRun(args) {
  const isFile = (word) => /\.test\.ts$|^test\//.test(word);
  const files = args.filter(isFile);
  const options = args.filter((word) => !isFile(word));
  if (args.length === 0) return PARTS.map((part) => ({ part, words: part.all }));
  if (files.length === 0) return [{ part: PARTS[0], words: [...options, ...PARTS[0].all] }];
  return PARTS.map((part) => ({ part, own: files.filter(part.owns) }))
    .filter(({ own }) => own.length > 0)
    .map(({ part, own }) => ({ part, words: [...options, ...own] }));
}

/**
 * The counts of a part; one that crashed, or that ran nothing, has failed whatever else it says. `output`: where what it
 * prints goes, `inherit` or a file.
 */
async function runPart({ part, words }, env, output) {
  const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-test-'));
  const countsFile = join(folder, 'counts.json');
  const failed = (why) => ({ passes: 0, failures: 1, pending: 0, why: `${why} (${part.name})` });
  try {
    const [command, ...args] = part.command(countsFile, words);
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', output, output] });
    const status = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (!existsSync(countsFile)) return failed('The run did not come to its end.');
    const counts = JSON.parse(readFileSync(countsFile, 'utf8'));
    if (counts.passes + counts.failures === 0) return failed('No test ran.');
    if (status === 0 || counts.failures > 0) return counts;
    return { ...counts, why: `The run ended with exit code ${status} (${part.name}).` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One part after another, beside the one that a person sees at work; what they printed is shown by `print`. */
async function runBeside(parts, env) {
  const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-test-'));
  const file = join(folder, 'output');
  const output = openSync(file, 'w');
  const all = [];
  try {
    for (const planned of parts) all.push(await runPart(planned, env, output));
  } finally {
    closeSync(output);
  }
  const print = () => {
    process.stdout.write(readFileSync(file));
    rmSync(folder, { recursive: true, force: true });
  };
  return { all, print };
}

async function main(args) {
  const total = { passes: 0, failures: 0, pending: 0 };
  let isGood = false;
  // Whatever ends this, a line says so; what did not come to its end has failed.
  process.on('exit', () =>
    console.log(`${total.passes} passed, ${isGood ? 0 : Math.max(1, total.failures)} failed`),
  );
  await setUp();
  // What macOS and others have instead of /proc is tested here too.
  await ensureOnSystem([program(['ps'], ['procps'])]);
  const isWhole = args.length === 0;
  if (isWhole) clearCoverage();
  const env = isWhole ? { ...process.env, NODE_V8_COVERAGE: RAW_COVERAGE } : process.env;
  const [seen, ...others] = planRun(args);
  for (const { part } of [seen, ...others]) await part.prepare?.();
  const [first, beside] = await Promise.all([runPart(seen, env, 'inherit'), runBeside(others, env)]);
  beside.print();
  const whys = [];
  for (const counts of [first, ...beside.all]) {
    for (const name of Object.keys(total)) total[name] += counts[name];
    if (counts.why) whys.push(counts.why);
  }
  for (const why of whys) console.error(why);
  if (total.pending > 0) console.log(`${total.pending} skipped`);
  const isCovered = !isWhole || reportCoverage();
  isGood = total.failures === 0 && whys.length === 0 && isCovered;
  return isGood ? 0 : 1;
}

await runScript(() => main(process.argv.slice(2)));
