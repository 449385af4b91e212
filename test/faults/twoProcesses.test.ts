import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { isLong, seed, tell } from '../support/fuzz';
import { checkAllDone, FaultFolder, finishAll, openQueue, saveNote, successOf, want } from './faultQueue';
import { idsAfter, startChild } from './program';

describe('Two processes at one queue file', () => {
  it('claim each task exactly once between them', async () => {
    const place = new FaultFolder(40);
    try {
      const children = ['one', 'two'].map((name) => startChild({ file: place.file, name, play: 'drain' }));
      const ended = await Promise.all(children.map((child) => child.ended));
      const claimed = ended.flatMap((end) => idsAfter('claimed', end));
      assert.deepEqual(
        claimed.toSorted((a, b) => a - b),
        Array.from({ length: 40 }, (_, index) => index + 1),
      );
      for (const end of ended) {
        assert.match(end.stdout, /^through$/m);
        assert.ok(idsAfter('finished', end).length > 2, 'both worked');
      }
      await checkAllDone(place, await openQueue(place.file), claimed);
    } finally {
      place.remove();
    }
  });

  it('lose nothing where one is frozen in the middle of a step until its lock is taken over', async () => {
    // In `npm test` every so many changes, each time beginning elsewhere; in the long form all.
    const stride = isLong ? 1 : 9;
    let points = 0;
    for (let at = 1 + (seed % stride); await freezeAt(at); at += stride) points += 1;
    tell(`${String(points)} places at which one was frozen`);
  }).timeout(1_800_000);

  it('lose no edit and no result while a person keeps saving', async () => {
    const place = new FaultFolder(30);
    try {
      const child = startChild({ file: place.file, name: 'worker', play: 'drain' });
      await child.waitForLine(/^begins$/);
      const notes = new Map<number, string>();
      for (let edit = 0; edit < 60; edit += 1) {
        const id = 1 + (edit % 30);
        const note = `note ${String(edit)}`;
        saveNote(place.file, id, note, edit % 4 === 3);
        notes.set(id, note);
        await sleep(12);
      }
      const ended = await child.ended;
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
  it('is taken over, and what the owner writes when it wakes up takes nothing back', async () => {
    const place = new FaultFolder(6);
    try {
      const among = ['link', 'linkSync'];
      const orders = { file: place.file, name: 'child', play: 'steps', at: 2, act: 'freeze', among } as const;
      const child = startChild(orders);
      await child.waitForLine(/^freeze at/);
      await untilStopped(child.pid);
      const frozenAt = Date.now();
      await workPast(place);
      assert.ok(Date.now() - frozenAt > 5_000, 'the lock was held');
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

describe('Two workers and a person with an editor and git', () => {
  const seconds = isLong ? 60 : 5;

  it(`write one file for ${String(seconds)} seconds: no edit and no result is lost, and nothing runs twice`, async () => {
    const place = new FaultFolder(isLong ? 4_000 : 200);
    try {
      const git = gitIn(place.folder);
      git('init', '--quiet');
      git('add', 'prompts.csv');
      git('commit', '--quiet', '--message', 'The queue');
      const children = ['one', 'two'].map((name) => startChild({ file: place.file, name, play: 'wait' }));
      await Promise.all(children.map((child) => child.waitForLine(/^begins$/)));
      const notes = await editFor(seconds * 1000, place, () =>
        git('checkout', '--quiet', '--', 'prompts.csv'),
      );
      const ended = await Promise.all(children.map((child) => child.ended));
      const said = ended.map(({ stdout, stderr }) => stdout + stderr).join('');
      for (const { stdout } of ended) assert.match(stdout, /^through$/m, said);
      await checkShared(place, notes, { stdout: said });
    } finally {
      place.remove();
    }
  });
});

/** Git as it is for everybody, whatever this machine's owner has set. */
function gitIn(folder: string): (...args: string[]) => void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=me', '-c', 'user.email=me@localhost'];
  return (...args) => void execFileSync('git', [...who, ...args], { cwd: folder, env });
}

/** Saves notes again and again, in place and by rename, and once takes the whole file back. Gives the notes that count. */
async function editFor(ms: number, place: FaultFolder, takeBack: () => void): Promise<Map<number, string>> {
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
    saveNote(place.file, id, note, edit % 4 === 3);
    notes.set(id, note);
    await sleep(15);
  }
  return notes;
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
  assert.deepEqual(successes, finished, 'what was finished is told');
  const logged = parse(place.log('executed.log')).map(([id]) => Number(id));
  assert.deepEqual(
    logged.sort((a, b) => a - b),
    successes,
    'and logged once',
  );
  for (const [index, row] of rows.entries()) {
    // What git made pending again waits for a person.
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

/** Freezes a child at that change of the disk, works past it, and lets it go on. False when it came through before. */
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

/** What another worker does meanwhile: it takes a task, ends it, and writes the file. */
async function workPast(place: FaultFolder): Promise<void> {
  const queue = await openQueue(place.file);
  const answer = await queue.claim(want('other'), 'other-claim');
  assert.ok(answer.kind === 'claimed');
  await queue.finish(answer.claim, successOf(answer), 'other-finish');
  await queue.close();
}

async function untilStopped(pid: number): Promise<void> {
  for (;;) {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    if (stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')) return;
    await sleep(2);
  }
}
