import assert from 'node:assert/strict';
import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMs } from '../../../../../src/domain/time/epoch';
import { isProblem } from '../../../../../src/domain/problem';
import { systemClock, type Clock } from '../../../../../src/platform/clock';
import type { CsvFile } from '../../../../../src/queue/csv/csvFile';
import { digest } from '../../../../../src/queue/file/journal/digest';
import { isReliable, textsOf, type FileStamp } from '../../../../../src/platform/files/fileStamp';
import { CsvReader } from '../../../../../src/queue/file/reading/csvReader';
import { replaceIfUnchanged } from '../../../../../src/queue/file/checkpoint/replaceIfUnchanged';
import { until } from '../../../../support/until';
import { makeFolder } from '../../folder';

const HEADER = 'id,working_dir,prompt';

function textOf(...prompts: readonly string[]): string {
  return [HEADER, ...prompts.map((prompt, index) => `${index + 1},/w,${prompt}`), ''].join('\n');
}

/** A file, and a clock that lets somebody act while the reader waits for it to settle. */
class CliHarness {
  readonly file = join(makeFolder(), 'prompts.csv');
  readonly queueFile: CsvReader;
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
    this.queueFile = new CsvReader(this.file, clock);
  }

  read(written: string | null = null): Promise<CsvFile> {
    return this.queueFile.read(() => Promise.resolve(written));
  }

  /** Returns the file as read last, once its stamp alone shows that it is unchanged. */
  async settled(): Promise<CsvFile> {
    await until('its stamp is enough', async () => {
      await this.read();
      return this.queueFile.findUnchanged() !== null;
    });
    return this.read();
  }

  /** Makes the file look just saved from now on, however slow the machine is. */
  keepYoung(): void {
    this.now = () => statSync(this.file).mtimeMs + 1;
  }
}

/** Puts bytes in the file's place, and gives the stamp by which they are known. */
async function replaceStamped(file: string, bytes: Buffer, expected: Buffer): Promise<FileStamp> {
  const stamps: (FileStamp | null)[] = [];
  assert.equal(await replaceIfUnchanged(file, bytes, expected, (stamp) => stamps.push(stamp)), true);
  assert.ok(stamps[0], 'the disk of this test has times that are fine enough');
  return stamps[0];
}

function promptsOf(file: CsvFile): (string | undefined)[] {
  return file.records.map(({ cells }) => cells[2]);
}

