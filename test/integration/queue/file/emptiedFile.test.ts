import assert from 'node:assert/strict';
import { describeError } from '../../../../src/app/present/problems/problem';
import { isProblem } from '../../../../src/domain/problem';
import { eleven, openFile } from '../ownedFile';

describe('A queue file that was emptied', () => {
  it('is not finished while it is emptied or has only its header, and says how many tasks vanished', async () => {
    const whole = eleven('1,high,/w,x,pending,,,no,,0,3', '2,low,/w,y,pending,,,no,,0,3');
    for (const [broken, message] of [
      ['', /line 1, column 1: The file is empty\..* 1 open task vanished\. Restore the file\./],
      [eleven(), /^The queue file has no rows\. 1 open task vanished\. Restore the file\. /],
    ] as const) {
      const { harness, file } = await openFile(whole);
      const claimed = await harness.claim();
      const before = await file.text();
      await file.save(broken);
      const end = { ...(await harness.endOf(claimed, 'success')), definition: claimed.definition };
      const next = await harness.queue.finish(claimed.claim, end, harness.op(), harness.request());
      assert.equal(next?.kind === 'idle' && next.passesByItself, true);
      await assert.rejects(
        harness.idle(),
        (error) => isProblem(error, 'queue-incomplete') && message.test(describeError(error)),
      );
      assert.deepEqual((await harness.queue.read()).outbox, []);
      await file.save(before);
      assert.deepEqual(await harness.drain(), [2]);
    }
  });

  it('has its rows removed if it has had only its header for 20 seconds', async () => {
    const { harness, file } = await openFile(
      eleven('1,high,/w,x,pending,,,no,,0,3', '2,low,/w,y,pending,,,no,,0,3'),
    );
    await harness.run('success');
    await file.save(eleven());
    await assert.rejects(harness.idle(), (error) => isProblem(error, 'queue-incomplete'));
    harness.clock.advance(20_000);
    assert.equal((await harness.idle()).passesByItself, false);
    const [{ notice } = assert.fail('no notice'), ...others] = (await harness.queue.read()).outbox;
    assert.ok(notice.kind === 'all-done' && notice.completed === 1);
    assert.deepEqual(others, []);
  });

  it('is said to have lost its open tasks until it has rows again, but not if a command removed them', async () => {
    const whole = eleven('1,high,/w,x,pending,,,no,,0,3', '2,low,/w,y,pending,,,no,,0,3');
    const { harness, file } = await openFile(whole);
    const count = async (): Promise<number> => (await harness.queue.read()).emptied;
    await harness.run('success');
    const before = await file.text();
    for (const broken of ['', eleven()]) {
      await file.save(broken);
      assert.equal(await count(), 1);
      await harness.queue.sync();
      harness.clock.advance(60_000);
      assert.equal(await count(), 1);
      await file.save(before);
      assert.equal(await count(), 0);
    }
    await harness.queue.remove([1, 2], harness.op());
    assert.equal(await count(), 0);
  });

  it('may lose all its rows by a command', async () => {
    const { harness } = await openFile(eleven('1,high,/w,x,pending,,,no,,0,3'));
    await harness.queue.remove([1], harness.op());
    assert.equal((await harness.idle()).passesByItself, false);
  });
});
