import assert from 'node:assert/strict';
import { OPEN_GATE } from '../../../src/domain/gate/gate';
import { defaults } from '../../../src/domain/settings/settings';
import { CliHarness } from './cliHarness';
import { endFirstTask, openCliQueue, startAttempt } from './fileQueue';

let cli: CliHarness;

describe('A task that the user does by hand', () => {
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  beforeEach(() =>
    cli.write('1,low,.,Later,pending,,,no,,0,3', '2,high,sub,Do ```it``` now,pending,,,no,,0,3'),
  );

  it('is written to NEXT_TASK.md, the same one until they decide its outcome', async () => {
    const { code, out } = await cli.call('next');
    assert.equal(code, 0);
    assert.match(
      out,
      /^Task 2 is yours: .*NEXT_TASK\.md\nStart claude in .*\/sub and ask it to read that file/,
    );
    assert.match(cli.read('NEXT_TASK.md'), /^# Next task: 2$/m);
    assert.deepEqual(await cli.shown(2), ['running', 'you']);
    await cli.call('next');
    assert.match(cli.read('NEXT_TASK.md'), /^# Next task: 2$/m);
    assert.equal((await cli.call('done')).out, 'Task 2 is done.');
    assert.equal(cli.has('NEXT_TASK.md'), false);
    assert.equal((await cli.shown(2))?.[0], 'completed');
    assert.match(cli.read('state/executed.log'), /^2,2026-11-20 18:00:00,0,0,Do ```it``` now$/m);
    assert.match((await cli.call('next')).out, /^Task 1 is yours/);
  });

  it('is no longer in NEXT_TASK.md once it is cancelled, unlike one that they still have', async () => {
    await cli.call('next');
    await cli.call('cancel', '1');
    assert.match(cli.read('NEXT_TASK.md'), /^# Next task: 2$/m);
    assert.equal((await cli.call('cancel', '2')).out, 'Task 2 is cancelled.');
    assert.equal(cli.has('NEXT_TASK.md'), false);
  });

  it('is not that of the user of another machine, which only its id ends', async () => {
    const queue = await openCliQueue(cli);
    const owner = { kind: 'person', machine: 'mars/0123456789ab' } as const;
    const request = {
      ...{ owner, override: { unattendedRules: true }, since: cli.now, gate: OPEN_GATE },
      approvedRows: { trusted: true, approvals: new Set<string>() },
      ...{ settings: defaults, timeZone: 'UTC', freshSession: 'a' },
    };
    const taken = await queue.claim(request, 'take');
    await queue.close();
    assert.equal(taken.kind === 'claimed' ? taken.claim.id : null, 2);
    assert.deepEqual(await cli.shown(2), ['running', 'the user on mars']);
    assert.match((await cli.call('next')).out, /^Task 1 is yours/);
    assert.equal((await cli.call('done')).out, 'Task 1 is done.');
    assert.match(
      (await cli.call('done')).err,
      /^You have no task on this machine, but the user on mars has task 2\. Name it to end that\.$/,
    );
    assert.equal((await cli.call('release', '2')).out, 'Task 2 is back in the queue.');
    assert.match((await cli.call('next')).out, /^Task 2 is yours/);
  });

  it('can be one that a worker of another machine left behind, which a file says nothing of', async () => {
    const queue = await openCliQueue(cli);
    await startAttempt(cli, queue, { pid: 4242, startedAt: 'then' }, 'mars/0123456789ab');
    await queue.close();
    assert.deepEqual(await cli.shown(2), ['running', 'worker 42 on mars']);
    assert.equal((await cli.call('release', '2')).out, 'Task 2 is back in the queue.');
  });

  it('that failed is retried later', async () => {
    await cli.call('trust');
    await cli.call('next');
    assert.equal((await cli.call('fail', '2')).out, 'Task 2 failed.');
    assert.deepEqual(await cli.shown(2), ['retrying', 'next try 18:00:30']);
    const task = (await cli.status()).tasks.find(({ id }) => id === 2);
    assert.deepEqual([task?.['retryCount'], task?.['lastMessage']], [1, 'Failed by hand.']);
  });

  it('counts in the figures of its priority, with its wait and whether it was late', async () => {
    cli.writeFile('config.yaml', 'serviceHigh: 10m\n');
    await cli.call('add', 'Much later', '--priority', 'low');
    cli.now += 5 * 60_000;
    await cli.call('next');
    cli.now += 6 * 60_000;
    await cli.call('done');
    const { attempts } = JSON.parse((await cli.call('history', '--json')).out) as {
      readonly attempts: readonly Record<string, unknown>[];
    };
    assert.deepEqual(
      attempts.map(({ priority, waitedMs, late }) => [priority, waitedMs, late]),
      [['high', 5 * 60_000, true]],
    );
    const { out } = await cli.call('status', '--rates');
    assert.match(out, /^high: 1 in the last hour, 1 in 24 hours; on average each waited 5 min$/m);
  });

  it('has no history where no such task exists', async () => {
    const { code, err } = await cli.call('history', '99');
    assert.deepEqual([code, err], [1, 'There is no task 99.']);
    assert.equal((await cli.call('history', '2')).code, 0);
  });

  it('that is returned is unchanged', async () => {
    await cli.call('next');
    assert.equal((await cli.call('release')).out, 'Task 2 is back in the queue.');
    assert.equal((await cli.shown(2))?.[0], 'unapproved');
    assert.equal(cli.has('NEXT_TASK.md'), false);
    assert.match((await cli.call('next')).out, /^Task 2 is yours/);
  });

  it('completes after an edit of its row; the new text is a pending task', async () => {
    await cli.call('next');
    cli.write('2,high,sub,Do it later,pending,,,no,,0,3');
    const { out } = await cli.call('done');
    assert.equal(out, 'Task 2 is done.\nIts row was edited meanwhile; the new version is still to do.');
    assert.equal((await cli.shown(2))?.[0], 'unapproved');
  });

  it('is not ended while its row is not valid, and repeats afterwards', async () => {
    const row = (interval: string): string => `2,high,sub,Dance,pending,,,yes,${interval},0,3`;
    cli.write(row('1d'));
    await cli.call('next');
    cli.write(row('sometimes'));
    const { code, err } = await cli.call('done');
    assert.equal(code, 1);
    assert.match(err, /^The queue is invalid, line 2, column 32: The interval "sometimes"/);
    cli.write(row('1d'));
    assert.equal((await cli.call('done')).out, 'Task 2 is done.');
    assert.equal((await cli.shown(2))?.[0], 'unapproved');
  });

  it('is unclaimed at first', async () => {
    const { code, err } = await cli.call('done');
    assert.equal(code, 1);
    assert.equal(err, 'You have no task. Take one with "claude-queue next".');
    assert.match((await cli.call('release', '1')).err, /^Task 1 is not yours: /);
  });

  it('does not exist when nothing is left, which is no failure', async () => {
    cli.write('1,low,.,Later,pending,2026-11-21 09:00,,no,,0,3');
    cli.writeFile('NEXT_TASK.md', 'an old one');
    const { code, out } = await cli.call('next');
    assert.equal(code, 4);
    assert.equal(out, 'There is no next task: not before 2026-11-21 09:00.');
    assert.equal(cli.has('NEXT_TASK.md'), false);
  });

  it('does not exist while another one is in review, whose own words are not the reason', async () => {
    cli.write('1,low,.,Write it,pending,,,no,,0,3');
    const queue = await openCliQueue(cli);
    await endFirstTask(cli, queue, {
      ...{ outcome: 'review', reason: 'denied' },
      message: 'Finished, but Claude was refused an action: Bash node -e 1.',
    });
    await queue.close();
    assert.equal(
      (await cli.call('next')).out,
      'There is no next task: a task is in review; accept or retry it.',
    );
  });

  it('can be one of several, after an edit of the first: then an id is required', async () => {
    await cli.call('next');
    cli.write('1,low,.,Later,pending,,,no,,0,3');
    await cli.call('next');
    const { code, err } = await cli.call('done');
    assert.equal(code, 64);
    assert.equal(err, 'You have several tasks (2, 1): name one.');
    assert.equal((await cli.call('done', '2')).out, 'Task 2 is done.');
    assert.equal((await cli.call('done')).out, 'Task 1 is done.');
  });

  it('can be taken while the queue is paused', async () => {
    await cli.call('hold');
    assert.match((await cli.call('next')).out, /^Task 2 is yours/);
  });
});
