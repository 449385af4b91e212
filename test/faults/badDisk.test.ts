import assert from 'node:assert/strict';
import { isProblem } from '../../src/domain/problem';
import { systemProcesses } from '../../src/platform/processes/processes';
import type { Claimed, TaskQueue } from '../../src/queue/taskQueue';
import { isLong, seed } from '../support/fuzz';
import { checkAllDone, FaultFolder, finishAll, openQueue, successOf, request } from './faultQueue';
import { meddleWithDisk } from './faultyFs';

/** Changes that a full disk still allows: clearing up, and attributes of existing files. */
const NEEDS_NO_ROOM = /^f?(rm|rmdir|unlink|truncate|chmod|utimes)(Sync)?$/;

/** Lets every change of the disk fail that `fails` names, while `work` continues. Gives how many changes there were. */
async function withBadDisk(
  code: string,
  fails: (call: number) => boolean,
  work: () => Promise<void>,
): Promise<number> {
  let calls = 0;
  const fail = (): never => {
    throw Object.assign(new Error(`${code}: the test says so`), { code });
  };
  const takeBack = await meddleWithDisk(({ name }) => {
    if (code === 'ENOSPC' && NEEDS_NO_ROOM.test(name)) return null;
    calls += 1;
    // A full disk takes what still fits.
    return fails(calls) ? { half: code === 'ENOSPC', then: fail } : null;
  });
  try {
    await work();
  } finally {
    takeBack();
  }
  return calls;
}

/** Does a step on a disk that takes no byte more once the queue file has been replaced. */
async function withFullDiskAfterReplace<T>(step: () => Promise<T>): Promise<T> {
  let isReplaced = false;
  const fail = (): never => {
    throw Object.assign(new Error('ENOSPC: the test says so'), { code: 'ENOSPC' });
  };
  const takeBack = await meddleWithDisk(({ name, isWrite }) => {
    if (name === 'renameSync') isReplaced = true;
    return isReplaced && isWrite ? { half: false, then: fail } : null;
  });
  try {
    return await step();
  } finally {
    takeBack();
  }
}

/** Does a step; where it is refused it has changed nothing, or all of it, and goes through when it is repeated. */
async function retryUntilWritten<T>(queue: TaskQueue, step: () => Promise<T>): Promise<T> {
  const before = await lookOf(queue);
  try {
    return await step();
  } catch (error) {
    assert.ok(isProblem(error, 'queue-unwritable'), String(error));
    const after = await lookOf(queue);
    const answer = await step();
    const complete = await lookOf(queue);
    assert.ok([before, complete].includes(after), 'a refused step did half of its work');
    return answer;
  }
}

async function lookOf(queue: TaskQueue): Promise<string> {
  const { tasks, claims, holds } = await queue.read();
  const everything = { tasks, claims, holds, attempts: await queue.attempts({}) };
  // A row that no step has recorded yet is first seen at each look.
  return JSON.stringify(everything, (key, value: unknown) => (key === 'firstSeenAt' ? undefined : value));
}

/** One of each step, each until it is done. */
async function playRetrying(place: FaultFolder): Promise<void> {
  const queue = await openQueue(place.file, () => undefined);
  await retryUntilWritten(queue, () =>
    queue.add({ fields: { prompt: 'Added', working_dir: '/place/added' } }, 'add'),
  );
  await queue.close();
  const claimed = (await retryUntilWritten(queue, () => queue.claim(request('w'), 'claim'))) as Claimed;
  await retryUntilWritten(queue, () => queue.start(claimed.claim, systemProcesses.self(), 'start'));
  await queue.close();
  const next = await retryUntilWritten(queue, () =>
    queue.finish(claimed.claim, successOf(claimed), 'finish', request('w')),
  );
  await queue.close();
  assert.ok(next?.kind === 'claimed');
  await retryUntilWritten(queue, () => queue.release(next.claim, 'stopped', 'release'));
  await queue.close();
  await retryUntilWritten(queue, () => queue.edit(2, { prompt: 'Edited, "2"' }, 'edit'));
  await retryUntilWritten(queue, () => queue.hold({ by: 'person', why: 'Away.' }, 'hold'));
  await retryUntilWritten(queue, () => queue.command(3, 'cancel', 'cancel'));
  await queue.close();
}

describe('A queue file on a bad disk', () => {
  it('that is full at any moment rejects the step whole, reports it, and works afterwards', async () => {
    // In `npm test` every other change, start with the first or the second.
    const stride = isLong ? 1 : 2;
    for (let at = 1 + (seed % stride), calls = at; at <= calls; at += stride) {
      const place = new FaultFolder(3);
      try {
        calls = await withBadDisk(
          'ENOSPC',
          (call) => call === at,
          () => playRetrying(place),
        );
        const queue = await openQueue(place.file);
        await finishAll(queue);
        await checkAllDone(place, queue, [1]).catch((error: unknown) => {
          throw new Error(`The disk was full at change ${String(at)}.`, { cause: error });
        });
        assert.equal(place.rows().length, 4, `the row was added once (full at change ${String(at)})`);
      } finally {
        place.remove();
      }
    }
  });

  it('that takes a row and nothing more answers from the file once, and imports it later', async () => {
    const place = new FaultFolder(1);
    const reported: string[] = [];
    try {
      const queue = await openQueue(place.file, (message) => void reported.push(message));
      const add = (): Promise<{ id: number }> =>
        queue.add({ fields: { prompt: 'Added', working_dir: '/place/added' } }, 'add');
      const edit = (): Promise<{ id: number }> => queue.edit(1, { prompt: 'Edited' }, 'edit');
      for (const [step, id] of [
        [add, 2],
        [edit, 1],
      ] as const) {
        await queue.read();
        const answer = await withFullDiskAfterReplace(step);
        assert.equal(answer.id, id);
        assert.equal((await step()).id, id);
      }
      const { tasks } = await queue.read();
      assert.deepEqual(
        tasks.map(({ definition }) => definition.prompt),
        ['Edited', 'Added'],
      );
      assert.equal(place.rows().length, 2);
      assert.deepEqual(
        reported.map((message) => message.includes('changed and will be imported later')),
        [true, true],
      );
      await queue.close();
    } finally {
      place.remove();
    }
  });

  for (const code of ['EROFS', 'EACCES']) {
    it(`that is read-only (${code}) shows everything, refuses each change with a reason, and loses nothing`, async () => {
      const place = new FaultFolder(2);
      try {
        const first = await openQueue(place.file);
        const claimed = (await first.claim(request('w'), 'claim')) as Claimed;
        await first.close();
        const before = place.text();
        await withBadDisk(
          code,
          () => true,
          async () => {
            const queue = await openQueue(place.file, () => undefined);
            assert.equal((await queue.read()).claims.length, 1);
            for (const step of [
              () => queue.finish(claimed.claim, successOf(claimed), 'finish'),
              () => queue.claim(request('v'), 'other'),
              () => queue.add({ fields: { prompt: 'p', working_dir: '/w' } }, 'add'),
              () => queue.hold({ by: 'person', why: 'x' }, 'hold'),
              () => queue.reset(),
            ]) {
              await assert.rejects(
                step(),
                (error) => isProblem(error, 'queue-unwritable') && error.message.includes('read-only'),
              );
            }
            await queue.close();
          },
        );
        assert.equal(place.text(), before);
        await first.finish(claimed.claim, successOf(claimed), 'finish');
        await finishAll(first);
        await checkAllDone(place, first, [1, 2]);
      } finally {
        place.remove();
      }
    });
  }
});
