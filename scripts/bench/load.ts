// Measures the extension's load and start, beside a floor that nothing can beat. Every figure comes from processes of
// its own; compared figures take turns, so that a busy minute hits all alike. Prints one JSON object.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASIC_COLUMNS } from '../../src/queue/row/columns';
import { editorNode, median, rowOf, type BenchRow } from './files/measuring';

const TIMES = 21;
/** Sizes of queues, with the goal for the first row of the tree. */
const GOALS = [
  [1_000, '≤ 150 ms'],
  [10_000, '≤ 300 ms'],
] as const;
/** Size of which the load is shown: it does not depend on it. */
const TASKS = 1_000;
const LONG_AGO = new Date('2026-01-01T00:00:00Z');
/** It is run in the checkout. */
const ONCE = join('scripts', 'bench', 'loadOnce.cjs');
const EXTENSION = join(process.cwd(), 'dist', 'extension.js');

/** Milliseconds of one process. */
interface Took {
  readonly load: number;
  readonly known: number;
}

/** A queue in a file. */
function makeQueue(folder: string, size: number): string {
  const rows = Array.from({ length: size }, (_, i) => {
    const after = i % 10 === 9 ? String(i) : '';
    return `${i + 1},medium,.,"Task ${i + 1}: write the tests of part ${i % 50}, then run them",pending,,${after},no,,0,3`;
  });
  mkdirSync(join(folder, 'claude_queue'), { recursive: true });
  const file = join(folder, 'claude_queue', 'prompts.csv');
  writeFileSync(file, [BASIC_COLUMNS.join(','), ...rows, ''].join('\n'));
  // A file that was written just now is read twice.
  utimesSync(file, LONG_AGO, LONG_AGO);
  return folder;
}

/** Nothing of the user's is read or written; no claude is asked who is signed in, which takes its own time. */
function measure(home: string, file: string, ...queue: readonly string[]): Took {
  const env = { HOME: home, PATH: process.env['PATH'], CLAUDE_QUEUE_CLAUDE: join(home, 'none') };
  return JSON.parse(execFileSync(editorNode(), [ONCE, file, ...queue], { env, encoding: 'utf8' })) as Took;
}

function bundlePeer(folder: string): string {
  const outfile = join(folder, 'csvParse.js');
  const options = ['--bundle', '--platform=node', '--format=cjs', '--minify', '--log-level=warning'];
  execFileSync(join('node_modules', '.bin', 'esbuild'), [...options, `--outfile=${outfile}`], {
    input: "export { parse } from 'csv-parse/sync';",
  });
  return outfile;
}

/** Times of processes that take turns. */
interface Times {
  readonly empty: number[];
  readonly peer: number[];
  readonly bySize: ReadonlyMap<number, Took[]>;
}

function takeTimes(place: string): Times {
  const empty = join(place, 'empty.js');
  writeFileSync(empty, '');
  const peer = bundlePeer(place);
  const times: Times = { empty: [], peer: [], bySize: new Map(GOALS.map(([size]) => [size, []])) };
  for (let i = 0; i < TIMES; i++) {
    const home = join(place, `home${i}`);
    mkdirSync(home);
    times.empty.push(measure(home, empty).load);
    times.peer.push(measure(home, peer).load);
    for (const [size, took] of times.bySize)
      took.push(measure(home, EXTENSION, makeQueue(join(place, `queue${i}-${size}`), size)));
  }
  return times;
}

function measureLoad(): BenchRow[] {
  const place = mkdtempSync(join(tmpdir(), 'claude-queue-bench-'));
  try {
    const { empty, peer, bySize } = takeTimes(place);
    const took = bySize.get(TASKS) ?? [];
    const load = took.map((each) => each.load);
    const beside = (times: readonly number[]): Partial<BenchRow> => ({
      ratio: median(times) / median(empty),
      against: 'an empty module',
    });
    return [
      rowOf('load an empty module', null, empty),
      rowOf('load csv-parse/sync alone', null, peer, beside(peer)),
      rowOf('load dist/extension.js', null, load, { ...beside(load), goal: '≤ 15 ms' }),
      ...GOALS.map(([size, goal]) => {
        const times = bySize.get(size)?.map((each) => each.load + each.known) ?? [];
        return rowOf('load and activate until the first row can be drawn', size, times, { goal });
      }),
    ];
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

console.log(JSON.stringify({ title: `The extension, ${TIMES} processes each`, rows: measureLoad() }));
