import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { STALE_MS } from '../../src/platform/lock/lockFolder';
import { digest } from '../../src/queue/file/journal/digest';
import { isLong, seed, report } from '../support/fuzz';
import type { Running } from '../support/machine/processes';
import { TASKS_BEFORE_SIGN } from './childPlays';
import { checkAllDone, FaultFolder, finishAll, openQueue, withNote } from './faultQueue';
import { readIfStillThere, untilStopped, workPast } from './frozen';
import { idsAfter, startChild } from './program';

describe('Two processes at one queue file', () => {
  it('claim each task exactly once between them', async () => {
    const place = new FaultFolder(40);
    const sign = signOf(place);
    try {
      const children = ['one', 'two'].map((name) =>
        startChild({ file: place.file, name, play: 'drain', sign }),
      );
      // One alone could be through before the other has started.
      await Promise.all(children.map((child) => child.waitForLine(/^waits$/)));
      writeFileSync(sign, '');
      const ended = await Promise.all(children.map((child) => child.ended));
      const claimed = ended.flatMap((end) => idsAfter('claimed', end));
      assert.deepEqual(
        claimed.toSorted((a, b) => a - b),
        Array.from({ length: 40 }, (_, index) => index + 1),
      );
      for (const end of ended) {
        assert.match(end.stdout, /^through$/m);
        assert.ok(idsAfter('finished', end).length >= TASKS_BEFORE_SIGN, 'both worked');
      }
      await checkAllDone(place, await openQueue(place.file), claimed);
    } finally {
      place.remove();
      rmSync(sign, { force: true });
    }
  });

  it('lose nothing if one is frozen during a step until its lock is taken over', async () => {
    // In `npm test` every N changes, each time start elsewhere; in the long form all.
    const stride = isLong ? 1 : 9;
    let points = 0;
    for (let at = 1 + (seed % stride); await freezeAt(at); at += stride) points += 1;
    report(`${String(points)} places at which one was frozen`);
  }).timeout(1_800_000);

  it('lose no edit and no result while the user keeps saving', async () => {
    const place = new FaultFolder(30);
    try {
      const child = startChild({ file: place.file, name: 'worker', play: 'drain' });
      await child.waitForLine(/^begins$/);
      const notes = new Map<number, string>();
      for (let edit = 0; edit < 60; edit += 1) {
        const id = 1 + (edit % 30);
        const note = `note ${String(edit)}`;
        await saveBeside([child], place, id, note);
        notes.set(id, note);
        await sleep(12);
      }
      const ended = await child.ended;
      assert.match(ended.stdout, /^through$/m, ended.stdout + ended.stderr);
      const queue = await openQueue(place.file);
      await finishAll(queue);
      const rows = place.rows();
      for (const [id, note] of notes)
        assert.equal(rows[id - 1]?.['note'], note, `the note of ${String(id)} is lost`);
      assert.deepEqual(
        rows.map((row) => row['status']),
        rows.map(() => 'completed'),
      );
      const successes = (await queue.attempts({ outcome: 'success' })).map(({ id }) => id);
      assert.deepEqual(
        successes.toSorted((a, b) => a - b),
        rows.map((row) => Number(row['id'])),
        ended.stdout,
      );
    } finally {
      place.remove();
    }
  });
});

describe('A lock whose owner is frozen for longer than a lock lives', () => {
  it('is taken over, and later writes of the owner undo nothing', async () => {
    const place = new FaultFolder(6);
    try {
      const among = ['link', 'linkSync'];
      const orders = { file: place.file, name: 'child', play: 'steps', at: 2, act: 'freeze', among } as const;
      const child = startChild(orders);
      await child.waitForLine(/^freeze at/);
      await untilStopped(child.pid);
      const { mtimeMs: lockedAt } = statSync(path.join(place.folder, 'state', 'step.lock'));
      await workPast(place);
      assert.ok(Date.now() - lockedAt > STALE_MS, 'the lock was held');
      child.kill('SIGCONT');
      const ended = await child.ended;
      assert.match(ended.stdout, /^through$/m, ended.stdout + ended.stderr);
      const queue = await openQueue(place.file);
      await finishAll(queue);
      await checkAllDone(place, queue, idsAfter('finished', ended));
    } finally {
      place.remove();
    }
  });
});

describe('Two workers and the user with an editor and git', () => {
  const seconds = isLong ? 60 : 5;

  it(`write one file for ${String(seconds)} seconds: no edit and no result is lost, and nothing runs twice`, async () => {
    const place = new FaultFolder(isLong ? 4_000 : 200);
    const sign = signOf(place);
    try {
      const git = gitIn(place.folder);
      git('init', '--quiet');
      git('add', 'prompts.csv');
      git('commit', '--quiet', '--message', 'The queue');
      const children = ['one', 'two'].map((name) =>
        startChild({ file: place.file, name, play: 'wait', sign }),
      );
      await Promise.all(children.map((child) => child.waitForLine(/^begins$/)));
      const takeBack = (): void => git('checkout', '--quiet', '--', 'prompts.csv');
      const notes = await editFor(seconds * 1000, place, children, takeBack);
      writeFileSync(sign, '');
      const ended = await Promise.all(children.map((child) => child.ended));
      const said = ended.map(({ stdout, stderr }) => stdout + stderr).join('');
      for (const { stdout } of ended) assert.match(stdout, /^through$/m, said);
      await checkShared(place, notes, { stdout: said });
    } finally {
      place.remove();
      rmSync(sign, { force: true });
    }
  });
});

/** Path of the file that signals children to end. It is beside the folder, in which nothing may be left over. */
function signOf({ folder }: FaultFolder): string {
  return `${folder}.sign`;
}

