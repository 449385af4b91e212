import assert from 'node:assert/strict';
import { isProblem, type ProblemReason } from '../../../src/domain/problem';
import { NEEDS_ANSWER } from '../../../src/domain/task/reviewReasons';
import { DAY, messageOf, repeat } from '../harness';
import type { Scenario } from '../queueConformance';

const refused = (reason: ProblemReason) => (error: unknown) => isProblem(error, reason);

/** Scenarios of comments on what a task did. */
export function describeComments(scenario: Scenario): void {
  describe('a comment', () => {
    for (const outcome of ['success', 'review', 'permanent'] as const) {
      scenario(`after ${outcome} resumes the session of that attempt with the comment`, async (harness) => {
        await harness.put(1);
        const { claim: first } = await harness.run(outcome);
        await harness.queue.comment(1, 'Shorter.', harness.op());
        const { claim } = await harness.claim();
        assert.deepEqual(
          [claim.session, claim.resume, claim.answered],
          [first.session, 'comment', [{ answer: 'Shorter.' }]],
        );
        assert.equal((await harness.state(1)).retryCount, 0);
      });
    }

    scenario(
      'follows earlier answers and comments, and is known until the task ends well',
      async (harness) => {
        await harness.put(1);
        await harness.run('review', { reason: NEEDS_ANSWER });
        const reply = { question: messageOf(NEEDS_ANSWER), answer: 'Keep it.' };
        await harness.queue.answer(1, reply, harness.op());
        await harness.run('review');
        await harness.queue.comment(1, 'Shorter.', harness.op());
        await harness.queue.comment(1, 'And plainer.', harness.op());
        const claimed = await harness.claim();
        const told = [reply, { answer: 'Shorter.\n\nAnd plainer.' }];
        assert.deepEqual(claimed.claim.answered, told);
        await harness.finish(claimed, 'success');
        await harness.queue.command(1, 'retry', harness.op());
        assert.equal((await harness.claim()).claim.answered, undefined);
      },
    );

    scenario('goes with an answer that no attempt has read yet', async (harness) => {
      await harness.put(1);
      await harness.run('review', { reason: NEEDS_ANSWER });
      const reply = { question: messageOf(NEEDS_ANSWER), answer: 'Keep it.' };
      await harness.queue.answer(1, reply, harness.op());
      await harness.queue.comment(1, 'Shorter.', harness.op());
      const { claim } = await harness.claim();
      assert.deepEqual(
        [claim.resume, claim.answered],
        ['answer', [{ ...reply, answer: 'Keep it.\n\nShorter.' }]],
      );
    });

    scenario('on a repeating task runs it before its next time', async (harness) => {
      await harness.put(1, { repeat: repeat('daily') });
      const { claim: first } = await harness.run('success');
      await harness.queue.comment(1, 'Shorter.', harness.op());
      const claimed = await harness.claim();
      assert.deepEqual([claimed.claim.session, claimed.claim.resume], [first.session, 'comment']);
      await harness.finish(claimed, 'success');
      harness.clock.advance(DAY);
      assert.equal((await harness.claim()).claim.resume, undefined);
    });

    scenario('is recorded once, however often the call is repeated', async (harness) => {
      await harness.put(1);
      await harness.run('success');
      await harness.queue.comment(1, 'Shorter.', 'comment');
      await harness.queue.comment(1, 'Shorter.', 'comment');
      const { claim } = await harness.claim();
      assert.deepEqual(claim.answered, [{ answer: 'Shorter.' }]);
      await harness.queue.comment(1, 'Shorter.', 'comment');
    });

    scenario('is refused for a task that never ran, is running, asks, or does not exist', async (harness) => {
      await harness.put(1);
      await assert.rejects(harness.queue.comment(1, 'Shorter.', harness.op()), refused('conflict'));
      await assert.rejects(harness.queue.comment(9, 'Shorter.', harness.op()), refused('no-such-task'));
      const claimed = await harness.claim();
      await assert.rejects(harness.queue.comment(1, 'Shorter.', harness.op()), refused('already-running'));
      await harness.finish(claimed, 'review', { reason: NEEDS_ANSWER });
      await assert.rejects(harness.queue.comment(1, 'Shorter.', harness.op()), refused('conflict'));
    });

    scenario(
      'is refused for a row that changed since it ran: its session worked on another task',
      async (harness) => {
        await harness.put(1);
        await harness.run('success');
        await harness.put(1, { prompt: 'Something else' });
        await assert.rejects(harness.queue.comment(1, 'Shorter.', harness.op()), refused('conflict'));
      },
    );
  });
}
