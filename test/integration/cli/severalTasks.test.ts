import assert from 'node:assert/strict';
import { CliHarness } from './cliHarness';

let cli: CliHarness;

describe('A command with several tasks', () => {
  beforeEach(() => {
    cli = new CliHarness();
    cli.write(
      '1,high,.,One,pending,,,no,,0,3',
      '2,high,.,Two,completed,,,no,,0,3',
      '3,high,.,Three,review,,,no,,0,3',
      '4,high,.,Four,review,,,no,,0,3',
      '5,high,.,Five,pending,,1,no,,0,3',
    );
  });
  afterEach(() => cli.remove());

  const status = async (): Promise<string[]> =>
    (await cli.status()).tasks.map(({ status: word }) => String(word));

  it('applies to each', async () => {
    const { code, out } = await cli.call('accept', '3', '4');
    assert.deepEqual([code, out], [0, 'Task 3 is completed.\nTask 4 is completed.']);
    assert.equal(
      (await cli.call('retry', '3,4')).out,
      'Tasks 3, 4 are pending again.\nTasks 3, 4 need approval to run on this machine: "claude-queue approve 3 4".',
    );
    await cli.approve('3');
    assert.equal(
      (await cli.call('retry', '2,3')).out,
      'Task 2 is pending again.\nTask 3 is still pending, with the retry count at 0.\nTask 2 needs approval to run on this machine: "claude-queue approve 2".',
    );
    assert.deepEqual(await status(), ['pending', 'pending', 'pending', 'pending', 'pending']);
  });

  it('applies to the others if one fails, and exits with 1', async () => {
    const { code, out, err } = await cli.call('cancel', '2', '9', '1');
    assert.equal(code, 1);
    assert.equal(
      err,
      'Task 2 is completed: there is nothing to cancel.\nTask 9 does not exist, or its row is invalid.',
    );
    assert.equal(out, 'Task 1 is cancelled.');
  });

  it('does nothing if a word is not an id', async () => {
    assert.equal((await cli.call('cancel', '1', 'x')).code, 64);
    assert.equal((await status())[0], 'pending');
  });

  it('reports the outcome of each task that the user has', async () => {
    await cli.call('trust');
    await cli.call('next');
    const { code, out, err } = await cli.call('done', '1', '3');
    assert.deepEqual([code, out], [1, 'Task 1 is done.']);
    assert.match(err, /^Task 3 is not yours/);
  });
});

describe('A moved task', () => {
  beforeEach(() => {
    cli = new CliHarness();
    cli.write(
      '1,high,.,One,pending,,,no,,0,3',
      'x,high,.,Not a task,pending,,,no,,0,3',
      '2,high,.,Two,pending,,,no,,0,3',
      '3,high,.,Three,pending,,,no,,0,3',
    );
  });
  afterEach(() => cli.remove());

  const rows = (): string[] =>
    cli
      .read()
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.slice(0, 1));

  it('is before the named one, first or last', async () => {
    assert.equal((await cli.call('move', '3', '--before', '2')).out, 'Moved task 3 before task 2.');
    assert.deepEqual(rows(), ['1', 'x', '3', '2']);
    assert.equal((await cli.call('move', '1', '--last')).out, 'Moved task 1 after all other tasks.');
    assert.deepEqual(rows(), ['x', '3', '2', '1']);
    assert.equal((await cli.call('move', '2', '--first')).out, 'Moved task 2 before all other tasks.');
    assert.deepEqual(rows(), ['x', '2', '3', '1']);
  });

  it('is where it was if no place, several or an unknown one is named', async () => {
    for (const place of [[], ['--first', '--last'], ['--before', 'x']])
      assert.equal((await cli.call('move', '3', ...place)).code, 64, place.join(' '));
    assert.match((await cli.call('move', '3', '--before', '9')).err, /There is no task 9/);
    assert.match((await cli.call('move', '9', '--first')).err, /There is no task 9/);
    const { code, out, err } = await cli.call('move', '3', '--before', '3');
    assert.deepEqual([code, out, err], [64, '', 'Task 3 cannot be before itself. Name another task.']);
    assert.deepEqual(rows(), ['1', 'x', '2', '3']);
  });
});

describe('A removed task', () => {
  beforeEach(() => {
    cli = new CliHarness();
    cli.write(
      '1,high,.,One,pending,,,no,,0,3',
      '2,high,.,"Two\nlines",pending,,1,no,,0,3',
      '3,low,.,Three,pending,,,no,,0,3',
    );
  });
  afterEach(() => cli.remove());

  it('is no longer in the file, and its id is not reused', async () => {
    const { code, out } = await cli.call('rm', '2', '3');
    assert.deepEqual([code, out], [0, 'Removed task 2: Two\nRemoved task 3: Three']);
    assert.match(cli.read(), /^id,.*\n1,high,\.,One,pending,,,no,,0,3\n$/);
    assert.match((await cli.call('add', 'Next')).out, /^Added task 4 /);
  });

  for (const [why, ids, message] of [
    ['another depends on it', ['1'], /^Task 2 depends on task 1\. Remove both, .*…"\.$/],
    ['another depends on one of them', ['3', '1'], /^Task 2 depends .*…"\. Nothing was removed\.$/],
    ['one of them is not there', ['3', '9'], /^There is no task 9\. Nothing was removed\.$/],
  ] as const) {
    it(`stays, with all the others, if ${why}`, async () => {
      const before = cli.read();
      const { code, err } = await cli.call('rm', ...ids);
      assert.equal(code, 1);
      assert.match(err, message);
      assert.equal(cli.read(), before);
    });
  }

  it('stays if it is running', async () => {
    await cli.call('trust');
    await cli.call('next');
    assert.match((await cli.call('rm', '1', '2')).err, /Task 1 is running or in your hands/);
  });
});