/** Git as it is for everybody, whatever this machine's owner has set. */
function gitIn(folder: string): (...args: string[]) => void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=me', '-c', 'user.email=me@localhost'];
  return (...args) => void execFileSync('git', [...who, ...args], { cwd: folder, env });
}

/** Saves notes again and again, and once takes the whole file back. Gives the notes that count. */
async function editFor(
  ms: number,
  place: FaultFolder,
  children: readonly Running[],
  takeBack: () => void,
): Promise<Map<number, string>> {
  const notes = new Map<number, string>();
  const start = Date.now();
  const count = place.rows().length;
  let isTakenBack = false;
  for (let edit = 0; Date.now() - start < ms; edit += 1) {
    if (!isTakenBack && Date.now() - start > ms / 2) {
      takeBack();
      notes.clear();
      isTakenBack = true;
    }
    const id = 1 + ((edit * 37) % count);
    const note = `note ${String(edit)}`;
    await saveBeside(children, place, id, note);
    notes.set(id, note);
    await sleep(15);
  }
  return notes;
}

/**
 * Saves a note while these children are running. They are frozen from the look at the file until it is empty: who looks
 * long before saving takes back what was done meanwhile, and rightly so, but here nobody means that. In place alone: a
 * save by rename between a swap's look and its own rename is lost (`swap.ts`), and a busy machine makes that instant long;
 * swap.test.ts has those.
 */
async function saveBeside(
  children: readonly Running[],
  place: FaultFolder,
  id: number,
  note: string,
): Promise<void> {
  for (;;) {
    const emptied = await whileStill(children, () => (isBeingPutBack(place) ? null : emptyFile(place)));
    if (emptied !== null) {
      writeFileSync(emptied.file, withNote(emptied.text, id, note));
      closeSync(emptied.file);
      return;
    }
    await sleep(15);
  }
}

/** The file, emptied as by an editor that is about to write it, and what it held. */
function emptyFile(place: FaultFolder): { readonly file: number; readonly text: string } {
  const text = place.text();
  return { file: openSync(place.file, 'w'), text };
}

/**
 * Whether a replacement has found that it replaced a save of the user, and has not put that save back yet. A later save
 * wins. A user who does not see their last save in the file would take the file back, but nobody does so within
 * milliseconds.
 */
function isBeingPutBack({ folder }: FaultFolder): boolean {
  const backups = readdirSync(folder).filter((name) => name.endsWith('.spare'));
  return backups.some((name) => {
    const [base = ''] = name.split('.').slice(-3);
    const held = readIfStillThere(path.join(folder, name));
    return held !== null && !digest(held).startsWith(base);
  });
}

/** Does something while these children are frozen, wherever they are. */
async function whileStill<T>(children: readonly Running[], work: () => T): Promise<T> {
  try {
    for (const child of children) child.kill('SIGSTOP');
    // It is the thread that is looked at which puts one file in another's place.
    await Promise.all(children.map((child) => untilStopped(child.pid)));
    return work();
  } finally {
    for (const child of children) child.kill('SIGCONT');
  }
}

async function checkShared(
  place: FaultFolder,
  notes: ReadonlyMap<number, string>,
  said: { readonly stdout: string },
): Promise<void> {
  const rows = place.rows();
  for (const [id, note] of notes)
    assert.equal(rows[id - 1]?.['note'], note, `the note of ${String(id)} is lost`);
  const queue = await openQueue(place.file);
  const successes = (await queue.attempts({ outcome: 'success' })).map(({ id }) => id).sort((a, b) => a - b);
  assert.deepEqual(successes, [...new Set(successes)], 'something ran twice');
  const finished = idsAfter('finished', said).sort((a, b) => a - b);
  assert.deepEqual(successes, finished, 'each finished task is in the history');
  const logged = parse(place.log('executed.log')).map(([id]) => Number(id));
  assert.deepEqual(
    logged.sort((a, b) => a - b),
    successes,
    'and logged once',
  );
  for (const [index, row] of rows.entries()) {
    // A row that git made pending again waits for the user.
    assert.ok(
      ['completed', 'pending'].includes(row['status'] ?? ''),
      `row ${String(index + 1)}: ${row['status'] ?? ''}`,
    );
    assert.ok(successes.includes(index + 1), `${String(index + 1)} never ran`);
  }
  assert.equal(
    place
      .text()
      .replace(/,completed,|,(note \d+| mine \d+ )\r\n/g, (found) =>
        found.startsWith(',c') ? ',pending,' : ',\r\n',
      ),
    place.original.replace(/, mine \d+ \r\n/g, ',\r\n'),
    'nothing else was written',
  );
  await queue.close();
}

/** Freezes a child at that change of the disk, works past it, and lets it continue. False when it came through before. */
async function freezeAt(at: number): Promise<boolean> {
  const place = new FaultFolder(6);
  try {
    const child = startChild({ file: place.file, name: 'child', play: 'steps', at, act: 'freeze' });
    const where = await child.waitForLine(/^(freeze at .*|through)$/);
    if (where !== 'through') {
      await untilStopped(child.pid);
      place.ageLock();
      await workPast(place);
    }
    child.kill('SIGCONT');
    const ended = await child.ended;
    assert.match(
      ended.stdout,
      /^through$/m,
      `frozen at change ${String(at)}: ${ended.stdout}${ended.stderr}`,
    );
    place.ageLock();
    const queue = await openQueue(place.file);
    await finishAll(queue);
    await checkAllDone(place, queue, idsAfter('finished', ended)).catch((error: unknown) => {
      throw new Error(`Frozen at change ${String(at)}, ${where}: ${ended.stdout}`, { cause: error });
    });
    return where !== 'through';
  } finally {
    place.remove();
  }
}
