import assert from 'node:assert/strict';
import { SESSION_UNUSABLE } from '../../src/domain/task/attempt';
import { isProblem, type ProblemReason } from '../../src/domain/problem';
import { NEEDS_ANSWER } from '../../src/domain/task/reviewReasons';
import { openQuestion } from '../../src/domain/queue/view';
import { DAY, HOUR, messageOf, repeat, type Bench } from './bench';
import type { Scenario } from './queueConformance';

const QUESTION = messageOf(NEEDS_ANSWER);
const REPLY = { question: QUESTION, answer: 'Keep it.' };

/** Runs the next task to a question. */
async function ask(bench: Bench): Promise<string> {
  const { claim } = await bench.run('review', { reason: NEEDS_ANSWER });
  return claim.session;
}

const refused = (reason: ProblemReason) => (error: unknown) => isProblem(error, reason);

/** What becomes of a task that asks the user a question. */
export function describeAnswers(scenario: Scenario): void {
  describe('a question', () => {
    scenario('is the reason of its task until it is answered', async (bench) => {
      await bench.put(1);
      await ask(bench);
      const { shown, text } = await bench.why(1);
      assert.deepEqual([shown, text], ['review', `needs an answer: ${QUESTION}`]);
      await bench.queue.answer(1, REPLY, bench.op());
      assert.equal((await bench.why(1)).shown, 'ready');
      assert.equal(openQuestion(await bench.state(1)), undefined);
    });

    scenario('once answered resumes its session with the answer and burns no retry', async (bench) => {
      await bench.put(1);
      await bench.run('error');
      bench.clock.advance(HOUR);
      const session = await ask(bench);
      await bench.queue.answer(1, REPLY, bench.op());
      const { claim } = await bench.claim();
      assert.deepEqual([claim.session, claim.resume, claim.answered], [session, 'answer', [REPLY]]);
      assert.equal((await bench.state(1)).retryCount, 1);
    });

    scenario('of a repeating task resumes its session before the next time', async (bench) => {
      await bench.put(1, { repeat: repeat('daily') });
      const session = await ask(bench);
      await bench.queue.answer(1, REPLY, bench.op());
      const claimed = await bench.claim();
      assert.deepEqual([claimed.claim.session, claimed.claim.resume], [session, 'answer']);
      await bench.finish(claimed, 'success');
      bench.clock.advance(DAY);
      const { claim } = await bench.claim();
      assert.deepEqual([claim.resume, claim.answered], [undefined, undefined]);
    });

    scenario('is answered once, however often the call is repeated', async (bench) => {
      await bench.put(1);
      await ask(bench);
      await bench.queue.answer(1, REPLY, 'answer');
      await bench.queue.answer(1, REPLY, 'answer');
      const claimed = await bench.claim();
      assert.deepEqual(claimed.claim.answered, [REPLY]);
      await bench.finish(claimed, 'success');
      await bench.queue.answer(1, REPLY, 'answer');
      assert.equal((await bench.state(1)).status, 'completed');
    });

    scenario('is not answered by the answer to another one', async (bench) => {
      await bench.put(1);
      await ask(bench);
      const other = { question: 'Another one?', answer: 'Yes.' };
      await assert.rejects(bench.queue.answer(1, other, bench.op()), refused('conflict'));
      assert.equal((await bench.state(1)).status, 'review');
    });

    scenario('is answered only while it is open', async (bench) => {
      await bench.put(1);
      await assert.rejects(bench.queue.answer(1, REPLY, bench.op()), refused('conflict'));
      await bench.run('review');
      await assert.rejects(bench.queue.answer(1, REPLY, bench.op()), refused('conflict'));
      await assert.rejects(bench.queue.answer(9, REPLY, bench.op()), refused('no-such-task'));
      await bench.queue.command(1, 'retry', bench.op());
      await ask(bench);
      await bench.queue.command(1, 'accept', bench.op());
      await assert.rejects(bench.queue.answer(1, REPLY, bench.op()), refused('conflict'));
    });

    scenario('of a row that was changed since is not answered for the new row', async (bench) => {
      await bench.put(1);
      await ask(bench);
      await bench.put(1, { prompt: 'Something else' });
      await assert.rejects(bench.queue.answer(1, REPLY, bench.op()), refused('conflict'));
    });

    scenario('once answered is not answered for a row that was changed before it ran', async (bench) => {
      await bench.put(1);
      const session = await ask(bench);
      await bench.queue.answer(1, REPLY, bench.op());
      await bench.put(1, { prompt: 'Something else' }, { status: 'pending' });
      const { claim } = await bench.claim();
      assert.notEqual(claim.session, session);
      assert.equal(claim.answered, undefined);
    });

    scenario('keeps its answer through a limit, a lost run and a stop', async (bench) => {
      await bench.put(1);
      const session = await ask(bench);
      await bench.queue.answer(1, REPLY, bench.op());
      for (const outcome of ['limit', 'lost', 'cancelled'] as const) {
        const { claim } = await bench.run(outcome, outcome === 'cancelled' ? { reason: 'stopped' } : {});
        assert.deepEqual([claim.session, claim.answered], [session, [REPLY]]);
        bench.clock.advance(DAY);
      }
      assert.deepEqual((await bench.claim()).claim.answered, [REPLY]);
    });

    scenario('keeps its answer when its session is gone', async (bench) => {
      await bench.put(1);
      const session = await ask(bench);
      await bench.queue.answer(1, REPLY, bench.op());
      await bench.run('transient', { reason: SESSION_UNUSABLE });
      bench.clock.advance(HOUR);
      const { claim } = await bench.claim();
      assert.notEqual(claim.session, session);
      assert.deepEqual(claim.answered, [REPLY]);
    });

    scenario('that follows an answer keeps both answers in order', async (bench) => {
      await bench.put(1);
      await ask(bench);
      await bench.queue.answer(1, REPLY, bench.op());
      await ask(bench);
      await bench.queue.answer(1, { ...REPLY, answer: 'All of it.' }, bench.op());
      assert.deepEqual(
        (await bench.claim()).claim.answered?.map(({ answer }) => answer),
        ['Keep it.', 'All of it.'],
      );
    });

    scenario('is not asked any more once its task is tried again', async (bench) => {
      await bench.put(1);
      await ask(bench);
      await bench.queue.command(1, 'retry', bench.op());
      assert.equal((await bench.state(1)).question, undefined);
      assert.equal((await bench.claim()).claim.resume, 'retry');
    });
  });
}
