import assert from 'node:assert/strict';
import { isProblem } from '../../../src/domain/problem';
import { BY_HAND, type Outcome } from '../../../src/domain/task/attempt';
import type { TaskId } from '../../../src/domain/task/task';
import { DAY, MINUTE, PERSON, repeat, type Harness } from '../harness';
import type { Scenario } from '../queueConformance';

/** Scenarios of what the user has not reviewed, and of its limit. */
export function describeReviews(scenario: Scenario): void {
  describe('unreviewed tasks', () => {
    describeCount(scenario);
    describeAccept(scenario);
    describeLimit(scenario);
  });
}

async function countOf({ queue }: Harness): Promise<number> {
  return (await queue.read()).unreviewed;
}

/** Puts these tasks, and ends the first one. */
async function endFirst(harness: Harness, outcome: Outcome, ids: readonly TaskId[] = [1]): Promise<void> {
  for (const id of ids) await harness.put(id);
  await harness.run(outcome);
}

function describeCount(scenario: Scenario): void {
  for (const [outcome, count] of [
    ['success', 1],
    ['review', 1],
    ['permanent', 0],
    ['error', 0],
    ['limit', 0],
    ['cancelled', 0],
  ] as const)
    scenario(`are ${String(count)} after ${outcome}`, async (harness) => {
      await endFirst(harness, outcome);
      assert.equal(await countOf(harness), count);
    });

  scenario('do not include what the user did by hand', async (harness) => {
    await harness.put(1);
    const claimed = await harness.claim({ owner: PERSON });
    await harness.finish(claimed, 'success', { reason: BY_HAND });
    assert.equal(await countOf(harness), 0);
  });

  const decisions: Readonly<Record<string, (harness: Harness) => Promise<unknown>>> = {
    accepted: (harness) => harness.queue.command(1, 'accept', harness.op()),
    retried: (harness) => harness.queue.command(1, 'retry', harness.op()),
    commented: (harness) => harness.queue.comment(1, 'Shorter.', harness.op()),
    undone: (harness) => harness.queue.recordUndo(1, [1], harness.op()),
    removed: (harness) => harness.subject.remove(1),
    edited: (harness) => harness.put(1, { prompt: 'Something else' }),
    'set to pending by hand': (harness) => harness.put(1, {}, { status: 'pending' }),
  };
  for (const [name, decide] of Object.entries(decisions))
    scenario(`do not include a success that was ${name}`, async (harness) => {
      await endFirst(harness, 'success');
      await decide(harness);
      assert.equal(await countOf(harness), 0);
    });

  scenario('do not include an earlier success of a row that was edited and edited back', async (harness) => {
    await endFirst(harness, 'success');
    await harness.put(1, { prompt: 'Something else' });
    await harness.put(1);
    assert.equal(await countOf(harness), 0);
  });

  scenario('include one in review until it is accepted or set to completed by hand', async (harness) => {
    await endFirst(harness, 'review', [1, 2]);
    await harness.run('review');
    assert.equal(await countOf(harness), 2);
    await harness.queue.command(1, 'accept', harness.op());
    await harness.put(2, {}, { status: 'completed' });
    assert.equal(await countOf(harness), 0);
  });
}

function describeAccept(scenario: Scenario): void {
  scenario('can be accepted once, which changes nothing else', async (harness) => {
    await endFirst(harness, 'success');
    const { lastSuccessAt, status } = await harness.state(1);
    harness.clock.advance(MINUTE);
    await harness.queue.command(1, 'accept', 'accept');
    const accepted = await harness.state(1);
    assert.deepEqual([accepted.lastSuccessAt, accepted.status], [lastSuccessAt, status]);
    const [attempt] = await harness.queue.attempts({ id: 1 });
    assert.equal(attempt?.acceptedAt, harness.now);
    await harness.queue.command(1, 'accept', 'accept');
    await assert.rejects(harness.queue.command(1, 'accept', harness.op()), (error) =>
      isProblem(error, 'conflict'),
    );
  });
}

function describeLimit(scenario: Scenario): void {
  scenario('hold every task at their limit, until the user accepts one', async (harness) => {
    harness.settings = { ...harness.settings, maxUnreviewed: 2 };
    for (const id of [1, 2, 3]) await harness.put(id);
    await harness.put(4, { priority: 'critical' });
    await harness.run('success');
    await harness.run('review');
    const idle = await harness.idle();
    assert.equal(idle.passesByItself, false);
    assert.equal(idle.askAgainAt, null);
    assert.equal(idle.why.waitsFor, 'person');
    assert.deepEqual(idle.why.causes, [{ kind: 'unreviewed', unreviewed: 2, running: 0, max: 2 }]);
    harness.clock.advance(DAY);
    await harness.idle();
    await harness.queue.resume(harness.op());
    await harness.idle();
    await harness.queue.command(4, 'accept', harness.op());
    await harness.run('success');
    await harness.idle();
    assert.equal(await countOf(harness), 2);
  });

  scenario('hold no task that the user names', async (harness) => {
    harness.settings = { ...harness.settings, maxUnreviewed: 1 };
    await endFirst(harness, 'success', [1, 2]);
    await harness.idle();
    await harness.claim({ id: 2, override: { time: true } });
  });

  scenario('leave no room for attempts that could exceed their limit', async (harness) => {
    harness.settings = { ...harness.settings, maxUnreviewed: 2, maxRunning: 3 };
    await endFirst(harness, 'success', [1, 2, 3]);
    const second = await harness.claim();
    const idle = await harness.idle({ pid: 2 });
    assert.deepEqual(idle.why.causes, [{ kind: 'unreviewed', unreviewed: 1, running: 1, max: 2 }]);
    assert.equal(idle.passesByItself, true);
    await harness.finish(second, 'error');
    await harness.claim({ pid: 2 });
  });

  scenario('include a repeating task once, however often it succeeded', async (harness) => {
    harness.settings = { ...harness.settings, maxUnreviewed: 2 };
    await harness.put(1, { repeat: repeat('daily') });
    for (let day = 0; day < 3; day += 1) {
      await harness.run('success');
      harness.clock.advance(DAY);
    }
    assert.equal(await countOf(harness), 1);
    const claimed = await harness.claim();
    assert.equal(await countOf(harness), 0, 'it runs again');
    await harness.finish(claimed, 'success');
    await harness.queue.command(1, 'accept', harness.op());
    assert.equal(await countOf(harness), 0);
    assert.equal((await harness.state(1)).dueCause, 'repeat', 'it keeps its schedule');
  });
}
