import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../../../../../src/cli/output/displayWidth';
import { CliHarness, HEADER } from '../../cliHarness';

describe('The list of tasks', () => {
  let cli: CliHarness;
  beforeEach(async () => {
    cli = new CliHarness();
    cli.writeFile(
      'prompts.csv',
      `${HEADER},tags\n` +
        [
          '1,high,.,Collect the data,completed,,,no,,0,3,docs',
          '2,medium,.,レポートを書いてください,pending,,,no,,0,3,docs|weekly',
          '3,low,.,Отправить отчёт 👍🏽 всем,pending,,5,no,,0,3,',
          '4,medium,.,Look at the news,pending,2026-11-21 07:00,,yes,daily,0,3,weekly',
          '5,medium,.,Clean up 🪿,failed,,,no,,3,3,',
        ].join('\n'),
    );
    await cli.call('trust');
  });
  afterEach(() => cli.remove());

  const list = async (...args: readonly string[]): Promise<string[]> =>
    (await cli.call('list', ...args)).out.split('\n');
  const ids = async (...args: readonly string[]): Promise<number[]> =>
    (await list(...args)).flatMap((line) => /^[> ] (\d+) /.exec(line)?.[1] ?? []).map(Number);

  it('has a header, a line for each open task, and counts', async () => {
    assert.deepEqual(await list(), [
      '  id  state      priority  prompt                    why',
      '> 2   ready      medium    レポートを書いてください',
      '  3   stuck      low       Отправить отчёт 👍🏽 всем   waits for 5 (failed)',
      '  4   scheduled  medium    Look at the news          not before 2026-11-21 07:00',
      '  5   failed     medium    Clean up 🪿',
      'Tasks: 1 ready, 1 scheduled, 1 stuck, 1 completed, 1 failed (not listed without --all: 1 completed).',
    ]);
  });

  it('fits the terminal, in any script', async () => {
    for (const columns of [40, 50, 60, 70]) {
      cli.columns = columns;
      const lines = (await list('--all')).slice(0, -1);
      assert.equal(lines.length, 6);
      for (const line of lines) assert.ok(displayWidth(line) <= columns, `${String(columns)}: ${line}`);
    }
  });

  it('leaves out the reasons if only prompts fit', async () => {
    cli.columns = 42;
    assert.equal((await list())[1], '> 2   ready      medium    レポートを書い…');
  });

  it('has a reason that is short wherever it fits', async () => {
    await cli.call('next');
    for (const columns of [60, 80, 200]) {
      cli.columns = columns;
      assert.match((await list('--only', 'running'))[1] ?? '', /^ {2}2 +running +medium +.+ {2}you$/);
    }
  });

  it('has the requested tasks', async () => {
    assert.deepEqual(await ids('--all'), [1, 2, 3, 4, 5]);
    assert.deepEqual(await ids('--only', 'completed,scheduled'), [1, 4]);
    assert.deepEqual(await ids('--only', 'failed'), [5]);
    assert.deepEqual(await ids('--priority', 'medium'), [2, 4, 5]);
    assert.deepEqual(await ids('--tag', 'weekly'), [2, 4]);
    assert.deepEqual(await ids('--tag', 'docs,weekly', '--priority', 'high', '--all'), [1]);
    assert.deepEqual(await list('--tag', 'nothing'), ['No task matches.']);
    assert.equal(
      (await list('--tag', 'docs')).at(-1),
      'Tasks: 1 ready, 1 completed (not listed without --all: 1 completed).',
    );
    const unknown = await cli.call('list', '--only', 'soon');
    assert.equal(unknown.code, 64);
    assert.match(unknown.err, /review, completed, cancelled, failed, with commas between\.$/);
  });

  it('has the invalid rows if these are requested', async () => {
    assert.deepEqual(await list('--only', 'invalid'), ['No task matches.']);
    const rows = ['1,high,.,First,pending,,,no,,0,3,', '2,urgent,.,Second,pending,,,no,,0,3,'];
    cli.writeFile('prompts.csv', `${HEADER},tags\n${rows.join('\n')}\n`);
    const [invalid, ...others] = await list('--only', 'invalid');
    assert.match(invalid ?? '', /prompts\.csv:3:3 {2}invalid {2}The priority "urgent" is not known/);
    assert.deepEqual(others, []);
    assert.equal((await list('--only', 'ready')).length, 3);
  });

  it('has the invalid rows in JSON like the status, if these are requested', async () => {
    const rows = ['1,high,.,First,pending,,,no,,0,3,', '2,urgent,.,Second,pending,,,no,,0,3,'];
    cli.writeFile('prompts.csv', `${HEADER},tags\n${rows.join('\n')}\n`);
    const ask = async (...args: readonly string[]): Promise<{ tasks: object[]; problems: object[] }> =>
      JSON.parse((await cli.call(...args, '--json')).out) as { tasks: object[]; problems: object[] };
    const { problems } = await ask('status');
    assert.equal(problems.length, 1);
    assert.deepEqual(await ask('list', '--only', 'invalid'), { tasks: [], problems });
    const all = await ask('list');
    assert.deepEqual([all.tasks.length, all.problems], [1, problems]);
    assert.deepEqual((await ask('list', '--only', 'ready')).problems, []);
  });

  it('names a task that the user has although its row is gone, and how to end that', async () => {
    assert.match((await cli.call('next')).out, /2/);
    cli.writeFile('prompts.csv', `${HEADER},tags\n1,high,.,Collect the data,completed,,,no,,0,3,docs\n`);
    const sentence = 'Task 2 has no valid row: you have task 2. "claude-queue cancel 2" ends that.';
    assert.deepEqual(await list(), [sentence, 'Tasks: 1 completed (not listed without --all: 1 completed).']);
    assert.deepEqual(await list('--only', 'running'), [sentence]);
    for (const command of ['why', 'show'])
      assert.deepEqual(await cli.call(command, '2'), { code: 1, out: '', err: sentence });
    assert.deepEqual(await list('--only', 'ready'), ['No task matches.']);
    assert.deepEqual(await list('--tag', 'weekly'), ['No task matches.']);
    await cli.call('cancel', '2');
    assert.deepEqual(await list('--only', 'running'), ['No task matches.']);
  });

  it('has all or the requested tasks in JSON, like the status', async () => {
    for (const command of ['list', 'status']) {
      const ask = async (...args: readonly string[]): Promise<number[]> => {
        const { out } = await cli.call(command, '--json', ...args);
        const { tasks } = JSON.parse(out) as { readonly tasks: readonly { readonly id: number }[] };
        return tasks.map(({ id }) => id);
      };
      assert.deepEqual(await ask(), [1, 2, 3, 4, 5]);
      assert.deepEqual(await ask('--tag', 'docs'), [1, 2]);
    }
  });

  it('has colours if enabled, which change no width', async () => {
    const plain = await list();
    const { out } = await cli.call('--color', 'always', 'list');
    assert.ok(out.includes('\u001b[31mstuck'), out);
    assert.deepEqual(stripVTControlCharacters(out).split('\n'), plain);
    assert.ok(!(await cli.call('--color', 'never', 'list')).out.includes('\u001b'));
  });
});
