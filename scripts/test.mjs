// npm test: sets up, runs every test that is not slow, measures coverage, and says what came of it. Parts of a run go beside each
// other, since most of them mostly wait: the first is seen running, and what the tests of the others print comes after.
// npm run test:slow: those with the editor or with the real claude for which npm test has no time (*.slow.test.ts).
// With arguments (files, -g PATTERN and the like, as mocha takes them) only a part, without coverage; tests with the editor run if
// their files are named. The last line is `N passed, N failed`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { ensureOldClaudes } from './tools/claudeVersions.mjs';
import { RAW_COVERAGE, clearCoverage, reportCoverage } from './coverage.mjs';
import { runPartProcess } from './partProcess.mjs';
import { ensurePrometheus } from './tools/prometheus.mjs';
import { ensureRedis } from './tools/redisServer.mjs';
import { ROOT, SetupFailure, ensureOnSystem, findProgram, program, runScript, setUp } from './setup.mjs';

/** In the process that is started: the command `mocha` starts another one, which would survive the end of it. */
const MOCHA = [process.execPath, '--import=tsx', join(ROOT, 'node_modules', 'mocha', 'lib', 'cli', 'cli.js')];
/**
 * Parts that run in parallel: enough to keep two cores busy. With more, programs that tests start wait for each other. Of the
 * parts with an editor, which alone uses more than one core, one runs at a time.
 */
const LANES = 3;

const mocha = (countsFile, words) => [
  ...MOCHA,
  ...['--reporter', 'scripts/mochaReporter.cjs', '--reporter-option', `countsFile=${countsFile}`],
  ...(process.env.CI ? ['--forbid-only'] : []),
  ...words,
];

const isIn =
  (...folders) =>
  (file) =>
    folders.some((folder) => relative(ROOT, file).startsWith(join('test', folder)));
const filesIn = (...folders) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

let oldClaudes = null;
let redis = null;

const prepareRedis = () => (redis ??= ensureRedis());

let prometheus = null;

async function prepareServers() {
  await prepareRedis();
  await (prometheus ??= ensurePrometheus());
}

const isSlow = (file) => file.endsWith('.slow.test.ts');

/** The tests of a folder in `count` parts, each with some of every kind: alone they would take longer than all the others. */
function spread(folder, count, part) {
  const names = readdirSync(join(ROOT, 'test', folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => join('test', folder, name));
  return Array.from({ length: count }, (_, number) => {
    const filesOf = (files) => files.filter((_file, index) => index % count === number);
    const [all, slow] = [filesOf(names.filter((name) => !isSlow(name))), filesOf(names.filter(isSlow))];
    return {
      ...part,
      name: `${part.name}, ${number + 1} of ${count}`,
      owns: (file) => [...all, ...slow].includes(relative(ROOT, resolve(file))),
      all,
      slow,
      command: mocha,
    };
  });
}

const INSTALL_HOST = `import { ensureHost } from './scripts/host/installHost.mjs';
  import { runScript } from './scripts/setup.mjs';
  await runScript(() => ensureHost({ browser: true }));`;

let host = null;
let oldestHost = null;

/** In a process of its own: who installs does nothing else meanwhile. */
const prepareHost = () => (host ??= installHost());

/** The variable that makes a part run in the oldest VS Code that the extension promises. */
const IN_OLDEST = { TEST_QUEUE_EDITOR: 'oldest' };

async function prepareOldestHost() {
  // Both at once would take the processors of all the tests.
  await prepareHost();
  await (oldestHost ??= installHost(IN_OLDEST));
}

async function installHost(more = {}) {
  const args = ['--input-type=module', '--eval', INSTALL_HOST];
  const env = { ...process.env, ...more };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 2, 2] });
  const [status] = await once(child, 'close');
  if (status !== 0)
    throw new SetupFailure('The editor for the tests could not be installed. The reason is above.');
}

/** Integration tests that mostly wait for the disk and for programs. */
const OF_QUEUE = ['integration/cli', 'integration/queue'];
const OF_FAULTS = ['conformance', 'faults', 'generated', 'simulation'];

const [E2E, ...MORE_E2E] = spread('e2e', 3, {
  name: 'the tests of the program',
  prepare: async () => {
    await prepareRedis();
    await (oldClaudes ??= ensureOldClaudes());
  },
});
const [UI, ...MORE_UI] = spread('ui', 2, {
  name: 'the tests before the editor',
  needsEditor: true,
  prepare: async () => {
    await prepareRedis();
    await prepareHost();
  },
});

const hostTests = (countsFile, words) => [process.execPath, 'scripts/hostTests.mjs', countsFile, ...words];

