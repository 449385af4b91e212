import assert from 'node:assert/strict';
import { isRunning } from '../../support/machine/processTable';
import { LONG_ROW, longTurns, openLongPlace, tokensOfFirst, waitForTool } from './runningTool';

describe('The processes that a killed worker left', () => {
  for (const { words, outcome } of [
    { words: 'stop --now', outcome: 'lost' },
    { words: 'cancel 1', outcome: 'cancelled' },
  ]) {
    it(`are ended by "${words}", with their attempt`, async () => {
      const place = await openLongPlace();
      const { queue } = place;
      await queue.trust([LONG_ROW]);
      const worker = queue.start('work');
      const left = await waitForTool(place, worker);
      worker.kill('SIGKILL');
      await worker.ended;
      assert.match(
        (await queue.run('status')).stdout,
        /^Task 1 is left over from worker \d+, .* is still running\./m,
      );
      const { code, stdout } = await queue.run(words);
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^Ended the leftover processes of task 1 \(worker \d+ is gone\)\.$/m);
      assert.deepEqual(left.filter(isRunning), []);
      assert.deepEqual(place.processes(), []);
      assert.equal((await queue.task(1)).lastOutcome, outcome);
      assert.ok((await tokensOfFirst(queue)) > 0);
    });
  }

  it('are ended by a waiting worker', async () => {
    const place = await openLongPlace();
    const { queue } = place;
    await queue.trust([LONG_ROW]);
    const worker = queue.start('work');
    const left = await waitForTool(place, worker);
    const other = queue.start('work --until-empty');
    await other.waitForLine(/Waiting[^:]*: worker \d+ is running task 1/);
    worker.kill('SIGKILL');
    const { code, stdout } = await other.ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Task 1 was lost/);
    assert.deepEqual(left.filter(isRunning), []);
    assert.equal(new Set(longTurns(place).map(({ session }) => session)).size, 1);
  });
});
