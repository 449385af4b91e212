import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { isProblem } from '../../../../../src/domain/problem';
import { Journal } from '../../../../../src/queue/file/journal/journal';
import { STATE_VERSION } from '../../../../../src/queue/file/journal/journalLine';
import { archiveOf, newFile } from '../../journalWriter';

const journals: Journal<string>[] = [];

afterEach('no journal outlives its test', async () => {
  for (const journal of journals.splice(0)) await journal.close();
});

function openJournal(file: string): Journal<string> {
  const journal = new Journal<string>(file, archiveOf(file), () => Promise.resolve('x'));
  journals.push(journal);
  return journal;
}

async function journalWith(file: string, ...entries: readonly string[]): Promise<Journal<string>> {
  const journal = openJournal(file);
  await journal.read();
  for (const entry of entries) assert.ok(await journal.append(entry));
  return journal;
}

async function readAll(file: string): Promise<readonly string[]> {
  return (await openJournal(file).read()).entries;
}

describe('The journal', () => {
  it('returns each appended entry once, in order', async () => {
    const file = newFile();
    const journal = await journalWith(file, 'one', 'two');
    const reader = openJournal(file);
    assert.deepEqual(await reader.read(), { restarted: false, entries: ['one', 'two'] });
    assert.deepEqual(await reader.read(), { restarted: false, entries: [] });
    await journal.append('three');
    assert.deepEqual(await reader.read(), { restarted: false, entries: ['three'] });
  });

  it('does not exist before the first entry', async () => {
    assert.deepEqual(await readAll(newFile()), []);
  });

  it('is readable by the user alone', async () => {
    const file = newFile();
    await journalWith(file, 'secret prompt');
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('ignores a cut-off entry, wherever the cut is, and continues after it', async () => {
    const whole = newFile();
    await journalWith(whole, 'kept', 'cut off');
    const bytes = readFileSync(whole);
    const start = bytes.lastIndexOf('{"at"');
    for (let length = start; length < bytes.length; length += 1) {
      const file = newFile();
      writeFileSync(file, bytes.subarray(0, length));
      assert.deepEqual(await readAll(file), ['kept'], `cut at ${String(length)}`);
      await journalWith(file, 'next');
      assert.deepEqual(await readAll(file), ['kept', 'next'], `cut at ${String(length)}`);
    }
  });

  it('starts anew if its first line was cut off', async () => {
    const whole = newFile();
    await journalWith(whole, 'x');
    const bytes = readFileSync(whole);
    for (let length = 0; length <= bytes.indexOf('\n'); length += 1) {
      const file = newFile();
      writeFileSync(file, bytes.subarray(0, length));
      await journalWith(file, 'first');
      assert.deepEqual(await readAll(file), ['first'], `cut at ${String(length)}`);
    }
  });

  it('ignores an entry that a full disk cut off just before its line end', async () => {
    const file = newFile();
    await journalWith(file, 'kept', 'refused');
    truncateSync(file, statSync(file).size - 1);
    const other = await journalWith(file);
    assert.ok(await other.append('next'));
    assert.deepEqual(await readAll(file), ['kept', 'next']);
  });

  it('refuses an entry for an old end', async () => {
    const file = newFile();
    const slow = await journalWith(file, 'one');
    const fast = await journalWith(file);
    assert.equal(await fast.append('two'), true);
    assert.equal(await slow.append('two, too'), false);
    assert.deepEqual((await slow.read()).entries, ['two']);
    assert.equal(await slow.append('three'), true);
    assert.deepEqual(await readAll(file), ['one', 'two', 'three']);
  });

  it('ignores a late line of a frozen writer, and the writer learns it', async () => {
    const file = newFile();
    await journalWith(file, 'one');
    const late = lineFor(file, 'late');
    await journalWith(file, 'two');
    appendFileSync(file, late);
    assert.deepEqual(await readAll(file), ['one', 'two']);
    await journalWith(file, 'three');
    assert.deepEqual(await readAll(file), ['one', 'two', 'three']);
  });

  it('accepts exactly one of several writers each time, and all agree on it', async () => {
    const step = fc.record({ who: fc.nat(2), reads: fc.boolean(), waits: fc.boolean() });
    const play = async (steps: readonly { who: number; reads: boolean; waits: boolean }[]): Promise<void> => {
      const file = newFile();
      const writers = [0, 1, 2].map(() => openJournal(file));
      const won: string[] = [];
      const underWay: Promise<void>[] = [];
      for (const [index, { who, reads, waits }] of steps.entries()) {
        const journal = writers[who];
        assert.ok(journal !== undefined);
        const entry = `${String(who)}-${String(index)}`;
        const turn = async (): Promise<void> => {
          if (reads) await journal.read();
          if (await journal.append(entry)) won.push(entry);
        };
        // One journal does one thing at a time, as the store lets it; different ones run into each other.
        if (waits) await Promise.all(underWay.splice(0));
        underWay.push(turn());
        if (steps[index + 1]?.who === who) await Promise.all(underWay.splice(0));
      }
      await Promise.all(underWay);
      const reported = await readAll(file);
      assert.deepEqual([...reported].sort(), [...won].sort());
      assert.equal(new Set(reported).size, reported.length);
    };
    const oneAtATime = fc.array(step, { minLength: 2, maxLength: 12 }).map(withoutOverlapOfOne);
    await fc.assert(fc.asyncProperty(oneAtATime, play), { numRuns: 60 });
  });

  it('is reported as damaged if an entry in the middle is missing, and stays unchanged', async () => {
    const file = newFile();
    await journalWith(file, 'one', 'two', 'three');
    const text = readFileSync(file, 'utf8');
    const ways = [
      text.replace('"two"', '#two#'),
      text.replace('"two"', '"t'),
      text.replace(/.*"two".*\n/, ''),
    ];
    for (const damaged of ways) {
      writeFileSync(file, damaged);
      const reader = openJournal(file);
      const isDamaged = (error: unknown): boolean =>
        isProblem(error, 'state-damaged') && error.message.includes('entry 2');
      await assert.rejects(reader.read(), isDamaged);
      await assert.rejects(reader.read(), isDamaged);
      assert.equal(readFileSync(file, 'utf8'), damaged);
    }
  });

  it('of a newer version is not written', async () => {
    const file = newFile();
    writeFileSync(file, `${JSON.stringify({ at: 0, n: 0, by: 'x', version: STATE_VERSION + 1 })}\n`);
    await assert.rejects(readAll(file), (error) => isProblem(error, 'state-newer'));
  });

  it('that was archived is a new one for all, also for open handles', async () => {
    const file = newFile();
    const open = await journalWith(file, 'old');
    renameSync(file, `${file}.away`);
    assert.equal(await open.append('too late'), false);
    assert.deepEqual(await open.read(), { restarted: true, entries: [] });
    assert.ok(await open.append('new'));
    assert.deepEqual(await readAll(file), ['new']);
    assert.deepEqual(await readAll(`${file}.away`), ['old']);
  });

  it('that another process archived and started anew is read from its start', async () => {
    const file = newFile();
    const open = await journalWith(file, 'old', 'older');
    renameSync(file, `${file}.away`);
    await journalWith(file, 'a long new beginning '.repeat(20), 'second');
    assert.equal(await open.append('too late'), false);
    const { restarted, entries } = await open.read();
    assert.equal(restarted, true);
    assert.equal(entries.length, 2);
  });
});

/** Returns the line that a writer would append after reading the file as it is now. */
function lineFor(file: string, entry: string): string {
  const lines = readFileSync(file, 'utf8').split('\n').length - 1;
  return `${JSON.stringify({ at: statSync(file).size, n: lines, by: 'late', entry })}\n`;
}

interface Step {
  readonly who: number;
  readonly reads: boolean;
  readonly waits: boolean;
}

/** Lets everybody wait where a writer would start again before its last turn is over. */
function withoutOverlapOfOne(steps: readonly Step[]): Step[] {
  const busy = new Set<number>();
  return steps.map((step) => {
    const waits = step.waits || busy.has(step.who);
    if (waits) busy.clear();
    busy.add(step.who);
    return { ...step, waits };
  });
}
