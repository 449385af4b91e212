import assert from 'node:assert/strict';
import { DAY, repeat, type Harness } from '../harness';
import type { Scenario } from '../queueConformance';

const daily = repeat('daily');

/** The record of due times that are skipped. */
export function describeSkips(scenario: Scenario): void {
  scenario('due times of a claim that is released as unchanged, which are kept as one', async (harness) => {
    await harness.put(1, { repeat: daily, unlessUnchanged: true });
    await harness.finish(await harness.claim(), 'success', { tree: 'abc' });
    assert.equal((await harness.state(1)).successTree, 'abc');
    const first = (await harness.state(1)).dueAt ?? NaN;
    for (const day of [0, 1]) {
      const dueAt = first + day * DAY;
      await skipUnchanged(harness, dueAt);
      const { state } = (await harness.task(1)) ?? {};
      assert.deepEqual([state?.dueAt, state?.dueCause, state?.status], [dueAt + DAY, 'repeat', 'pending']);
    }
    await harness.idle();
    harness.clock.advance(DAY);
    const { claim } = await harness.claim();
    assert.deepEqual(claim.skipped, [{ why: 'unchanged', from: first, to: first + DAY, count: 2 }]);
  });

  scenario('due times of a row that was edited afterwards, each once', async (harness) => {
    const row = { repeat: daily, unlessUnchanged: true } as const;
    await harness.put(1, row);
    await harness.finish(await harness.claim(), 'success', { tree: 'abc' });
    const dueAt = (await harness.state(1)).dueAt ?? NaN;
    const skipped = [{ why: 'unchanged', from: dueAt, to: dueAt, count: 1 }];
    await skipUnchanged(harness, dueAt);
    await harness.put(1, { ...row, model: 'opus' });
    assert.deepEqual((await harness.state(1)).skipped, skipped);
    harness.clock.advance(DAY);
    const next = await harness.claim();
    assert.deepEqual(next.claim.skipped, skipped);
    await harness.finish(next, 'success');
    await harness.put(1, row);
    assert.equal((await harness.state(1)).skipped, undefined, 'the attempt has it');
  });
}

/** Claims the task a day later, and returns it as unchanged: its due time is skipped. */
async function skipUnchanged(harness: Harness, dueAt: number): Promise<void> {
  harness.clock.advance(DAY);
  const { claim, definition } = await harness.claim();
  assert.equal(definition.unlessUnchanged, true);
  const skip = {
    skipped: { why: 'unchanged', from: dueAt, to: dueAt, count: 1 },
    dueAt: dueAt + DAY,
  } as const;
  await harness.queue.release(claim, 'unchanged', harness.op(), skip);
}