/** Slow tests before the oldest editor: the tree, the lenses and a terminal; a diff; a page. */
const WALK = [
  'test/ui/story.slow.test.ts',
  'test/ui/commenting.slow.test.ts',
  'test/ui/pages/startPage.slow.test.ts',
];

/** Parts in which an API newer than the oldest promised VS Code fails. A run of some files leaves them out. */
const OLDEST = { needsEditor: true, owns: () => false, env: IN_OLDEST, prepare: prepareOldestHost };

/**
 * The parts of a run in the order in which they start, the longest first (those with an editor are one after another): which files
 * are whose, those of a run where none is named (`all`; a part without them is only in the slow run), those of the slow run, and
 * the command that runs them.
 */
const PARTS = [
  UI,
  {
    name: 'the tests of the other code with its disk and processes',
    owns: (file) => isIn('integration')(file) && !isIn(...OF_QUEUE)(file),
    all: [...filesIn('integration'), ...OF_QUEUE.flatMap((folder) => ['--ignore', `test/${folder}/**`])],
    prepare: prepareServers,
    command: mocha,
  },
  {
    name: 'the tests of the queue and the commands',
    owns: isIn(...OF_QUEUE),
    all: filesIn(...OF_QUEUE),
    prepare: prepareServers,
    command: mocha,
  },
  E2E,
  {
    name: 'the tests of all that may go wrong',
    owns: isIn(...OF_FAULTS),
    all: filesIn(...OF_FAULTS),
    prepare: prepareRedis,
    command: mocha,
  },
  ...MORE_UI,
  ...MORE_E2E,
  {
    name: 'the tests inside the editor',
    owns: isIn('host'),
    needsEditor: true,
    all: [],
    prepare: prepareHost,
    command: hostTests,
  },
  { ...OLDEST, name: 'the tests inside the oldest editor', all: [], command: hostTests },
  { ...OLDEST, name: 'the tests before the oldest editor', slow: WALK, command: mocha },
  {
    name: 'the unit tests',
    owns: isIn('unit'),
    all: filesIn('unit'),
    command: mocha,
  },
];

/** The argument of npm run test:slow. */
const SLOW = '--slow';

/** Returns the arguments of each part. Parts of which no file was named are left out. */
function planRun(args) {
  const isFile = (word) => /\.test\.ts$|^test\//.test(word);
  const files = args.filter(isFile);
  const options = args.filter((word) => !isFile(word));
  const parts = (kind) =>
    PARTS.filter((part) => part[kind] !== undefined).map((part) => ({ part, words: part[kind] }));
  if (args.length === 0) return parts('all');
  if (args.length === 1 && args[0] === SLOW) return parts('slow');
  if (files.length === 0) {
    const withoutEditor = parts('all').filter(({ part }) => !part.needsEditor);
    return withoutEditor.map(({ part, words }) => ({ part, words: [...options, ...words] }));
  }
  return PARTS.map((part) => ({ part, own: files.filter(part.owns) }))
    .filter(({ own }) => own.length > 0)
    .map(({ part, own }) => ({ part, words: [...options, ...own] }));
}

const isEmpty = ({ passes, failures }) => passes + failures === 0;

/**
 * The counts of a part; one that cannot be prepared, that crashed, or of a whole run one that ran nothing, has failed whatever
 * else it says. `output`: where what it prints goes, `inherit` or a file.
 */
