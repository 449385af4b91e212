import assert from 'node:assert/strict';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import { SOON_SECONDS, limit, text } from '../../support/claude/replies';

/** Long enough for the second worker to start, and for a look at what both say. */
const RESET_IN_SECONDS = 2 * SOON_SECONDS;

describe('Two queues of one account', () => {
  it('both wait for the reset when one hits the limit, and continue by themselves', async () => {
    let limitedAt = 0;
    const arrivals: { prompt: string; at: number }[] = [];
    const place = await openPlace({
      respond: (turn) => {
        arrivals.push({ prompt: isAbout(turn, 'Task of A') ? 'A' : 'B', at: Date.now() });
        if (limitedAt > 0) return text('Done.');
        limitedAt = Date.now();
        return limit({ kind: 'five_hour', resetInSeconds: RESET_IN_SECONDS });
      },
    });
    const other = place.addQueue('other');
    await place.queue.trust([{ id: 1, prompt: 'Task of A' }]);
    await other.trust([{ id: 1, prompt: 'Task of B' }]);
    const first = place.queue.start('work --until-empty');
    await first.waitForLine(/Waiting[^:]*: 5-hour usage window used up/);
    const second = other.start('work --until-empty');
    await second.waitForLine(/Waiting[^:]*: 5-hour usage window/);
    const usage = await place.queue.run(['--queue', other.file, 'usage']);
    assert.equal(usage.code, 1, usage.stdout);
    const ends = await Promise.all([first.ended, second.ended]);
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0],
    );
    assert.deepEqual(arrivals.map(({ prompt }) => prompt).toSorted(), ['A', 'A', 'B']);
    // The stand-in reports resets in whole seconds, counted from the second of the request.
    for (const { prompt, at } of arrivals.slice(1)) {
      assert.ok(
        at - limitedAt >= (RESET_IN_SECONDS - 1) * 1_000,
        `${prompt} ran ${at - limitedAt} ms after the limit`,
      );
    }
    for (const queue of [place.queue, other]) {
      const task = await queue.task(1);
      assert.deepEqual([task.status, task.retryCount], ['completed', 0]);
    }
    assert.match(place.queue.log('quota_exceeded'), /^1,[^\n]*,quota_exceeded,Task of A\n$/);
    assert.equal(other.log('quota_exceeded'), '');
  });
});
