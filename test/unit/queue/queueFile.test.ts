import assert from 'node:assert/strict';
import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMs } from '../../../src/domain/time/epoch';
import { isProblem } from '../../../src/domain/problem';
import { systemClock, type Clock } from '../../../src/platform/clock';
import type { CsvFile } from '../../../src/queue/csv/csvFile';
import { digest } from '../../../src/queue/file/journal/digest';
import { isTelling, textsOf, type FileStamp } from '../../../src/queue/file/import/fileStamp';
import { QueueFile } from '../../../src/queue/file/import/queueFile';
import { swap } from '../../../src/queue/file/checkpoint/atomicReplace';
import { until } from '../../support/until';
import { makeFolder } from './folder';

const HEADER = 'id,working_dir,prompt';

function textOf(...prompts: readonly string[]): string {
  return [HEADER, ...prompts.map((prompt, index) => `${index + 1},/w,${prompt}`), ''].join('\n');
}

/** A file, and a clock that lets somebody act while the reader waits for it to settle. */
class Desk {
  readonly file = join(makeFolder(), 'prompts.csv');
  readonly queueFile: QueueFile;
  waits = 0;
  meanwhile: () => void = () => undefined;
  now: () => EpochMs = () => systemClock.now();

  constructor(text: string) {
    writeFileSync(this.file, text);
    const clock: Clock = {
      ...systemClock,
      now: () => this.now(),
      sleep: () => {
        this.waits += 1;
        this.meanwhile();
        return Promise.resolve();
      },
    };
    this.queueFile = new QueueFile(this.file, clock);
  }

  read(written: string | null = null): Promise<CsvFile> {
    return this.queueFile.read(() => Promise.resolve(written));
  }

  /** What was read last, once a stamp is enough to know it by. */
  async settled(): Promise<CsvFile> {
    await until('its stamp tells', async () => {
      await this.read();
      return this.queueFile.findUnchanged() !== null;
    });
    return this.read();
  }

  /** From now on the file has always been saved just now, however slow the machine is. */
  keepYoung(): void {
    this.now = () => statSync(this.file).mtimeMs + 1;
  }
}

/** Puts bytes in the file's place, and gives the stamp by which they are known. */
async function swapStamped(file: string, bytes: Buffer, expected: Buffer): Promise<FileStamp> {
  const stamps: (FileStamp | null)[] = [];
  assert.equal(await swap(file, bytes, expected, (stamp) => stamps.push(stamp)), true);
  assert.ok(stamps[0], 'the disk of this test has times that are fine enough');
  return stamps[0];
}

function promptsOf(file: CsvFile): (string | undefined)[] {
  return file.records.map(({ cells }) => cells[2]);
}

