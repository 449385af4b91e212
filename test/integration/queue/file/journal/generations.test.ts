import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isProblem } from '../../../../../src/domain/problem';
import { Generations } from '../../../../../src/queue/file/journal/generations';
import { STATE_VERSION } from '../../../../../src/queue/file/journal/journalLine';
import { Freeze } from '../../freeze';
import { archiveOf, newFile, sumOf, Writer, writerOf } from '../../journalWriter';

function filesBeside(file: string): string[] {
  return readdirSync(join(file, '..')).sort();
}

/** Whether a program of format 1 refuses a line, given that it is at its place. */
function refusesAsFormatOne(text: string): boolean {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { version?: number })
    .some(({ version }) => version !== undefined && version > 1);
}

describe('A journal that is replaced by a snapshot', () => {
  it('has the same content for open and new handles, and continues', async () => {
    const file = newFile();
    const writer = await writerOf(file, 'one', 'two');
    const reader = new Writer(file);
    assert.equal(await reader.sum(), 'one two');
    assert.ok(await writer.compact());
    assert.equal(await reader.sum(), 'one two');
    assert.ok(await writer.append('three'));
    assert.ok(await reader.append('four'));
    assert.ok(await reader.compact());
    assert.equal(await writer.sum(), 'one two three four');
    assert.equal(await sumOf(file), 'one two three four');
    assert.deepEqual(filesBeside(file), ['journal', 'journal.3']);
    assert.equal(statSync(`${file}.3`).mode & 0o777, 0o600);
  });

  it('does not overwrite archived generations of another history', async () => {
    const file = newFile();
    const archive = archiveOf(file);
    mkdirSync(archive);
    for (const name of ['journal', 'journal.2']) writeFileSync(join(archive, name), `theirs ${name}`);
    const writer = await writerOf(file, 'one');
    await writer.compact();
    await writer.compact();
    const texts = readdirSync(archive).map((name) => readFileSync(join(archive, name), 'utf8'));
    assert.deepEqual(texts.filter((text) => text.startsWith('theirs')).sort(), [
      'theirs journal',
      'theirs journal.2',
    ]);
    for (const name of ['journal', 'journal.2'])
      assert.match(readFileSync(join(archive, name), 'utf8'), /"history":"x"/);
  });

  it('is read again only by processes that did not write it', async () => {
    const file = newFile();
    const writer = await writerOf(file, 'one');
    const reader = new Writer(file);
    await reader.sum();
    await writer.compact();
    assert.deepEqual(await writer.journal.read(), { restarted: false, entries: [] });
    assert.deepEqual(await reader.journal.read(), { restarted: true, entries: ['one'] });
  });

  it('has the length of its snapshot', async () => {
    const file = newFile();
    const writer = await writerOf(file, 'one', 'two');
    assert.equal(writer.journal.snapshotSize, 0);
    await writer.compact();
    const { size } = statSync(`${file}.2`);
    await writer.append('three');
    const reader = new Writer(file);
    await reader.sum();
    for (const { journal } of [writer, reader]) {
      assert.equal(journal.snapshotSize, size);
      assert.equal(journal.size, statSync(`${file}.2`).size);
    }
  });

  it('refuses a program of format 1, from its seal on', async () => {
    const file = newFile();
    const writer = await writerOf(file, 'one');
    linkSync(file, `${file}-kept`);
    await writer.compact();
    assert.ok(refusesAsFormatOne(readFileSync(`${file}-kept`, 'utf8')), 'the sealed file');
    const stub = readFileSync(file, 'utf8');
    assert.ok(refusesAsFormatOne(stub), 'the stub');
    assert.equal((JSON.parse(stub) as { at: number }).at, 0);
  });

  it('of a newer version is not written, whichever of its files names the version', async () => {
    const newer = (at: number, n: number): string =>
      `${JSON.stringify({ at, n, by: 'x', version: STATE_VERSION + 1 })}\n`;
    const isNewer = (error: unknown): boolean =>
      isProblem(error, 'state-newer') && error.message.includes('Update this program');
    const stub = newFile();
    writeFileSync(stub, newer(0, 0));
    await assert.rejects(sumOf(stub), isNewer);
    const generation = newFile();
    writeFileSync(`${generation}.4`, newer(0, 0));
    await assert.rejects(sumOf(generation), isNewer);
    const sealed = newFile();
    await writerOf(sealed, 'one');
    appendFileSync(sealed, newer(statSync(sealed).size, 2));
    await assert.rejects(sumOf(sealed), isNewer);
  });

  it('is damaged if only the stub is left, and no new one is started', async () => {
    const file = newFile();
    await (await writerOf(file, 'one')).compact();
    rmSync(`${file}.2`);
    await assert.rejects(sumOf(file), (error) => isProblem(error, 'state-damaged'));
    assert.equal(await new Writer(file).journal.append('two'), false);
    assert.deepEqual(filesBeside(file), ['journal']);
  });

  it('ignores a line of a frozen writer after the seal', async () => {
    const file = newFile();
    const writer = await writerOf(file, 'one');
    const late = await writerOf(file);
    await late.sum();
    await writer.compact();
    assert.equal(await late.appendUnread('late'), false);
    assert.equal(await sumOf(file), 'one');
    assert.ok(await late.append('two'));
    assert.equal(await writer.sum(), 'one two');
  });

  it('ignores a line after its seal, even at its byte', async () => {
    const file = newFile();
    const writer = await writerOf(file, 'one');
    linkSync(file, `${file}-kept`);
    await writer.compact();
    const sealed = readFileSync(`${file}-kept`, 'utf8');
    const alone = newFile();
    const line = { at: sealed.length, n: sealed.trim().split('\n').length, by: 'x', entry: 'behind' };
    writeFileSync(alone, `${sealed}${JSON.stringify(line)}\n`);
    assert.equal(await sumOf(alone), 'one');
    assert.equal(await new Writer(alone).append('two'), false);
    assert.equal(await sumOf(alone), 'one');
    assert.ok(existsSync(`${alone}.2`), 'the writer that found it made the next one');
  });

  it('reports to a writer that was frozen after its line whether the line counts', async () => {
    const file = newFile();
    const writer = await writerOf(file, 'one');
    const freeze = await Freeze.begin(1, false);
    try {
      const appending = writer.append('two');
      await freeze.reached;
      assert.ok(await new Writer(file).compact());
      freeze.letGo();
      assert.equal(await appending, true, 'it was read before the seal was set');
    } finally {
      freeze.end();
    }
    assert.equal(await writer.sum(), 'one two');
  });
});

