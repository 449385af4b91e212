// How long the extension takes to load and to start, beside what nobody can be faster than. Every figure is from processes of
// its own; what is compared takes turns, so that a busy minute hits all alike.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { ROOT } from '../setup.mjs';

const TIMES = 21;
const TASKS = 500;
const LONG_AGO = new Date('2026-01-01T00:00:00Z');
const ONCE = join(ROOT, 'scripts', 'bench', 'loadOnce.cjs');
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

async function bundlePeer(folder) {
  const outfile = join(folder, 'csvParse.js');
  const stdin = { contents: "export { parse } from 'csv-parse/sync';", resolveDir: ROOT };
  await bundle({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs', minify: true });
  return outfile;
}

async function takeTimes(place) {
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
  return times;
}

/** A table of the bench: what was measured, each with its median and its least, beside what it is compared with. */
export async function measureLoad() {
  const place = mkdtempSync(join(tmpdir(), 'claude-queue-bench-'));
  try {
    const times = await takeTimes(place);
    const floor = median(times.empty);
    const row = (what, measured, more = {}) => ({
      what,
      unit: 'ms',
      median: median(measured),
      least: Math.min(...measured),
      ...more,
    });
    const beside = (measured) => ({ ratio: median(measured) / floor, against: 'an empty module' });
    return {
      title: `The extension, ${TIMES} processes each`,
      rows: [
        row('load an empty module', times.empty),
        row('load csv-parse/sync alone', times.peer, beside(times.peer)),
        row('load dist/extension.js', times.load, { ...beside(times.load), goal: '≤ 15 ms' }),
        row('call activate()', times.activate, { goal: '≤ 10 ms' }),
        row(`activate() until the state of ${TASKS} tasks is known`, times.known),
      ],
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
