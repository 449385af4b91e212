// Measures the trees before and after an attempt in a large repository, beside `git status` there. Prints one JSON object.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { createDiffMeasure, type DiffMeasure } from '../../src/platform/git/changeMeasure';
import { KeptTrees } from '../../src/platform/git/keptTrees';
import { median, round, rowOf, timeOf, type BenchRow } from './files/measuring';

const FOLDERS = 500;
const FILES_EACH = 100;
const FILES = FOLDERS * FILES_EACH;
const ROUNDS = 15;
const PEER = 'git status';
const NEVER = new AbortController().signal;

function makeRepository(place: string): string {
  const folder = path.join(place, 'repository');
  for (let at = 0; at < FOLDERS; at++) {
    const inside = path.join(folder, `folder${String(at)}`);
    mkdirSync(inside, { recursive: true });
    for (let file = 0; file < FILES_EACH; file++)
      writeFileSync(path.join(inside, `file${String(file)}.txt`), `${String(at)} ${String(file)}\n`);
  }
  writeFileSync(path.join(folder, '.gitattributes'), '* text=auto\n');
  const who = ['-c', 'user.name=n', '-c', 'user.email=e', '-c', 'gc.auto=0'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...who, 'commit', '-qm', 'first'],
    ['gc', '-q'],
  ])
    execFileSync('git', args, { cwd: folder });
  return folder;
}

/** Commits one file, so that the index is a new one. */
function commit(folder: string, file: string, text: string): void {
  writeFileSync(path.join(folder, file), text);
  const who = ['-c', 'user.name=n', '-c', 'user.email=e', '-c', 'gc.auto=0'];
  execFileSync('git', [...who, 'commit', '-qm', 'next', '--', file], { cwd: folder });
}

async function measure(place: string): Promise<BenchRow[]> {
  const folder = makeRepository(place);
  const environment = { PATH: process.env['PATH'], HOME: place };
  const trees = new KeptTrees(path.join(place, 'trees'), environment);
  const start = createDiffMeasure({ environment, except: [] });
  const times = {
    status: [] as number[],
    before: [] as number[],
    same: [] as number[],
    after: [] as number[],
    first: [] as number[],
    committed: [] as number[],
  };
  for (let turn = 0; turn <= ROUNDS; turn++) {
    const status = await timeOf(() => execFileSync('git', ['status', '--porcelain'], { cwd: folder }));
    let looking: DiffMeasure | undefined;
    const before = await timeOf(async () => (looking = await start(folder, NEVER)));
    const same = await timeOf(() => looking?.end());
    writeFileSync(path.join(folder, 'folder7/file7.txt'), `${String(turn)}\n`);
    const after = await timeOf(async () => {
      const change = await looking?.end();
      if (change?.size.files !== 1) throw new Error('The change was not found.');
      await trees.keep({ id: 1, number: turn + 1, startedAt: turn }, change, NEVER);
    });
    looking?.drop();
    const first = await timeOf(async () => {
      looking = await createDiffMeasure({ environment, except: [], sizesFolder: place })(folder, NEVER);
    });
    looking?.drop();
    commit(folder, 'folder8/file8.txt', `${String(turn)}\n`);
    const committed = await timeOf(async () => (looking = await start(folder, NEVER)));
    looking?.drop();
    // The first turn does not count: nothing is in the memory yet.
    if (turn > 0) {
      times.status.push(status);
      times.before.push(before);
      times.same.push(same);
      times.after.push(after);
      times.first.push(first);
      times.committed.push(committed);
    }
  }
  const beside = (what: string, own: readonly number[]): BenchRow =>
    rowOf(what, FILES, own, {
      ratio: round(median(own) / median(times.status)),
      against: PEER,
      goal: '≤ 1.5',
    });
  return [
    rowOf(PEER, FILES, times.status),
    beside('look at the files before an attempt', times.before),
    beside('the same, the first one of a worker; one before it knew the objects', times.first),
    beside('the same, after a commit', times.committed),
    beside('look at them after it: nothing changed', times.same),
    beside('look at them after it, and keep both trees: one file changed', times.after),
  ];
}

const place = mkdtempSync(path.join(tmpdir(), 'claude-queue-bench-'));
void measure(place)
  .then((rows) => {
    console.log(
      JSON.stringify([{ title: 'The trees before and after an attempt (files, not tasks)', rows }]),
    );
  })
  .finally(() => {
    rmSync(place, { recursive: true, force: true });
  });
