// npm run bench: how long the extension takes to load and to start, beside what nobody can be faster than. Every figure is
// from processes of its own; what is compared takes turns, so that a busy minute hits all alike. docs/performance.md tells
// what the figures mean.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { build } from './build.mjs';
import { ROOT, runScript } from './setup.mjs';

const TIMES = 21;
const TASKS = 500;
const LONG_AGO = new Date('2026-01-01T00:00:00Z');
const ONCE = join(ROOT, 'scripts', 'benchOnce.cjs');
const EXTENSION = join(ROOT, 'dist', 'extension.js');

/** A queue of the size that a person still reads. */
function makeQueue(folder) {
  const header =
    'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries';
  const rows = Array.from({ length: TASKS }, (_, i) => {
    const after = i % 10 === 9 ? String(i) : '';
    return `${i + 1},medium,.,"Task ${i + 1}: write the tests of part ${i % 50}, then run them",pending,,${after},no,,0,3`;
  });
  mkdirSync(join(folder, 'claude_queue'), { recursive: true });
  const file = join(folder, 'claude_queue', 'prompts.csv');
  writeFileSync(file, [header, ...rows, ''].join('\n'));
  // A file that was written just now is read twice.
  utimesSync(file, LONG_AGO, LONG_AGO);
  return folder;
}

/** Nothing of the person who measures is read or written; no claude is asked who is signed in, which takes its own time. */
function measure({ file, queue, home }) {
  const args = queue === undefined ? [ONCE, file] : [ONCE, file, queue];
  const env = { HOME: home, PATH: process.env.PATH, CLAUDE_QUEUE_CLAUDE: join(home, 'none') };
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' }));
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

function summarise(what, times, floor) {
  const [least, middle] = [Math.min(...times), median(times)];
  return [what, least.toFixed(1), middle.toFixed(1), floor === undefined ? '' : (middle / floor).toFixed(1)];
}

function print(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const [head, ...body] = rows.map(line);
  console.log([head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n'));
}

async function bundlePeer(folder) {
  const outfile = join(folder, 'csvParse.js');
  const stdin = { contents: "export { parse } from 'csv-parse/sync';", resolveDir: ROOT };
  await bundle({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs', minify: true });
  return outfile;
}

async function main() {
  await build();
  const place = mkdtempSync(join(tmpdir(), 'claude-queue-bench-'));
  try {
    const empty = join(place, 'empty.js');
    writeFileSync(empty, '');
    const peer = await bundlePeer(place);
    const times = { empty: [], peer: [], load: [], activate: [], known: [] };
    for (let i = 0; i < TIMES; i++) {
      const [home, queue] = [join(place, `home${i}`), makeQueue(join(place, `queue${i}`))];
      mkdirSync(home);
      times.empty.push(measure({ file: empty, home }).load);
      times.peer.push(measure({ file: peer, home }).load);
      const own = measure({ file: EXTENSION, queue, home });
      for (const name of ['load', 'activate', 'known']) times[name].push(own[name]);
    }
    const floor = median(times.empty);
    const { model } = cpus()[0] ?? { model: 'unknown' };
    console.log(
      `Node ${process.versions.node}, ${process.platform}, ${availableParallelism()} × ${model}; ` +
        `${TIMES} processes each, milliseconds\n`,
    );
    print([
      ['what', 'least', 'median', '× an empty module'],
      summarise('load an empty module', times.empty, floor),
      summarise('load csv-parse/sync alone', times.peer, floor),
      summarise('load dist/extension.js', times.load, floor),
      summarise('call activate()', times.activate),
      summarise(`activate() until the state of ${TASKS} tasks is known`, times.known),
    ]);
    return 0;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

await runScript(main);
