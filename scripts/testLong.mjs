// npm run test:long [FILE...]: every release of Claude Code; what is generated and what is broken on purpose, at length: every change
// of the disk is a crash point, and there are thousands of damaged files where npm test has hundreds; a forecast against a night
// of 200 tasks. It takes an hour or more. FUZZ_SEED=N repeats a run, FUZZ_RUNS=N sets how often each property is tried. The figures
// come last, and the last line is `N passed, N failed`.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureOldClaudes } from './tools/claudeVersions.mjs';
import { ensureRedis } from './tools/redisServer.mjs';
import { ROOT, runScript, setUp } from './setup.mjs';

const SUITES = [
  'test/e2e/queue/forecast.slow.test.ts',
  'test/e2e/{account/defaultModel,attempts/selfReport,attempts/unfinished,attempts/versions}.test.ts',
  'test/faults/**/*.test.ts',
  'test/generated/*.test.ts',
  'test/conformance/sameAnswers.test.ts',
  'test/integration/queue/**/*Fuzz.test.ts',
  'test/integration/queue/csv/{hostileCsv,manyRows}.test.ts',
];

const seed = process.env.FUZZ_SEED ?? String(Date.now() % 2 ** 31);

/** Shows what mocha prints as it comes, and gives all of it. */
async function runMocha(words) {
  const env = { ...process.env, LONG: '1', FUZZ_SEED: seed };
  const child = spawn(process.execPath, [join(ROOT, 'node_modules', '.bin', 'mocha'), ...words], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    said += piece;
    process.stdout.write(piece);
  });
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { said, status };
}

/** The figures that the suites reported, and the total of crash points. */
function showFigures(said) {
  const figures = [...said.matchAll(/^ *figure: (.*?)(?: \(FUZZ_SEED=\d+\))?$/gm)].map(
    ([, figure]) => figure,
  );
  const points = figures.map((figure) =>
    Number(/^(\d+) (crash points|writes cut in half)/.exec(figure)?.[1] ?? 0),
  );
  console.log(`\nFigures (FUZZ_SEED=${seed}):`);
  for (const figure of figures) console.log(`  ${figure}`);
  console.log(
    `  ${points.reduce((sum, count) => sum + count, 0)} places in all at which a program was killed`,
  );
}

async function main(files) {
  await setUp();
  await ensureRedis();
  await ensureOldClaudes({ isLong: true });
  const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-test-'));
  const countsFile = join(folder, 'counts.json');
  try {
    const reporter = [
      '--reporter',
      'scripts/mochaReporter.cjs',
      '--reporter-option',
      `countsFile=${countsFile}`,
    ];
    const { said, status } = await runMocha([...reporter, ...(files.length > 0 ? files : SUITES)]);
    showFigures(said);
    const counts = existsSync(countsFile)
      ? JSON.parse(readFileSync(countsFile, 'utf8'))
      : { passes: 0, failures: 0 };
    const isEmpty = counts.passes + counts.failures === 0;
    if (isEmpty) console.error('No test ran.');
    const failures = status === 0 && !isEmpty ? counts.failures : Math.max(1, counts.failures);
    if (counts.pending > 0) console.log(`${counts.pending} skipped`);
    console.log(`${counts.passes} passed, ${failures} failed`);
    return failures === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await runScript(() => main(process.argv.slice(2)));
