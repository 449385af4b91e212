import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { isProblem } from '../../src/domain/problem';
import { isLong, randomFrom, seed, report } from '../support/fuzz';
import { checkAllDone, FaultFolder, finishAll, openQueue, successOf, request } from './faultQueue';

/** A worker that is gone, whatever became of its number. */
const GONE = { pid: 2 ** 22 + 1, startedAt: 'long ago' };

/**
 * Makes a queue of three tasks. A checkpoint has the end of the first; only the last two lines of the journal have
 * that of the second.
 */
async function makeTemplate(): Promise<FaultFolder> {
  const place = new FaultFolder(3);
  const queue = await openQueue(place.file, () => undefined);
  for (const name of ['one', 'two']) {
    const claimed = await queue.claim(request(name, GONE), `${name}-claim`);
    assert.ok(claimed.kind === 'claimed');
    await queue.finish(claimed.claim, successOf(claimed), `${name}-finish`);
    if (name === 'one') await queue.close();
  }
  // No checkpoint can have started yet: it waits at least for the next turn of the loop.
  const template = place.copy();
  await queue.close();
  place.remove();
  return template;
}

/** The journal in force. */
function journalOf(place: FaultFolder): string {
  const state = path.join(place.folder, 'state');
  const generation = (name: string): number => Number(name.split('.')[1] ?? 1);
  const names = readdirSync(state).filter((name) => /^journal(\.\d+)?$/.test(name));
  return path.join(state, names.sort((a, b) => generation(b) - generation(a))[0] ?? 'journal');
}

/** Where the last `count` lines start, and where all ends. */
function lastLines(bytes: Buffer, count: number): { readonly from: number; readonly to: number } {
  let from = bytes.length - 1;
  for (let line = 0; line < count; line += 1) from = bytes.lastIndexOf('\n', from - 1);
  return { from: from + 1, to: bytes.length };
}

async function checkContinues(place: FaultFolder, done: readonly number[], what: string): Promise<void> {
  try {
    const queue = await openQueue(place.file);
    await finishAll(queue);
    await checkAllDone(place, queue, done);
  } catch (error) {
    throw new Error(what, { cause: error });
  } finally {
    place.remove();
  }
}

describe('A torn journal', () => {
  let template: FaultFolder;

  before(async () => {
    template = await makeTemplate();
  });

  after(() => template.remove());

  it('at any byte of its last two lines loses at most these steps, and the queue continues', async () => {
    const bytes = readFileSync(journalOf(template));
    const { from, to } = lastLines(bytes, 2);
    const stride = isLong ? 1 : 29;
    let cuts = 0;
    for (let at = from + (seed % stride); at <= to; at += stride) {
      const place = template.copy();
      truncateSync(journalOf(place), at);
      await checkContinues(
        place,
        at === to ? [1, 2] : [1],
        `torn at byte ${String(at - from)} of ${String(to - from)}`,
      );
      cuts += 1;
    }
    assert.ok(cuts * stride > 300, 'the lines are longer');
    report(`${String(cuts)} places at which a journal was torn`);
  }).timeout(600_000);

  it('with anything behind its last line loses nothing', async () => {
    const random = randomFrom(seed);
    const noise = (length: number): Buffer =>
      Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
    const [line = ''] = readFileSync(journalOf(template), 'utf8').split('\n').slice(-2);
    const tails = [
      Buffer.alloc(4096),
      Buffer.alloc(4096, 'x'),
      Buffer.from('{"at":0,"n":0,"by":"x","entry":{}}\n'),
      Buffer.from(`${line}\n`),
      Buffer.from(line.slice(0, -1)),
      Buffer.from('[]\nnull\n{}\n"\n'),
      ...Array.from({ length: isLong ? 500 : 12 }, () => noise(1 + Math.floor(random() * 300))),
    ];
    for (const tail of tails) {
      const place = template.copy();
      appendFileSync(journalOf(place), tail);
      await checkContinues(
        place,
        [1, 2],
        `behind the last line: ${JSON.stringify(tail.toString('latin1')).slice(0, 200)}`,
      );
    }
    report(`${String(tails.length)} tails behind a journal's last line`);
  }).timeout(600_000);

  it('in its middle is refused with a remedy, and stays unchanged', async () => {
    const place = template.copy();
    try {
      const journal = journalOf(place);
      const lines = readFileSync(journal, 'utf8').split('\n');
      const damaged = lines.toSpliced(2, 1, '#'.repeat(lines[2]?.length ?? 0)).join('\n');
      writeFileSync(journal, damaged);
      await assert.rejects(
        openQueue(place.file),
        (error) =>
          isProblem(error, 'state-damaged') && error.message.includes('Put the file back from a backup'),
      );
      assert.equal(readFileSync(journal, 'utf8'), damaged);
      assert.ok(existsSync(place.file) && place.text() === template.text());
    } finally {
      place.remove();
    }
  });
});
