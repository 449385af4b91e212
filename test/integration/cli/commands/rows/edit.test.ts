import assert from 'node:assert/strict';
import { CliHarness, HEADER } from '../../cliHarness';
import { openCliQueue, startAttempt } from '../../fileQueue';

let cli: CliHarness;

function prepareEach(): void {
  beforeEach(async () => {
    cli = new CliHarness();
    await cli.call('init');
    await cli.call('add', 'Collect the data');
    await cli.call('add', 'Write the report', '--after', '1');
  });
  afterEach(() => cli.remove());
}

const row = (id: number): string | undefined =>
  cli
    .read()
    .split('\n')
    .find((line) => line.startsWith(`${String(id)},`));

describe('An edited task', () => {
  prepareEach();

  it('has the cells of the options, and every other cell unchanged', async () => {
    cli.writeFile('prompts.csv', cli.read().replace('1,medium,', '1, medium ,').replaceAll('\n', '\r\n'));
    const { code, out } = await cli.call('edit', '2', '--priority', 'high', '--at', '2026-11-21 09:00');
    assert.equal(code, 0);
    assert.equal(out, 'Changed task 2: priority high, scheduled_time 2026-11-21 09:00.');
    assert.equal(
      cli.read(),
      `${HEADER}\r\n1, medium ,.,Collect the data,pending,,,no,,0,3\r\n2,high,.,Write the report,pending,2026-11-21 09:00,1,no,,0,3\r\n`,
    );
  });

  it('takes an empty value as no value: it stops repeating', async () => {
    await cli.call('edit', '2', '--every', 'daily');
    assert.equal(row(2), '2,medium,.,Write the report,pending,,1,yes,daily,0,3');
    const { out } = await cli.call('edit', '2', '--every', '', '--after', '');
    assert.match(out, /^Changed task 2: dependencies \(empty\), repeat_interval \(empty\), repeat no\.$/);
    assert.equal(row(2), '2,medium,.,Write the report,pending,,,no,,0,3');
    assert.deepEqual(await cli.shown(2), ['ready', '']);
  });

  it('stays approved if the one who edits it had approved it', async () => {
    cli.input = 'Collect\nall the data\n';
    assert.equal((await cli.call('edit', '1', '--prompt', '-')).code, 0);
    assert.match(cli.read(), /"Collect\nall the data",/);
    assert.deepEqual(await cli.shown(1), ['ready', '']);
  });

  it('says what runs it again once it has ended or is in review', async () => {
    for (const [state, words] of [
      ['completed', 'completed'],
      ['review', 'in review'],
    ] as const) {
      cli.write(`1,high,.,Collect the data,${state},,,no,,0,3`);
      await cli.approve('1');
      assert.equal(
        (await cli.call('edit', '1', '--priority', 'low')).out,
        `Changed task 1: priority low.\nIt is ${words}: "claude-queue retry 1" runs it again.`,
      );
    }
  });

  it('needs approval with a callback if another hand wrote what it sends', async () => {
    await cli.call('add', 'Notes', '--metadata', 'mine');
    cli.writeFile('prompts.csv', cli.read().replace('mine', 'theirs'));
    await cli.call('edit', '3', '--callback-url', 'https://example.com/x');
    assert.equal((await cli.shown(3))?.[0], 'unapproved');
  });

  it('still needs approval if the rest of it was not approved', async () => {
    cli.write('1,high,.,Somebody else wrote this,pending,,,no,,0,3');
    const { code, out } = await cli.call('edit', '1', '--dir', 'sub');
    assert.equal(code, 0);
    assert.equal(
      out,
      'Changed task 1: working_dir sub.\nIt needs approval to run on this machine: "claude-queue approve 1".',
    );
    assert.equal((await cli.shown(1))?.[0], 'unapproved');
  });

  it('cannot depend on itself: the path is shown, and nothing is written', async () => {
    const before = cli.read();
    const { code, err } = await cli.call('edit', '1', '--after', '2');
    assert.equal(code, 64);
    assert.match(err, /1 → 2 → 1/);
    assert.equal(cli.read(), before);
  });

  for (const [what, args, message] of [
    ['a dependency that is not there', ['--after', '9'], /9/],
    ['a priority that is none', ['--priority', 'urgent'], /urgent/],
    ['a model that no model is called', ['--model', '-x'], /model/],
    ['an empty prompt', ['--prompt', ' '], /The prompt is empty/],
    ['nothing at all', [], /Name what to change/],
  ] as const) {
    it(`is refused with ${what}, and nothing is written`, async () => {
      const before = cli.read();
      const { code, err } = await cli.call('edit', '2', ...args);
      assert.equal(code, 64);
      assert.match(err, message);
      assert.equal(cli.read(), before);
    });
  }

  it('must exist', async () => {
    const { code, err } = await cli.call('edit', '9', '--priority', 'low');
    assert.equal(code, 1);
    assert.match(err, /There is no task 9/);
  });

  it('keeps its prompt while it runs; its priority can change', async () => {
    const queue = await openCliQueue(cli);
    await startAttempt(cli, queue, cli.self());
    await queue.close();
    const { code, err } = await cli.call('edit', '1', '--prompt', 'Something else');
    assert.equal(code, 1);
    assert.equal(err, 'Task 1 is running: what it runs can be changed when it has ended, or was cancelled.');
    assert.equal((await cli.call('edit', '1', '--priority', 'low')).out, 'Changed task 1: priority low.');
    assert.match(row(1) ?? '', /^1,low,\.,Collect the data,/);
    assert.equal(
      (await cli.call('edit', '1', '--timeout', '5m')).out,
      'Changed task 1: timeout 5m.\nThe running attempt keeps its earlier limits.',
    );
  });

  it('that is completed shows how to run it again', async () => {
    await cli.call('next');
    await cli.call('done');
    const { out } = await cli.call('edit', '1', '--priority', 'low');
    assert.equal(
      out,
      'Changed task 1: priority low.\nIt is completed: "claude-queue retry 1" runs it again.',
    );
  });
});

describe('An added task', () => {
  prepareEach();

  it('gets its priority from the rules of the queue if none is given', async () => {
    cli.writeFile('config.yaml', 'priorityRules: [{ path: docs, priority: low }]\n');
    await cli.call('add', 'Edit the words', '--dir', 'docs');
    await cli.call('add', 'Edit them now', '--dir', 'docs', '--priority', 'high');
    assert.equal(row(3), '3,,docs,Edit the words,pending,,,no,,0,3');
    const priorities = (await cli.status()).tasks.map((task) => task['priority']);
    assert.deepEqual(priorities.slice(2), ['low', 'high']);
  });

  it('has a user, a deadline and tags', async () => {
    cli.writeFile('prompts.csv', `${HEADER},user,deadline,tags\n`);
    const args = ['--user', 'ken', '--deadline', '2026-11-20 18:04', '--tags', 'docs|weekly'];
    const { code, err } = await cli.call('add', 'Edit the words', ...args);
    assert.equal(code, 0, err);
    const [task] = (await cli.status()).tasks;
    assert.deepEqual(
      [task?.['user'], task?.['deadline'], task?.['tags'], task?.['service']],
      [
        'ken',
        '2026-11-20T18:04:00.000Z',
        ['docs', 'weekly'],
        { by: '2026-11-20T18:04:00.000Z', standing: 'at-risk', explicit: true },
      ],
    );
    const { out } = await cli.call('status');
    assert.match(out, /^Service times: 1 at risk \(!\)\.$/m);
    assert.match(out, /^> 3 +ready +medium! +ken +Edit the words$/m);
  });
});
