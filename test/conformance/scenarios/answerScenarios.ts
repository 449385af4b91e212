import assert from 'node:assert/strict';
import { SESSION_UNUSABLE } from '../../../src/domain/task/attempt';
import { isProblem, type ProblemReason } from '../../../src/domain/problem';
import { NEEDS_ANSWER } from '../../../src/domain/task/reviewReasons';
import { openQuestion } from '../../../src/domain/queue/view';
import { DAY, HOUR, messageOf, repeat, type Harness } from '../harness';
import type { Scenario } from '../queueConformance';

const QUESTION = messageOf(NEEDS_ANSWER);
const REPLY = { question: QUESTION, answer: 'Keep it.' };

/** Runs the next task to a question. */
async function ask(harness: Harness): Promise<string> {
  const { claim } = await harness.run('review', { reason: NEEDS_ANSWER });
  return claim.session;
}

const refused = (reason: ProblemReason) => (error: unknown) => isProblem(error, reason);

/** Scenarios of tasks that ask the user a question. */
export function describeAnswers(scenario: Scenario): void {
  describe('a question', () => {
    scenario('is the reason why its task waits until it is answered', async (harness) => {
      await harness.put(1);
      await ask(harness);
      const { state, text } = await harness.why(1);
      assert.deepEqual([state, text], ['review', `needs an answer: ${QUESTION}`]);
      await harness.queue.answer(1, REPLY, harness.op());
      assert.equal((await harness.why(1)).state, 'ready');
      assert.equal(openQuestion(await harness.state(1)), undefined);
    });

    scenario('once answered resumes its session with the answer and counts no retry', async (harness) => {
      await harness.put(1);
      await harness.run('error');
      harness.clock.advance(HOUR);
      const session = await ask(harness);
      await harness.queue.answer(1, REPLY, harness.op());
      const { claim } = await harness.claim();
      assert.deepEqual([claim.session, claim.resume, claim.answered], [session, 'answer', [REPLY]]);
      assert.equal((await harness.state(1)).retryCount, 1);
    });

    scenario('of a repeating task resumes its session before the next time', async (harness) => {
      await harness.put(1, { repeat: repeat('daily') });
      const session = await ask(harness);
      await harness.queue.answer(1, REPLY, harness.op());
      const claimed = await harness.claim();
      assert.deepEqual([claimed.claim.session, claimed.claim.resume], [session, 'answer']);
      await harness.finish(claimed, 'success');
      harness.clock.advance(DAY);
      const { claim } = await harness.claim();
      assert.deepEqual([claim.resume, claim.answered], [undefined, undefined]);
    });

    scenario('is answered once, however often the call is repeated', async (harness) => {
      await harness.put(1);
      await ask(harness);
      await harness.queue.answer(1, REPLY, 'answer');
      await harness.queue.answer(1, REPLY, 'answer');
      const claimed = await harness.claim();
      assert.deepEqual(claimed.claim.answered, [REPLY]);
      await harness.finish(claimed, 'success');
      await harness.queue.answer(1, REPLY, 'answer');
      assert.equal((await harness.state(1)).status, 'completed');
    });

    scenario('is not answered by the answer to another one', async (harness) => {
      await harness.put(1);
      await ask(harness);
      const other = { question: 'Another one?', answer: 'Yes.' };
      await assert.rejects(harness.queue.answer(1, other, harness.op()), refused('conflict'));
      assert.equal((await harness.state(1)).status, 'review');
    });

    scenario('is answered only while it is open', async (harness) => {
      await harness.put(1);
      await assert.rejects(harness.queue.answer(1, REPLY, harness.op()), refused('conflict'));
      await harness.run('review');
      await assert.rejects(harness.queue.answer(1, REPLY, harness.op()), refused('conflict'));
      await assert.rejects(harness.queue.answer(9, REPLY, harness.op()), refused('no-such-task'));
      await harness.queue.command(1, 'retry', harness.op());
      await ask(harness);
      await harness.queue.command(1, 'accept', harness.op());
      await assert.rejects(harness.queue.answer(1, REPLY, harness.op()), refused('conflict'));
    });

    scenario('is not answered for a row that was edited after it was asked', async (harness) => {
      await harness.put(1);
      await ask(harness);
      await harness.put(1, { prompt: 'Something else' });
      await assert.rejects(harness.queue.answer(1, REPLY, harness.op()), refused('conflict'));
    });

    scenario('does not pass its answer to a row that was edited before it ran', async (harness) => {
      await harness.put(1);
      const session = await ask(harness);
      await harness.queue.answer(1, REPLY, harness.op());
      await harness.put(1, { prompt: 'Something else' }, { status: 'pending' });
      const { claim } = await harness.claim();
      assert.notEqual(claim.session, session);
      assert.equal(claim.answered, undefined);
    });

    scenario('keeps its answer through a limit, a lost attempt and a stop', async (harness) => {
      await harness.put(1);
      const session = await ask(harness);
      await harness.queue.answer(1, REPLY, harness.op());
      for (const outcome of ['limit', 'lost', 'cancelled'] as const) {
        const { claim } = await harness.run(outcome, outcome === 'cancelled' ? { reason: 'stopped' } : {});
        assert.deepEqual([claim.session, claim.answered], [session, [REPLY]]);
        harness.clock.advance(DAY);
      }
      assert.deepEqual((await harness.claim()).claim.answered, [REPLY]);
    });

    scenario('keeps its answer when its session is gone', async (harness) => {
      await harness.put(1);
      const session = await ask(harness);
      await harness.queue.answer(1, REPLY, harness.op());
      await harness.run('transient', { reason: SESSION_UNUSABLE });
      harness.clock.advance(HOUR);
      const { claim } = await harness.claim();
      assert.notEqual(claim.session, session);
      assert.deepEqual(claim.answered, [REPLY]);
    });

    scenario('that follows an answer keeps both answers in order', async (harness) => {
      await harness.put(1);
      await ask(harness);
      await harness.queue.answer(1, REPLY, harness.op());
      await ask(harness);
      await harness.queue.answer(1, { ...REPLY, answer: 'All of it.' }, harness.op());
      assert.deepEqual(
        (await harness.claim()).claim.answered?.map(({ answer }) => answer),
        ['Keep it.', 'All of it.'],
      );
    });

    scenario('is closed when its task is retried', async (harness) => {
      await harness.put(1);
      await ask(harness);
      await harness.queue.command(1, 'retry', harness.op());
      assert.equal((await harness.state(1)).question, undefined);
      assert.equal((await harness.claim()).claim.resume, 'retry');
    });
  });
}
