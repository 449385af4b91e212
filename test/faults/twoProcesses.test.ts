import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
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
  }).timeout(20_000);

  it('lose nothing where one is frozen in the middle of a step until its lock is taken over', async () => {
    // Every seventh change, each time beginning elsewhere: all of them in seven runs.
    for (let at = 1 + (Math.floor(Date.now() / 1000) % 7), frozen = true; frozen; at += 7) {
      frozen = await freezeAt(at);
    }
  }).timeout(40_000);

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
  }).timeout(30_000);
});

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
