// The time between the end of one attempt and the start of the next, end to end, beside a bash loop, task-spooler and a
// program that keeps its queue in SQLite. All start the same quick stand-in of `claude`, which notes when it started and
// ended. Prints one JSON object.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { median, round, rowOf, type BenchRow } from './files/measuring';
import { sqliteQueue } from './files/sqlite';
import { Workspace } from './files/workspace';

const ROUNDS = 3;
/** Attempts of one round. The first two do not count: programs are still warming up. */
const ATTEMPTS = 32;
const WARM_UP = 2;
const GOALS = new Map([
  [1_000, '≤ 10'],
  [10_000, '≤ 25'],
]);
const WHAT = 'end of an attempt until the start of the next';

/** Reads the next line, starts the stand-in, appends a line to a log. */
const LOOP = `
count=0
while [ $count -lt "$3" ] && IFS= read -r line; do
  "$1" -p <<< "$line" > output.txt
  echo "$line" >> done.log
  count=$((count + 1))
done < "$2"`;

/** Runs N attempts, one after another. */
type Contestant = (place: Workspace, attempts: number) => void;

const own: Contestant = (place, attempts) => void place.run('work', '--max-tasks', String(attempts));

const ownUntrusted: Contestant = (place, attempts) => {
  place.trust(false);
  own(place, attempts);
  place.trust(true);
};

const bashLoop: Contestant = ({ root, env, standIn, file }, attempts) => {
  execFileSync('bash', ['-c', LOOP, 'loop', standIn, file, String(attempts)], { cwd: root, env });
};

const sqlite: Contestant = ({ root, env, standIn }, attempts) => {
  const queue = sqliteQueue(path.join(root, `queue${String(Math.random())}.sqlite`), attempts + 1);
  let running = queue?.step(null) ?? null;
  for (let done = 0; queue !== null && done < attempts; done++) {
    execFileSync(standIn, ['-p'], { cwd: root, env, input: 'Do it.' });
    running = queue.step(running);
  }
  queue?.close();
};

/** All jobs are queued behind one that waits for a file, so that adding them is not measured. */
const taskSpooler: Contestant = ({ root, env, standIn }, attempts) => {
  const spooler = {
    cwd: root,
    env: { ...env, TS_SOCKET: path.join(root, 'spooler') },
    encoding: 'utf8',
  } as const;
  const tsp = (...args: readonly string[]): string => execFileSync(SPOOLER, args, spooler);
  const go = path.join(root, 'go');
  tsp('sh', '-c', `until [ -e '${go}' ]; do sleep 0.01; done; rm '${go}'`);
  let last = '';
  for (let added = 0; added < attempts; added++)
    last = tsp('sh', '-c', `exec '${standIn}' -p < /dev/null`).trim();
  writeFileSync(go, '');
  tsp('-w', last);
  tsp('-K');
};

const SPOOLER = process.env['BENCH_SPOOLER'] ?? '';

const CONTESTANTS = new Map<string, Contestant | null>([
  ['claude-queue', own],
  ['claude-queue, the folder not trusted', ownUntrusted],
  ['bash loop', bashLoop],
  ['better-sqlite3 and a child process', sqlite],
  ['task-spooler', SPOOLER === '' ? null : taskSpooler],
]);

/** Milliseconds between the attempts that the log has. */
function gapsIn(log: string): number[] {
  const attempts = log
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  return attempts.slice(WARM_UP + 1).map(([started = NaN], index) => {
    const [, ended = NaN] = attempts[WARM_UP + index] ?? [];
    return (started - ended) * 1000;
  });
}

function measure(size: number): BenchRow[] {
  const place = new Workspace(size);
  const gaps = new Map([...CONTESTANTS.keys()].map((name) => [name, [] as number[]]));
  try {
    for (let turn = 0; turn < ROUNDS; turn++) {
      for (const [name, run] of CONTESTANTS) {
        writeFileSync(place.log, '');
        run?.(place, ATTEMPTS);
        const log = readFileSync(place.log, 'utf8');
        if (log !== '') gaps.get(name)?.push(...gapsIn(log));
      }
    }
  } finally {
    place.remove();
  }
  const loop = median(gaps.get('bash loop') ?? []);
  return [...gaps].map(([name, times]) => describe(name, size, times, loop));
}

function describe(name: string, size: number, times: readonly number[], loop: number): BenchRow {
  const what = `${WHAT}: ${name}`;
  if (times.length === 0) return { what, unit: 'ms', size, note: 'not installed' };
  const goal = name === 'claude-queue' ? GOALS.get(size) : undefined;
  const ratio = { ratio: round(median(times) / loop), against: 'bash loop' };
  return rowOf(what, size, times, { ...ratio, ...(goal === undefined ? {} : { goal }) });
}

console.log(JSON.stringify({ title: 'Between two attempts', rows: [...GOALS.keys()].flatMap(measure) }));
