import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTable } from '../../../../../src/app/actions/rows/importRows';
import { CliHarness, HEADER } from '../../cliHarness';

let cli: CliHarness;

describe('A task that "add" makes', () => {
  beforeEach(async () => {
    cli = new CliHarness();
    await cli.call('init');
  });
  afterEach(() => cli.remove());

  it('can use a column that the file lacks, beside existing rows', async () => {
    await cli.call('add', 'First');
    await cli.call('add', 'Second', '--timeout', '90m');
    assert.equal(
      cli.read(),
      `${HEADER},timeout\n1,medium,.,First,pending,,,no,,0,3,\n2,medium,.,Second,pending,,,no,,0,3,90m\n`,
    );
    assert.deepEqual(await cli.shown(1), ['ready', '']);
    assert.deepEqual(await cli.shown(2), ['ready', '']);
    assert.equal((await cli.call('edit', '1', '--user', 'ada')).code, 0);
    assert.deepEqual(await cli.shown(1), ['ready', '']);
  });

  it('is not added while the approvals cannot be read', async () => {
    await cli.call('add', 'First');
    const folder = join(cli.env['XDG_STATE_HOME'] ?? '', 'claude-queue', 'approvals');
    const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.json')) ?? '');
    const approvals = readFileSync(file);
    writeFileSync(file, 'garbage');
    const before = cli.read();
    assert.match((await cli.call('add', 'Second')).err, /was not written by this program/);
    assert.equal(cli.read(), before);
    writeFileSync(file, approvals);
    assert.equal((await cli.call('add', 'Second')).code, 0);
    assert.match(cli.read(), /\n2,medium,.,Second,.*\n$/);
  });

  it('takes its time, interval and check in words', async () => {
    const { code } = await cli.call(
      ...['add', 'Test', '--at', 'tomorrow 2am', '--every', 'day', '--verify', 'npm run "unit tests"'],
    );
    assert.equal(code, 0);
    const row = '1,medium,.,Test,pending,2026-11-21 02:00,,yes,daily,0,3,"[""npm"",""run"",""unit tests""]"';
    assert.equal(cli.read().trimEnd().split('\n').at(-1), row);
  });

  it('is not added with a check that needs a shell', async () => {
    const { code, err } = await cli.call('add', 'Test', '--verify', 'npm test && npm run lint');
    assert.equal(code, 64);
    assert.match(err, /^No shell runs the check, and && has a meaning only there\./);
    cli.input = '{"prompt":"Test","verify":"npm test > log"}';
    assert.match(
      (await cli.call('add', '--from', '-')).err,
      /^standard input, line 1: No shell runs the check/,
    );
    assert.equal(cli.read().trimEnd().split('\n').length, 1);
  });

  it('can list tasks and tags with commas, and use the next time of day', async () => {
    for (const prompt of ['One', 'Two']) await cli.call('add', prompt);
    // It is 18:00.
    await cli.call(
      'add',
      'Three',
      '--after',
      '1,2',
      '--at',
      '18:00',
      '--deadline',
      '21:30',
      '--tags',
      'a, b',
    );
    assert.equal(
      cli.read().trimEnd().split('\n').at(-1),
      '3,medium,.,Three,pending,2026-11-21 18:00,1|2,no,,0,3,2026-11-20 21:30,a| b',
    );
  });

  it('takes several words as one prompt', async () => {
    await cli.call('add', 'Fix', 'the', 'failing', 'test', '--priority', 'high');
    assert.match(cli.read(), /^1,high,\.,Fix the failing test,pending/m);
  });

  it('prints its id, and its warnings, in JSON', async () => {
    const { code, out, err } = await cli.call('add', 'Do it', '--dir', 'nowhere', '--json');
    assert.deepEqual([code, err], [0, '']);
    const answer = JSON.parse(out) as { readonly warnings: readonly string[] };
    assert.deepEqual(answer, {
      file: cli.queueFile,
      tasks: [{ id: 1, prompt: 'Do it' }],
      warnings: answer.warnings,
    });
    assert.match(answer.warnings.join('\n'), /nowhere of task 1 does not exist/);
  });
});