/**
 * Moves of others while the process that replaces the journal is frozen or dead. Each returns the words it appended.
 */
const OTHERS: Readonly<Record<string, (other: Writer) => Promise<string[]>>> = {
  look: async (other) => {
    await other.sum();
    return [];
  },
  append: async (other) => [await retryUntilWritten(other, 'B')],
  compact: async (other) => {
    const word = await retryUntilWritten(other, 'B');
    assert.ok(await other.compact());
    return [word];
  },
  'compact twice': async (other) => {
    const first = await retryUntilWritten(other, 'B');
    assert.ok(await other.compact());
    const second = await retryUntilWritten(other, 'C');
    assert.ok(await other.compact());
    return [first, second];
  },
};

/** As the store does: a word that was refused is said again on what is there by then. */
async function retryUntilWritten(writer: Writer, word: string): Promise<string> {
  for (let tries = 0; tries < 3; tries += 1) if (await writer.append(word)) return word;
  throw new Error(`Nobody takes ${word}.`);
}

interface Interruption {
  readonly at: number;
  readonly does: string;
  readonly wakes: boolean;
  readonly cutsWrites?: boolean;
}

/** One replaces the journal and is frozen in the middle, others continue; false where it came through before. */
async function interrupt({ at, does, wakes, cutsWrites = false }: Interruption): Promise<boolean> {
  const file = newFile();
  const writer = await writerOf(file, 'one', 'two');
  const early = new Writer(file);
  await early.sum();
  const freeze = await Freeze.begin(at, cutsWrites);
  const where = `${does}, at ${String(at)}, ${wakes ? 'frozen' : 'killed'}`;
  try {
    const compacting = writer.compact();
    const isThrough = await Promise.race([freeze.reached.then(() => false), compacting.then(() => true)]);
    if (isThrough) return false;
    const reader = new Writer(file);
    assert.equal(await reader.sum(), 'one two', where);
    const said = (await OTHERS[does]?.(new Writer(file))) ?? [];
    const words = ['one', 'two', ...said].join(' ');
    assert.equal(await reader.sum(), words, where);
    assert.equal(await early.sum(), words, where);
    if (wakes) {
      freeze.letGo();
      await compacting;
      assert.equal(await writer.sum(), words, where);
      await retryUntilWritten(writer, 'last');
    } else await retryUntilWritten(reader, 'last');
    assert.equal(await sumOf(file), `${words} last`, where);
    assert.equal(await reader.sum(), `${words} last`, where);
    await retryUntilWritten(reader, 'more');
    assert.ok(await reader.compact());
    assert.equal(filesBeside(file).length, 2, 'nothing is left over');
    // A killed process stays dead; this only closes what it holds open in this process.
    freeze.letGo();
    await compacting;
    assert.equal(await reader.sum(), `${words} last more`, where);
    return true;
  } finally {
    freeze.end();
  }
}