async function runPart({ part, words }, { env, isWhole }, output) {
  const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-test-'));
  const countsFile = join(folder, 'counts.json');
  const failed = (why) => ({ passes: 0, failures: 1, pending: 0, failed: [], why: `${why} (${part.name})` });
  try {
    await part.prepare?.();
    const options = { cwd: ROOT, env: { ...env, ...part.env }, stdio: ['ignore', output, output] };
    const command = part.command(countsFile, words);
    const status = await runPartProcess(command, options, { countsFile, isWhole, name: part.name });
    if (!existsSync(countsFile))
      return failed('The run ended too early, or was ended because it took too long.');
    const counts = JSON.parse(readFileSync(countsFile, 'utf8'));
    if (isWhole && isEmpty(counts)) return failed('No test ran.');
    if (part.env) for (const each of counts.failed) each.test += ` (${part.name})`;
    if (status === 0 || counts.failures > 0) return counts;
    return { ...counts, why: `The run ended with exit code ${status} (${part.name}).` };
  } catch (error) {
    if (error instanceof SetupFailure) return failed(error.message);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns a function that reports the end of a part on standard error: most parts print nothing before the run ends.
 */
function beginProgress({ part }, place) {
  const startedMs = Date.now();
  return (ended) => {
    const seconds = Math.round((Date.now() - startedMs) / 1000);
    process.stderr.write(`[${place}] ${part.name}: ${ended} (${seconds} s)\n`);
  };
}

/** Runs all of them and gives the counts of each: the first as it is seen, the others into files that are shown at the end. */
async function runParts(planned, how) {
  const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-test-'));
  const counts = [];
  const left = new Set(planned.keys());
  let hasEditor = false;
  /** Returns the next part; undefined if none is left but those that the lane with an editor takes one after another. */
  const take = () => {
    const next = [...left].find((index) => !hasEditor || !planned[index].part.needsEditor);
    left.delete(next);
    return next;
  };
  const runNext = async (index) => {
    const { needsEditor } = planned[index].part;
    if (needsEditor) hasEditor = true;
    const output = index === 0 ? null : openSync(join(folder, String(index)), 'w');
    const say = beginProgress(planned[index], `${index + 1} of ${planned.length}`);
    counts[index] = await runPart(planned[index], how, output ?? 'inherit');
    if (planned.length > 1) say(`${counts[index].passes} passed, ${counts[index].failures} failed`);
    if (output !== null) closeSync(output);
    if (needsEditor) hasEditor = false;
  };
  const runLane = async () => {
    for (let index = take(); index !== undefined; index = take()) await runNext(index);
  };
  try {
    await Promise.all(Array.from({ length: LANES }, runLane));
    for (const index of planned.keys()) {
      if (index > 0) process.stdout.write(readFileSync(join(folder, String(index))));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return counts;
}

/** Once more at the end, since most of the tests are printed after them. */
function showFailed(failed) {
  if (failed.length > 0)
    console.log(
      `\nWhat failed (what is generated is the same again with FUZZ_SEED=${process.env.FUZZ_SEED ?? 1}):`,
    );
  for (const { test, why } of failed) console.log(`\n  ${test}\n${why.replace(/^/gm, '    ')}`);
}

const HELP = `npm test                              every test that is not slow, with coverage; some 2.3 GB of disk at its first run, three minutes to set up
npm run test:slow                     the slow ones: files that end in .slow.test.ts
npm test -- FILE...                   the tests in these files
npm test -- -g PATTERN [FILE...]      the tests whose names fit, as mocha takes it
Needed on the system: ps and openssl, and for the tests in the editor python3, make, g++, Kerberos' headers and chromium. As root
what is missing is installed with apt-get; otherwise the command to install it is printed.`;

async function main(args) {
  if (['--help', '-h'].some((word) => args.includes(word))) {
    console.log(HELP);
    return 0;
  }
  const total = { passes: 0, failures: 0, pending: 0 };
  let isGood = false;
  // Prints the last line however the run ends. A run that was cut off has failed.
  process.on('exit', () =>
    console.log(`${total.passes} passed, ${isGood ? 0 : Math.max(1, total.failures)} failed`),
  );
  if (args.length === 0)
    process.stderr.write(
      'At the first run some 2.3 GB are installed into node_modules and .vscode-test; see "npm test -- --help".\n',
    );
  await setUp();
  // Tests also cover the commands that macOS and others have instead of /proc.
  await ensureOnSystem([program(['ps'], ['procps'])]);
  // Only root may run a cron of its own: elsewhere its test is skipped. Completion is tried in the shells that are there.
  if (process.getuid?.() === 0 && findProgram(['apt-get']) !== undefined)
    await ensureOnSystem([
      program(['crontab'], ['cron']),
      program(['zsh'], ['zsh']),
      program(['fish'], ['fish']),
    ]);
  const isWhole = args.length === 0;
  if (isWhole) clearCoverage();
  const env = isWhole ? { ...process.env, NODE_V8_COVERAGE: RAW_COVERAGE } : process.env;
  const planned = planRun(args);
  if (planned.length === 0) throw new SetupFailure('None of these files is a test of this project.');
  const whys = [];
  const allFailed = [];
  for (const { why, failed, ...counts } of await runParts(planned, { env, isWhole })) {
    for (const name of Object.keys(total)) total[name] += counts[name];
    allFailed.push(...failed);
    if (why) whys.push(why);
  }
  if (whys.length === 0 && isEmpty(total)) whys.push('No test ran.');
  for (const why of whys) console.error(why);
  if (total.pending > 0) console.log(`${total.pending} skipped`);
  const isCovered = !isWhole || reportCoverage();
  showFailed(allFailed);
  isGood = total.failures === 0 && whys.length === 0 && isCovered;
  return isGood ? 0 : 1;
}

await runScript(() => main(process.argv.slice(2)));