describe('Tasks that "add --from" makes', () => {
  beforeEach(async () => {
    cli = new CliHarness();
    await cli.call('init');
  });
  afterEach(() => cli.remove());

  const rows = (): string[] => cli.read().trimEnd().split('\n').slice(1);

  it('are one for each line, with the options of all', async () => {
    cli.input = 'Write the docs\r\n\n  Fix "it", please\n';
    const { out } = await cli.call('add', '--from', '-', '--priority', 'low');
    assert.equal(out, `Added 2 tasks (1 to 2) to ${cli.queueFile}.`);
    assert.deepEqual(rows(), [
      '1,low,.,Write the docs,pending,,,no,,0,3',
      '2,low,.,"Fix ""it"", please",pending,,,no,,0,3',
    ]);
    assert.deepEqual(await cli.shown(2), ['ready', '']);
  });

  it('can be JSON with their own cells', async () => {
    await cli.call('add', 'First');
    const line = {
      prompt: 'Two\nlines',
      priority: 'high',
      dependencies: [1],
      tags: ['a', 'b'],
      verify: ['npm', 'test'],
      max_turns: 5,
      repeat_interval: 'daily',
    };
    writeFileSync(join(cli.workspace, 'tasks.jsonl'), `${JSON.stringify(line)}\nPlain\n`);
    assert.equal((await cli.call('add', '--from', 'tasks.jsonl', '--priority', 'low')).code, 0);
    assert.equal(
      cli.read(),
      `${HEADER},tags,verify,max_turns\n1,medium,.,First,pending,,,no,,0,3,,,\n` +
        '2,high,.,"Two\nlines",pending,,1,yes,daily,0,3,a|b,"[""npm"",""test""]",5\n' +
        '3,low,.,Plain,pending,,,no,,0,3,,,\n',
    );
  });

  it('keep lists and objects as metadata', async () => {
    const given = [{ issue: 7, labels: ['a', 'b'] }, ['a', 'b'], 7, '{"a": 1}'];
    cli.input = given.map((metadata) => JSON.stringify({ prompt: 'Do it', metadata })).join('\n');
    assert.equal((await cli.call('add', '--from', '-')).code, 0);
    const { columns, rows: read } = parseTable('prompts.csv', Buffer.from(cli.read()));
    assert.deepEqual(
      read.map((texts) => texts[columns.indexOf('metadata')]),
      ['{"issue":7,"labels":["a","b"]}', '["a","b"]', '7', '{"a": 1}'],
    );
  });

  it('can have a byte order mark, and true or false as JSON has them', async () => {
    const cells = { repeat: 'yes', repeat_interval: 'daily' };
    const lines = [true, false].map((value) =>
      JSON.stringify({ prompt: 'Do it', ...cells, unless_unchanged: value }),
    );
    writeFileSync(join(cli.workspace, 'tasks.jsonl'), `\ufeff${lines.join('\n')}\n`);
    assert.equal((await cli.call('add', '--from', 'tasks.jsonl')).code, 0);
    assert.equal(
      cli.read(),
      `${HEADER},unless_unchanged\n1,medium,.,Do it,pending,,,yes,daily,0,3,true\n` +
        '2,medium,.,Do it,pending,,,yes,daily,0,3,\n',
    );
  });

  it('are refused in a file that is not UTF-8', async () => {
    const before = cli.read();
    writeFileSync(join(cli.workspace, 'tasks.txt'), Buffer.from('Grüße\n', 'latin1'));
    const { code, err } = await cli.call('add', '--from', 'tasks.txt');
    assert.equal(code, 64);
    assert.equal(err, 'tasks.txt is not UTF-8 text. Save it as UTF-8.');
    assert.equal(cli.read(), before);
  });

  for (const [what, input, message] of [
    ['a boolean elsewhere', '{"prompt": "x", "repeat": true}', /line 1: "repeat" is neither/],
    ['nothing', '\n \n', /There is no task in standard input/],
    ['a line that is no JSON', 'One\n{"prompt": ', /standard input, line 2 is not JSON/],
    ['a line without a prompt', '{"priority": "low"}', /line 1: "prompt" is missing/],
    ['an id', '{"prompt": "x", "id": 7}', /line 1: leave out "id"/],
    ['a value that is none', '{"prompt": "x", "tags": {}}', /line 1: "tags" is neither .* nor a list\./],
    ['a list elsewhere', '{"prompt": ["x", "y"]}', /line 1: "prompt" is neither a text nor a number\./],
    [
      'a column that there is not',
      'One\n{"prompt": "x", "colour": "red"}',
      /^standard input, line 2: There is no column "colour"/,
    ],
    [
      'a priority that is none, after empty lines',
      '\n\nOne\n\n{"prompt": "x", "priority": "soon"}',
      /^standard input, line 5: .*"soon"/,
    ],
    [
      'an unknown dependency of the only task',
      '\n{"prompt": "x", "dependencies": "99"}',
      /^standard input, line 2: Task 1 would depend on 99/,
    ],
  ] as const) {
    it(`are refused, all of them, for ${what}`, async () => {
      const before = cli.read();
      cli.input = input;
      const { code, err } = await cli.call('add', '--from', '-');
      assert.equal(code, 64);
      assert.match(err, message);
      assert.equal(cli.read(), before);
    });
  }

  it('are refused together with a prompt, and from a missing file', async () => {
    assert.match((await cli.call('add', 'Do it', '--from', '-')).err, /not both/);
    const { code, err } = await cli.call('add', '--from', 'gone.txt');
    assert.equal(code, 64);
    assert.match(err, /^gone\.txt cannot be read: /);
  });
});