/** Interrupts at every change of the disk in turn. */
async function interruptEverywhere(how: Omit<Interruption, 'at'>): Promise<number> {
  let at = 1;
  while (await interrupt({ ...how, at })) at += 1;
  return at - 1;
}

describe('A process that replaces a journal', () => {
  it('never replaces the new generation of another process', async () => {
    const file = newFile();
    const generations = new Generations(file, archiveOf(file));
    const drafts = [
      await generations.draft(2, { by: 'a', history: 'x', entries: ['a'] }),
      await generations.draft(2, { by: 'b', history: 'x', entries: ['b'] }),
    ];
    const ends = [];
    for (const draft of drafts) ends.push(await generations.publish(draft, 2));
    assert.deepEqual(ends, [true, false]);
    assert.equal(await sumOf(file), 'a');
  });

  for (const does of Object.keys(OTHERS)) {
    it(`can be frozen at every step while others ${does}, and harms nothing when it wakes`, async () => {
      assert.ok((await interruptEverywhere({ does, wakes: true })) > 8);
    });

    it(`can be killed at every step; others ${does} and lose nothing`, async () => {
      assert.ok((await interruptEverywhere({ does, wakes: false })) > 8);
      assert.ok((await interruptEverywhere({ does, wakes: false, cutsWrites: true })) > 0);
    });
  }

  it('can run beside others and appends: nothing is lost or repeated', async () => {
    const step = fc.record({
      who: fc.nat(2),
      does: fc.constantFrom('append', 'compact', 'look'),
      waits: fc.boolean(),
    });
    const play = async (steps: readonly { who: number; does: string; waits: boolean }[]): Promise<void> => {
      const file = newFile();
      const writers = [0, 1, 2].map(() => new Writer(file));
      const turns = writers.map(() => Promise.resolve());
      const won: string[] = [];
      for (const [index, { who, does, waits }] of steps.entries()) {
        const writer = writers[who];
        assert.ok(writer !== undefined);
        const word = `${String(who)}-${String(index)}`;
        const turn = async (): Promise<void> => {
          if (does === 'compact') await writer.compact();
          else if (does === 'look') await writer.sum();
          else if (await writer.append(word)) won.push(word);
        };
        // One journal does one thing at a time, as the store lets it; different ones run into each other.
        turns[who] = (turns[who] ?? Promise.resolve()).then(turn);
        if (waits) await Promise.all(turns);
      }
      await Promise.all(turns);
      const reported = (await sumOf(file)).split(' ').filter((word) => word !== '');
      assert.deepEqual([...reported].sort(), [...won].sort());
      for (const writer of writers) assert.equal(await writer.sum(), reported.join(' '));
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), play), {
      numRuns: 80,
    });
  });
});
