import assert from 'node:assert/strict';
import { NEEDS_ANSWER } from '../../../../../src/domain/task/reviewReasons';
import type { TaskQueue } from '../../../../../src/queue/taskQueue';
import { CliHarness, FakeKeyboard } from '../../cliHarness';
import { endFirstTask, firstTask, openCliQueue } from '../../fileQueue';

const QUESTION = 'Delete the old folder or keep it?';
const KEY = `sk-ant-${'a1'.repeat(20)}`;

describe('claude-queue answer', () => {
  let cli: CliHarness;
  let queue: TaskQueue;
  beforeEach(async () => {
    cli = new CliHarness();
    cli.write('1,high,.,Tidy up,pending,,,no,,0,3', '2,low,.,Then that,pending,,,no,,0,3');
    queue = await openCliQueue(cli);
    await endFirstTask(cli, queue, { outcome: 'review', reason: NEEDS_ANSWER, message: QUESTION });
  });
  afterEach(async () => {
    await queue.close();
    cli.remove();
  });

  const answered = async (): Promise<string | undefined> =>
    (await firstTask(queue)).state.answered?.at(-1)?.answer;

  it('joins its words and makes the task pending', async () => {
    const { code, out } = await cli.call('answer', '1', 'Keep', 'it.');
    assert.equal(code, 0);
    assert.match(out, /^Task 1 is pending again and resumes with your answer\./);
    assert.equal((await firstTask(queue)).state.status, 'pending');
    assert.equal(await answered(), 'Keep it.');
  });

  for (const words of [['-'], []]) {
    it(`reads standard input with ${words.length === 0 ? 'no text and no terminal' : '"-"'}`, async () => {
      cli.input = 'Keep it.\nAll of it.\n';
      assert.equal((await cli.call('answer', '1', ...words)).code, 0);
      assert.equal(await answered(), 'Keep it.\nAll of it.');
    });
  }

  it('shows the question on a terminal when the text is missing', async () => {
    cli.keyboard = new FakeKeyboard();
    const { code, err } = await cli.call('answer', '1');
    assert.deepEqual([code, err.split('\n')[0]], [64, `Task 1 asks: ${QUESTION}`]);
  });

  it('removes secrets from the answer and says so', async () => {
    const { code, err } = await cli.call('answer', '1', 'Use', KEY);
    assert.equal(code, 0);
    assert.match(err, /looks like a secret was removed/);
    assert.equal(await answered(), 'Use [redacted Anthropic key]');
  });

  it('refuses an empty answer, and a task that asks nothing', async () => {
    assert.equal((await cli.call('answer', '1', ' ')).code, 64);
    const { code, err } = await cli.call('answer', '2', 'Yes.');
    assert.deepEqual([code, err], [1, 'Task 2 asks no question.']);
    assert.equal((await firstTask(queue)).state.status, 'review');
  });

  it('answers the question that status shows', async () => {
    assert.match((await cli.call('status')).out, /needs an answer: Delete the old folder or keep it\?/);
    const { tasks } = JSON.parse((await cli.call('status', '--json')).out) as {
      tasks: readonly { question: string | null }[];
    };
    assert.deepEqual(
      tasks.map(({ question }) => question),
      [QUESTION, null],
    );
  });
});