describe('The queue file on the disk', () => {
  it('is the same object while the file is unchanged', async () => {
    const cli = new CliHarness(textOf('one', 'two'));
    const file = await cli.settled();
    assert.equal(await cli.read(), file);
    assert.equal(cli.queueFile.findUnchanged(), file);
    utimesSync(cli.file, new Date(), new Date());
    assert.equal(cli.queueFile.findUnchanged(), null);
    assert.equal(await cli.read(), file, 'the same bytes are the same file');
  });

  it('is read again after a change of the same length, however fast', async () => {
    const cli = new CliHarness(textOf('aaaa', 'end'));
    for (let turn = 0; turn < 300; turn += 1) {
      const word = ['bbbb', 'cccc', 'dddd'][turn % 3] ?? '';
      writeFileSync(cli.file, textOf(word, 'end'));
      assert.equal(promptsOf(await cli.read())[0], word, `after ${turn} changes`);
    }
  });

  it('is read again after a change with the old times and the old length', async () => {
    const cli = new CliHarness(textOf('aaaa', 'end'));
    const longAgo = new Date('2026-01-01T00:00:00Z');
    utimesSync(cli.file, longAgo, longAgo);
    await cli.settled();
    writeFileSync(`${cli.file}~`, textOf('bbbb', 'end'));
    utimesSync(`${cli.file}~`, longAgo, longAgo);
    renameSync(`${cli.file}~`, cli.file);
    assert.equal(promptsOf(await cli.read())[0], 'bbbb');
  });

  it('need not settle if its last row is the same', async () => {
    const cli = new CliHarness(textOf('one', 'two', 'three'));
    await cli.settled();
    cli.waits = 0;
    writeFileSync(cli.file, textOf('one', 'another', 'three'));
    assert.deepEqual(promptsOf(await cli.read()), ['one', 'another', 'three']);
    assert.equal(cli.waits, 0);
  });

  it('settles if it was cut off, even at the end of a row', async () => {
    const whole = textOf('one', 'two', 'three');
    for (const cut of [whole.indexOf('2,'), whole.indexOf('3,'), whole.indexOf('hree'), 0]) {
      const cli = new CliHarness(whole);
      await cli.settled();
      cli.keepYoung();
      cli.waits = 0;
      writeFileSync(cli.file, whole.slice(0, cut));
      cli.meanwhile = () => writeFileSync(cli.file, whole);
      assert.deepEqual(promptsOf(await cli.read()), ['one', 'two', 'three']);
      assert.ok(cli.waits > 0);
    }
  });

  it('need not settle if this program wrote it', async () => {
    const text = textOf('one', 'two');
    const cli = new CliHarness(text);
    await cli.read(digest(Buffer.from(text)));
    assert.equal(cli.waits, 0);
  });

  it('is recognized by its stamp if this program wrote it, and a change in that instant is noticed', async () => {
    const cli = new CliHarness(textOf('aaaa', 'end'));
    for (let turn = 0; turn < 100; turn += 1) {
      const before = await cli.read();
      const bytes = Buffer.from(textOf('bbbb', `end ${String(turn)}`));
      cli.queueFile.noteWritten(bytes, await replaceStamped(cli.file, bytes, before.bytes));
      assert.equal(cli.queueFile.findUnchanged()?.bytes, bytes);
      writeFileSync(cli.file, textOf('cccc', `end ${String(turn)}`));
      assert.equal(promptsOf(await cli.read())[0], 'cccc', `after ${turn} changes`);
    }
  });

  it('need not be read after a checkpoint of another process', async () => {
    const cli = new CliHarness(textOf('one', 'two'));
    const known = await cli.read();
    const [first, second] = [textOf('one', 'two '), textOf('one', 'two  ')].map((text) => Buffer.from(text));
    assert.ok(first !== undefined && second !== undefined);
    for (const [from, to] of [[known.bytes, first] as const, [first, second] as const]) {
      const stamp = textsOf(await replaceStamped(cli.file, to, from));
      const checkpoint = { base: digest(from), result: digest(to), stamp };
      assert.equal(await cli.queueFile.findReadBefore(checkpoint), known);
    }
    assert.deepEqual((await cli.read()).bytes, second, 'a caller that needs all bytes reads them');
  });

  it('is read if the user changed it before or after another process did', async () => {
    const cli = new CliHarness(textOf('one', 'two'));
    await cli.read();
    const saved = Buffer.from(textOf('won', 'two'));
    writeFileSync(cli.file, saved);
    const result = Buffer.from(textOf('won', 'two '));
    const stamp = textsOf(await replaceStamped(cli.file, result, saved));
    const checkpoint = { base: digest(saved), result: digest(result), stamp };
    assert.equal(await cli.queueFile.findReadBefore(checkpoint), null, 'before');
    await cli.read();
    writeFileSync(cli.file, textOf('1ne', 'two '));
    assert.equal(await cli.queueFile.findReadBefore(checkpoint), null, 'after');
  });

  it('is reported as missing', async () => {
    const cli = new CliHarness(textOf('one'));
    await cli.settled();
    renameSync(cli.file, `${cli.file}~`);
    assert.throws(
      () => cli.queueFile.findUnchanged(),
      (error) => isProblem(error, 'queue-missing'),
    );
    await assert.rejects(cli.read(), (error) => isProblem(error, 'queue-missing'));
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

  it('proves nothing within the resolution of the clock, which can be two seconds', () => {
    assert.equal(isReliable(stamp(10_000n, 123n), 10_020), false);
    assert.equal(isReliable(stamp(10_000n, 123n), 10_030), true);
    assert.equal(isReliable(stamp(10_000n, 0n), 11_990), false);
    assert.equal(isReliable(stamp(10_000n, 0n), 12_010), true);
    assert.equal(isReliable(stamp(10_000n, 123n), 9_000), false, 'nor from the future');
  });
});
