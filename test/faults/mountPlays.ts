import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import * as path from 'node:path';
import { isProblem } from '../../src/domain/problem';
import type { Claimed, TaskQueue } from '../../src/queue/taskQueue';
import { checkAllDone, FaultFolder, finishAll, openQueue, successOf, request } from './faultQueue';

/** For these plays a child has mounts of its own, which nobody else sees and which are gone with it. */
interface Part {
  /** A folder that is there for the play. */
  readonly file: string;
}

type Say = (text: string) => void;

const DISK_KB = 192;
const PAGE = 4096;

/** A disk that really is full, with from none to some pages left, at each step of a worker. */
export async function fullDisk({ file: folder }: Part, say: Say): Promise<void> {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${String(DISK_KB)}k`, 'tmpfs', folder]);
  process.env['TMPDIR'] = folder;
  let refused = 0;
  for (let pages = 0; pages <= 6; pages += 1) {
    const place = new FaultFolder(3);
    const filler = path.join(folder, 'filler');
    const queue = await openQueue(place.file, () => undefined);
    const retryUntilWritten = async <T>(step: () => Promise<T>): Promise<T> => {
      fill(filler, pages);
      try {
        return await step();
      } catch (error) {
        assert.ok(isProblem(error, 'queue-unwritable'), String(error));
        assert.match(error.message, /disk is full/);
        refused += 1;
        rmSync(filler);
        return await step();
      } finally {
        rmSync(filler, { force: true });
      }
    };
    await playRetrying(queue, String(pages), retryUntilWritten);
    await checkAllDone(place, queue, [1]);
    place.remove();
  }
  say(`refused ${String(refused)}`);
}

/** Leaves room for N pages only. */
function fill(filler: string, pages: number): void {
  const file = openSync(filler, 'w');
  const page = Buffer.alloc(PAGE);
  let written = 0;
  try {
    for (;;) written += writeSync(file, page);
  } catch (error) {
    assert.match(String(error), /ENOSPC/);
  }
  fsyncSync(file);
  closeSync(file);
  execFileSync('truncate', ['-s', String(Math.max(0, written - pages * PAGE)), filler]);
}

async function playRetrying(
  queue: TaskQueue,
  name: string,
  retryUntilWritten: <T>(step: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const row = { fields: { prompt: 'Added', working_dir: '/place/added' } };
  await retryUntilWritten(() => queue.add(row, `${name}-add`));
  await retryUntilWritten(() => queue.sync());
  // More than the rest of the journal's last page.
  await retryUntilWritten(() => queue.hold({ by: 'person', why: 'x'.repeat(PAGE) }, `${name}-hold`));
  await retryUntilWritten(() => queue.resume(`${name}-resume`));
  const claimed = (await retryUntilWritten(() => queue.claim(request('w'), `${name}-claim`))) as Claimed;
  await retryUntilWritten(() => queue.finish(claimed.claim, successOf(claimed), `${name}-finish`));
  await retryUntilWritten(() => queue.sync());
  await finishAll(queue);
}

/** A folder that really can only be read, and later again be written to. */
export async function readOnly({ file: folder }: Part, say: Say): Promise<void> {
  process.env['TMPDIR'] = folder;
  const place = new FaultFolder(2);
  const first = await openQueue(place.file);
  const claimed = (await first.claim(request('w'), 'claim')) as Claimed;
  await first.close();
  const before = place.text();
  execFileSync('mount', ['--bind', place.folder, place.folder]);
  execFileSync('mount', ['-o', 'remount,bind,ro', place.folder]);
  const queue = await openQueue(place.file, () => undefined);
  assert.equal((await queue.read()).claims.length, 1);
  for (const step of [
    () => queue.finish(claimed.claim, successOf(claimed), 'finish'),
    () => queue.claim(request('v'), 'other'),
    () => queue.edit(2, { prompt: 'p' }, 'edit'),
    () => queue.hold({ by: 'person', why: 'x' }, 'hold'),
    () => queue.reset(),
  ]) {
    await assert.rejects(
      step(),
      (error) => isProblem(error, 'queue-unwritable') && error.message.includes('read-only'),
    );
    say('refused 1');
  }
  await queue.close();
  assert.equal(place.text(), before);
  execFileSync('umount', [place.folder]);
  await queue.finish(claimed.claim, successOf(claimed), 'finish');
  await finishAll(queue);
  await checkAllDone(place, queue, [1, 2]);
}
