import assert from 'node:assert/strict';
import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProblem } from '../../../src/domain/problem';
import { systemClock, type Clock } from '../../../src/platform/clock';
import type { CsvFile } from '../../../src/queue/csv/csvFile';
import { digest } from '../../../src/queue/file/digest';
import { isTelling } from '../../../src/queue/file/fileStamp';
import { QueueFile } from '../../../src/queue/file/queueFile';
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

  constructor(text: string) {
    writeFileSync(this.file, text);
    const clock: Clock = {
      ...systemClock,
      now: () => systemClock.now(),
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
