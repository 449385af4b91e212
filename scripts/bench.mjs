// npm run bench [load|editor|first|drawn|start|reset|status|gap|trees|choose|past|file|redis …]: how long things take,
// each beside a named peer or a floor that is measured in the same run. docs/performance.md explains the figures, and
// keeps those of one run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { build } from './build.mjs';
import { ask, findDebianTool } from './tools/debianTools.mjs';
import { chosenEditor } from './host/editors.mjs';
import { ensureHost } from './host/installHost.mjs';
import { ensureLockedTool } from './tools/lockedTools.mjs';
import { ensureRedis } from './tools/redisServer.mjs';
import { ROOT, SetupFailure, runScript } from './setup.mjs';

/** Packages that a user would pick instead, and those that a naive queue is made of. */
const PEERS = {
  name: 'bench-peers',
  locked: join(ROOT, 'scripts', 'bench', 'peers'),
  options: [],
  size: 'a minute: one of them is compiled',
};

const MOST_OUTPUT = 64 * 1024 * 1024;

/** Measured as it is shipped: bundled, and run by Node alone. */
async function measureBundled(name, env, args = []) {
  const place = mkdtempSync(join(tmpdir(), 'claude-queue-bench-'));
  try {
    await bundle({
      entryPoints: [join(ROOT, 'scripts', 'bench', `${name}.ts`)],
      outfile: join(place, `${name}.cjs`),
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
    const words = ['--expose-gc', join(place, `${name}.cjs`), ...args];
    const stdio = ['ignore', 'pipe', 'inherit'];
    const options = {
      cwd: ROOT,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      maxBuffer: MOST_OUTPUT,
      stdio,
    };
    return JSON.parse(execFileSync(process.execPath, words, options));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Measured in VS Code itself: what carries out the changes need not be bundled. */
function measureUnbundled(name) {
  const words = ['--import', 'tsx', join('scripts', 'bench', `${name}.ts`)];
  return JSON.parse(execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' }));
}

/** Debian's task-spooler; empty where it is not available. */
async function findSpooler() {
  const spooler = await findDebianTool({
    name: 'task-spooler',
    debianPackage: 'task-spooler',
    program: 'tsp',
    works: (file) => ask(file, ['-V']).startsWith('Task Spooler'),
    size: 'less than 1 MB',
  });
  return spooler ?? '';
}

/** The extension is measured in the Node of VS Code, in which its users run it. */
const IN_EDITOR = { EDITOR_NODE: chosenEditor().node };

/** Each gives tables: a title, and rows of what was measured. */
const SUITES = {
  load: async () => {
    await ensureHost({ browser: true });
    return measureBundled('load', IN_EDITOR);
  },
  editor: async () => {
    await ensureHost({ browser: true });
    return [
      await measureBundled('editor', IN_EDITOR),
      measureUnbundled('extensionHost'),
      measureUnbundled('typing'),
    ];
  },
  first: async () => {
    await ensureHost({ browser: true });
    return measureUnbundled('first');
  },
  drawn: async () => {
    await ensureRedis();
    await ensureHost({ browser: true });
    return measureUnbundled('drawn');
  },
  start: () => measureBundled('waits', {}, ['start']),
  reset: () => measureBundled('waits', {}, ['reset']),
  status: () => measureBundled('waits', {}, ['status']),
  choose: () => measureBundled('choose', {}),
  past: () => measureBundled('past', {}),
  gap: async () =>
    measureBundled('gap', { BENCH_PEERS: await ensureLockedTool(PEERS), BENCH_SPOOLER: await findSpooler() }),
  trees: () => measureBundled('trees', {}),
  file: async () => measureBundled('fileQueue', { BENCH_PEERS: await ensureLockedTool(PEERS) }),
  redis: async () => {
    await ensureRedis();
    return measureBundled('redisQueue', { BENCH_PEERS: await ensureLockedTool(PEERS) });
  },
};

function digits(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(2);
}

function cellsOf({ what, size, unit, median, least, ratio, against, goal, note }) {
  const measured =
    median === undefined ? [note ?? '', ''] : [`${digits(median)} ${unit}`, `${digits(least)} ${unit}`];
  const beside = ratio === undefined ? '' : `${digits(ratio)} × ${against}`;
  return [what, size?.toLocaleString('en') ?? '', ...measured, beside, goal ?? ''];
}

function print({ title, rows }) {
  const table = [['what', 'tasks', 'median', 'least', 'beside', 'goal'], ...rows.map(cellsOf)];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const [head, ...body] = table.map(line);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  console.log([`\n${title}\n`, head, rule, ...body].join('\n'));
}

async function main(names) {
  const unknown = names.filter((name) => !(name in SUITES));
  if (unknown.length > 0)
    throw new SetupFailure(
      `npm run bench knows ${Object.keys(SUITES).join(', ')}, not ${unknown.join(', ')}.`,
    );
  await build();
  const { model } = cpus()[0] ?? { model: 'unknown' };
  console.log(`Node ${process.versions.node}, ${process.platform}, ${availableParallelism()} × ${model}`);
  for (const name of names.length > 0 ? names : Object.keys(SUITES)) {
    const measured = await SUITES[name]();
    for (const table of Array.isArray(measured) ? measured : [measured]) print(table);
  }
  return 0;
}

await runScript(() => main(process.argv.slice(2)));
