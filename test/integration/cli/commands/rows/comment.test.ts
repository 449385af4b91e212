import assert from 'node:assert/strict';
import type { TaskQueue } from '../../../../../src/queue/taskQueue';
import { CliHarness, FakeKeyboard } from '../../cliHarness';
import { endFirstTask, firstTask, openCliQueue } from '../../fileQueue';

const KEY = `sk-ant-${'a1'.repeat(20)}`;

describe('claude-queue comment', () => {
  let cli: CliHarness;
  let queue: TaskQueue;
  beforeEach(async () => {
    cli = new CliHarness();
    cli.write('1,high,.,Tidy up,pending,,,no,,0,3', '2,low,.,Then that,pending,,,no,,0,3');
    queue = await openCliQueue(cli);
    await endFirstTask(cli, queue, { outcome: 'success', reason: 'done', message: 'Done.' });
  });
  afterEach(async () => {
    await queue.close();
    cli.remove();
  });

  const commented = async (): Promise<string | undefined> =>
    (await firstTask(queue)).state.answered?.at(-1)?.answer;

  it('joins its words and makes the task pending', async () => {
    const { code, out } = await cli.call('comment', '1', 'Use', 'shorter', 'names.');
    assert.equal(code, 0);
    assert.match(out, /^Task 1 is pending again and resumes with your comment\./);
    assert.equal((await firstTask(queue)).state.status, 'pending');
    assert.equal(await commented(), 'Use shorter names.');
  });

  it('reads standard input with "-"', async () => {
    cli.input = 'Shorter.\nAnd plainer.\n';
    assert.equal((await cli.call('comment', '1', '-')).code, 0);
    assert.equal(await commented(), 'Shorter.\nAnd plainer.');
  });

  it('says how to comment on a terminal when the text is missing', async () => {
    cli.keyboard = new FakeKeyboard();
    const { code, err } = await cli.call('comment', '1');
    assert.deepEqual([code, err], [64, 'Comment on task 1 with "claude-queue comment 1 TEXT".']);
  });

  it('removes secrets from the comment and says so', async () => {
    const { code, err } = await cli.call('comment', '1', 'Use', KEY);
    assert.equal(code, 0);
    assert.match(err, /looks like a secret was removed/);
    assert.equal(await commented(), 'Use [redacted Anthropic key]');
  });

  it('is lost with an edit of the prompt, which says so', async () => {
    await cli.call('comment', '1', 'Shorter.');
    const lost = /^Claude will not get your comment: it was about the earlier row\.$/m;
    assert.doesNotMatch((await cli.call('edit', '1', '--tags', 'docs')).out, lost);
    assert.match((await cli.call('edit', '1', '--prompt', 'Tidy up well')).out, lost);
    assert.equal(await commented(), undefined);
  });

  it('refuses an empty comment, and a task that never ran', async () => {
    assert.equal((await cli.call('comment', '1', ' ')).code, 64);
    const { code, err } = await cli.call('comment', '2', 'Shorter.');
    assert.deepEqual(
      [code, err],
      [
        1,
        'Task 2 has no session in which a comment could be read: it has not run as it is now, or was last done by hand.',
      ],
    );
    assert.equal((await firstTask(queue)).state.status, 'completed');
  });
});
