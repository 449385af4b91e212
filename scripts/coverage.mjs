// Coverage of src/ by a whole test run: of the modules as the tests load them, and of dist/extension.js in the editor. The programs
// that tests start are not counted: noting it takes them a third longer, and reading it a minute.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './setup.mjs';

const LEAST_LINES_PERCENT = 90;

/** Where Node's own coverage of every process goes (NODE_V8_COVERAGE); c8 reads it there. */
export const RAW_COVERAGE = join(ROOT, 'coverage', 'tmp');

export function clearCoverage() {
  rmSync(join(ROOT, 'coverage'), { recursive: true, force: true });
}

/** Large files that are not the product's: their coverage says nothing. */
const FOREIGN = /^node:|\/(?:node_modules|\.vscode-test)\//;

function parseOrNull(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Makes what Node noted fit for c8. Node notes the sources of a bundle as file: addresses; c8 does not recognise its own
 * files by them and counts every line of every bundled file as covered (v8-to-istanbul 9.3.0), so they become paths here.
 * The sources lie there too: as texts in each of some thousand files they would be read for a minute.
 */
function prepareRawCoverage() {
  for (const name of readdirSync(RAW_COVERAGE)) {
    const file = join(RAW_COVERAGE, name);
    const coverage = parseOrNull(readFileSync(file, 'utf8'));
    // A process was killed while it wrote this.
    if (coverage === null) {
      rmSync(file);
      continue;
    }
    coverage.result = coverage.result.filter(({ url }) => !FOREIGN.test(url));
    for (const { data } of Object.values(coverage['source-map-cache'] ?? {})) {
      if (!data) continue;
      data.sources = data.sources.map((from) => (from.startsWith('file:') ? fileURLToPath(from) : from));
      delete data.sourcesContent;
    }
    writeFileSync(file, JSON.stringify(coverage));
  }
}

/** Prints the summary; whether enough is covered. */
export function reportCoverage() {
  prepareRawCoverage();
  const c8 = join(ROOT, 'node_modules', '.bin', 'c8');
  const args = ['report', '--check-coverage', '--lines', String(LEAST_LINES_PERCENT)];
  return spawnSync(c8, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}
