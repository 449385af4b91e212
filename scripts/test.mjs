// npm test: sets up, runs every test with mocha, measures coverage, and says what came of it. With arguments (files,
// -g PATTERN and the like, as mocha takes them) only a part, without coverage. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RAW_COVERAGE, clearCoverage, reportCoverage } from './coverage.mjs';
import { ROOT, ensureProgram, runScript, setUp } from './setup.mjs';

const ALL_TESTS = 'test/**/*.test.ts';

/** Mocha's exit code, and its counts; a run that crashed, or that ran nothing, has failed whatever else it says. */
function runMocha(args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-test-'));
  const countsFile = join(folder, 'counts.json');
  const namesFiles = args.some((arg) => /\.test\.ts$|^test\//.test(arg));
  const all = [
    ...['--reporter', 'scripts/mochaReporter.cjs', '--reporter-option', `countsFile=${countsFile}`],
    ...(process.env.CI ? ['--forbid-only'] : []),
    ...args,
    ...(namesFiles ? [] : [ALL_TESTS]),
  ];
  try {
    const mocha = join(ROOT, 'node_modules', '.bin', 'mocha');
    const { status } = spawnSync(mocha, all, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
    if (!existsSync(countsFile)) return { passes: 0, failures: 1, why: 'Mocha did not come to its end.' };
    const counts = JSON.parse(readFileSync(countsFile, 'utf8'));
    if (counts.passes + counts.failures === 0) return { passes: 0, failures: 1, why: 'No test ran.' };
    const why = status === 0 || counts.failures > 0 ? undefined : `Mocha ended with exit code ${status}.`;
    return { ...counts, why };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(args) {
  let counts = { passes: 0, failures: 1 };
  try {
    await setUp();
    // What macOS and others have instead of /proc is tested here too.
    await ensureProgram('ps', 'procps');
    const isWhole = args.length === 0;
    if (isWhole) clearCoverage();
    counts = runMocha(args, isWhole ? { ...process.env, NODE_V8_COVERAGE: RAW_COVERAGE } : process.env);
    if (counts.why) console.error(counts.why);
    if (counts.pending) console.log(`${counts.pending} skipped`);
    const isCovered = !isWhole || reportCoverage();
    return counts.failures === 0 && counts.why === undefined && isCovered ? 0 : 1;
  } finally {
    process.on('exit', () => console.log(`${counts.passes} passed, ${counts.failures} failed`));
  }
}

await runScript(() => main(process.argv.slice(2)));
