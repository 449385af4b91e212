import assert from 'node:assert/strict';
import { CliHarness, FakeKeyboard } from '../../cliHarness';
import { openCliQueue, startAttempt } from '../../fileQueue';

describe('claude-queue approve', () => {
  let cli: CliHarness;
  beforeEach(() => {
    cli = new CliHarness();
    cli.write('1,high,.,Do it,pending,,,no,,0,3', '2,low,.,Then that,pending,,1,no,,0,3');
  });
  afterEach(() => cli.remove());

  it('lists a row that was never listed, and does not approve it', async () => {
    const { code, out, err } = await cli.call('approve', '--all');
    assert.equal(code, 1);
    assert.match(out, /^Task 1, .*\n {4}Do it\nTask 2, .*\n {4}Then that$/);
    assert.match(err, /^Not approved: 1, 2\. This was not listed before, or has changed since\./);
    assert.equal((await cli.shown(1))?.[0], 'unapproved');
    assert.equal((await cli.call('approve', '--all')).code, 0);
    assert.deepEqual(await cli.shown(1), ['ready', '']);
  });

  it('lists a row again that changed since it was listed, and does not approve it', async () => {
    await cli.call('approve');
    cli.write('1,high,.,Do something else,pending,,,no,,0,3', '2,low,.,Then that,pending,,1,no,,0,3');
    const { code, out, err } = await cli.call('approve', '--all');
    assert.equal(code, 1);
    assert.match(out, /Do something else[^]*Approved 1 task\.$/);
    assert.match(err, /^Not approved: 1\./);
    assert.deepEqual([(await cli.shown(1))?.[0], (await cli.shown(2))?.[0]], ['unapproved', 'blocked']);
  });

  it('takes ids with commas between them, and counts each once', async () => {
    await cli.call('approve');
    assert.match((await cli.call('approve', '1,2')).out, /Approved 2 tasks\.$/);
    assert.match((await cli.call('approve', '2', '2')).out, /Approved 1 task\.$/);
    assert.equal((await cli.call('approve', '1,x')).code, 64);
  });

  it('approves nothing if one of several tasks is not there', async () => {
    await cli.call('approve');
    const { code, err } = await cli.call('approve', '1', '9');
    assert.deepEqual([code, err], [1, 'Task 9 does not exist, or its row is invalid. Nothing was approved.']);
    assert.equal((await cli.shown(1))?.[0], 'unapproved');
  });

  it('shows each line of a check and its set-up that changed', async () => {
    const setUp = (program: string): void => {
      cli.writeFile('config.yaml', `verifyBefore: true\nverifySetup: [${program}]\n`);
    };
    setUp('first');
    await cli.call('add', 'Checked', '--verify', '["check"]');
    await cli.approve('3');
    setUp('second');
    assert.match(
      (await cli.call('approve')).out,
      /\n {4}verify:\n {8}\["check"\]\n {6}- .* set up by first\n {6}\+ .* set up by second\n/,
    );
  });

  it('asks on a terminal, and approves the row as it was shown there', async () => {
    const [keyboard, rest] = [new FakeKeyboard(), '2,low,.,Then that,pending,,1,no,,0,3'];
    cli.keyboard = keyboard;
    const answers = ['\n', 'y\n'];
    cli.onLine = (line) => {
      if (line !== 'Approve 1 task as listed? [y/N]') return;
      // Somebody changes the row while the question is open.
      cli.write('1,high,.,Do something else,pending,,,no,,0,3', rest);
      setImmediate(() => keyboard.press(answers.shift() ?? ''));
    };
    assert.equal((await cli.call('approve', '1')).code, 1);
    cli.write('1,high,.,Do it at once,pending,,,no,,0,3', rest);
    assert.equal((await cli.call('approve', '1')).code, 0);
    assert.equal((await cli.shown(1))?.[0], 'unapproved', 'as it is by now');
    cli.write('1,high,.,Do it at once,pending,,,no,,0,3', '2,low,.,Then that,pending,,1,no,,0,3');
    assert.deepEqual(await cli.shown(1), ['ready', ''], 'as it was shown');
  });

  it('does not count a list that a running task requested', async () => {
    cli.env['CLAUDE_QUEUE_RUN'] = 'mark';
    await cli.call('approve');
    delete cli.env['CLAUDE_QUEUE_RUN'];
    assert.equal((await cli.call('approve', '1')).code, 1);
    assert.equal((await cli.shown(1))?.[0], 'unapproved');
  });

  describe('--off', () => {
    beforeEach(() => cli.approve('--all'));

    it('lets a task wait for approval again', async () => {
      const { code, out } = await cli.call('approve', '--off', '1');
      assert.deepEqual([code, out], [0, 'The approval of task 1 was withdrawn.']);
      assert.deepEqual([(await cli.shown(1))?.[0], (await cli.shown(2))?.[0]], ['unapproved', 'blocked']);
      const again = await cli.call('approve', '--off', '1', '9');
      assert.deepEqual([again.code, again.out], [0, 'None of these tasks was approved.']);
      assert.match((await cli.call('approve')).out, /^Task 1, .*\n {4}Do it\nApprove with /);
    });

    it('withdraws the approvals of all tasks, also of a removed one', async () => {
      await cli.call('rm', '2');
      assert.equal(
        (await cli.call('approve', '--off', '--all')).out,
        'The approvals of 2 tasks were withdrawn.',
      );
      assert.equal((await cli.shown(1))?.[0], 'unapproved');
    });

    it('names the attempt that continues', async () => {
      const queue = await openCliQueue(cli);
      await startAttempt(cli, queue, cli.self());
      await queue.close();
      assert.match(
        (await cli.call('approve', '--off', '1')).out,
        /\nTask 1 is running: this attempt continues\.$/,
      );
    });

    it('refuses in a file that is trusted as a whole: its tasks need no approval', async () => {
      await cli.call('trust');
      const { code, err } = await cli.call('approve', '--off', '1');
      assert.equal(code, 64);
      assert.match(err, / is trusted as a whole: .* Stop trusting it with "claude-queue trust --off"\.$/);
      await cli.call('trust', '--off');
      assert.deepEqual(await cli.shown(1), ['ready', '']);
    });

    it('refuses without tasks, and refuses a running task', async () => {
      assert.equal((await cli.call('approve', '--off')).code, 64);
      cli.env['CLAUDE_QUEUE_RUN'] = 'mark';
      assert.match(
        (await cli.call('approve', '--off', '1')).err,
        /^A running task may not withdraw approvals\./,
      );
    });
  });
});