describe('The queue file on the disk', () => {
  it('is the very same reading while nobody has touched it', async () => {
    const desk = new Desk(textOf('one', 'two'));
    const file = await desk.settled();
    assert.equal(await desk.read(), file);
    assert.equal(desk.queueFile.findUnchanged(), file);
    utimesSync(desk.file, new Date(), new Date());
    assert.equal(desk.queueFile.findUnchanged(), null);
    assert.equal(await desk.read(), file, 'the same bytes are the same file');
  });

  it('is noticed to be another one however fast it was changed, to the same length', async () => {
    const desk = new Desk(textOf('aaaa', 'end'));
    for (let turn = 0; turn < 300; turn += 1) {
      const word = ['bbbb', 'cccc', 'dddd'][turn % 3] ?? '';
      writeFileSync(desk.file, textOf(word, 'end'));
      assert.equal(promptsOf(await desk.read())[0], word, `after ${turn} changes`);
    }
  });

  it('is noticed to be another one that has the old times and the old length', async () => {
    const desk = new Desk(textOf('aaaa', 'end'));
    const longAgo = new Date('2026-01-01T00:00:00Z');
    utimesSync(desk.file, longAgo, longAgo);
    await desk.settled();
    writeFileSync(`${desk.file}~`, textOf('bbbb', 'end'));
    utimesSync(`${desk.file}~`, longAgo, longAgo);
    renameSync(`${desk.file}~`, desk.file);
    assert.equal(promptsOf(await desk.read())[0], 'bbbb');
  });

  it('need not settle when it ends with the row with which it ended', async () => {
    const desk = new Desk(textOf('one', 'two', 'three'));
    await desk.settled();
    desk.waits = 0;
    writeFileSync(desk.file, textOf('one', 'another', 'three'));
    assert.deepEqual(promptsOf(await desk.read()), ['one', 'another', 'three']);
    assert.equal(desk.waits, 0);
  });

  it('settles when it was cut off, even at the end of a row', async () => {
    const whole = textOf('one', 'two', 'three');
    for (const cut of [whole.indexOf('2,'), whole.indexOf('3,'), whole.indexOf('hree'), 0]) {
      const desk = new Desk(whole);
      await desk.settled();
      desk.keepYoung();
      desk.waits = 0;
      writeFileSync(desk.file, whole.slice(0, cut));
      desk.meanwhile = () => writeFileSync(desk.file, whole);
      assert.deepEqual(promptsOf(await desk.read()), ['one', 'two', 'three']);
      assert.ok(desk.waits > 0);
    }
  });

  it('need not settle when this program wrote it', async () => {
    const text = textOf('one', 'two');
    const desk = new Desk(text);
    await desk.read(digest(Buffer.from(text)));
    assert.equal(desk.waits, 0);
  });

  it('is known by its stamp at once when this program put it there, and a change in that instant is noticed', async () => {
    const desk = new Desk(textOf('aaaa', 'end'));
    for (let turn = 0; turn < 100; turn += 1) {
      const before = await desk.read();
      const bytes = Buffer.from(textOf('bbbb', `end ${String(turn)}`));
      desk.queueFile.believe(bytes, await swapStamped(desk.file, bytes, before.bytes));
      assert.equal(desk.queueFile.findUnchanged()?.bytes, bytes);
      writeFileSync(desk.file, textOf('cccc', `end ${String(turn)}`));
      assert.equal(promptsOf(await desk.read())[0], 'cccc', `after ${turn} changes`);
    }
  });

  it('need not be read when another process has only brought its shared cells up to date', async () => {
    const desk = new Desk(textOf('one', 'two'));
    const known = await desk.read();
    const [first, second] = [textOf('one', 'two '), textOf('one', 'two  ')].map((text) => Buffer.from(text));
    assert.ok(first !== undefined && second !== undefined);
    for (const [from, to] of [[known.bytes, first] as const, [first, second] as const]) {
      const stamp = textsOf(await swapStamped(desk.file, to, from));
      const fold = { base: digest(from), result: digest(to), stamp };
      assert.equal(await desk.queueFile.findFolded(fold), known);
    }
    assert.deepEqual((await desk.read()).bytes, second, 'whoever wants all of it reads it');
  });

  it('is read when a person has changed it before or after another process did', async () => {
    const desk = new Desk(textOf('one', 'two'));
    await desk.read();
    const saved = Buffer.from(textOf('won', 'two'));
    writeFileSync(desk.file, saved);
    const result = Buffer.from(textOf('won', 'two '));
    const stamp = textsOf(await swapStamped(desk.file, result, saved));
    const fold = { base: digest(saved), result: digest(result), stamp };
    assert.equal(await desk.queueFile.findFolded(fold), null, 'before');
    await desk.read();
    writeFileSync(desk.file, textOf('1ne', 'two '));
    assert.equal(await desk.queueFile.findFolded(fold), null, 'after');
  });

  it('is told to be gone', async () => {
    const desk = new Desk(textOf('one'));
    await desk.settled();
    renameSync(desk.file, `${desk.file}~`);
    assert.throws(
      () => desk.queueFile.findUnchanged(),
      (error) => isProblem(error, 'queue-missing'),
    );
    await assert.rejects(desk.read(), (error) => isProblem(error, 'queue-missing'));
  });
});

describe("A file's stamp", () => {
  const NS = 1_000_000n;
  const stamp = (ms: bigint, fraction: bigint) => ({
    ino: 1n,
    size: 1n,
    mtimeNs: ms * NS,
    ctimeNs: ms * NS + fraction,
  });

  it('tells nothing within the grain of the clock, which may be two seconds', () => {
    assert.equal(isTelling(stamp(10_000n, 123n), 10_020), false);
    assert.equal(isTelling(stamp(10_000n, 123n), 10_030), true);
    assert.equal(isTelling(stamp(10_000n, 0n), 11_990), false);
    assert.equal(isTelling(stamp(10_000n, 0n), 12_010), true);
    assert.equal(isTelling(stamp(10_000n, 123n), 9_000), false, 'nor from the future');
  });
});
