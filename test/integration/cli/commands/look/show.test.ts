import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliHarness, HEADER } from '../../cliHarness';
import { openCliQueue, startAttempt } from '../../fileQueue';

let cli: CliHarness;

function prepareEach(): void {
  beforeEach(async () => {
    cli = new CliHarness();
    cli.writeFile(
      'prompts.csv',
      `${HEADER},tags\n1,high,.,"Write the report\nwith care",pending,,,no,,1,3,docs|weekly\n` +
        '2,low,sub,Send it,pending,2026-11-21 09:00,1,yes,daily,0,3,\n3,urgent,.,Wrong,pending,,,no,,0,3,\n',
    );
    await cli.call('trust');
  });
  afterEach(() => cli.remove());
}

/** An attempt of task 1 that runs, and has said this. */
async function say(text: string): Promise<void> {
  const queue = await openCliQueue(cli);
  const { attempt } = await startAttempt(cli, queue, { pid: 4242, startedAt: 'then' });
  await queue.close();
  const file = join(cli.queueFolder, 'state', 'outputs', `task-1-attempt-${String(attempt)}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  const line = { type: 'assistant', message: { content: [{ type: 'text', text }] } };
  writeFileSync(file, `${JSON.stringify(line)}\n`);
}

describe('One task that is shown', () => {
  prepareEach();

  it('names the signal that ended a check', async () => {
    const check = '"[""node"",""-e"",""process.kill(process.pid, \'SIGKILL\')""]"';
    cli.writeFile('prompts.csv', `${HEADER},verify\n1,high,.,Do it,pending,,,no,,0,1,${check}\n`);
    cli.installClaude('ok');
    assert.equal((await cli.call('run')).code, 3);
    assert.match((await cli.call('show', '1')).out, /^check {6}failed, ended by SIGKILL, took /m);
  });

  it('has its state, its row and its whole prompt', async () => {
    const { code, out } = await cli.call('show', '1');
    assert.equal(code, 0);
    assert.equal(
      out,
      [
        'Task 1, ready',
        'priority  high',
        `runs      in ${cli.workspace}`,
        'retries   1 of 3',
        'tags      docs, weekly',
        '',
        '    Write the report',
        '    with care',
      ].join('\n'),
    );
  });

  it('has the reason why it waits, and its next time', async () => {
    const { out } = await cli.call('show', '2');
    assert.match(out, /^Task 2, \w+: .*\n/);
    assert.match(out, /^after +1$/m);
    assert.match(out, /^not before +2026-11-21 09:00$/m);
    assert.match(out, /^repeats +daily$/m);
  });

  it('has the result of its newest attempt', async () => {
    await cli.call('next');
    await cli.call('done', '1');
    assert.match((await cli.call('show', '1')).out, /^outcome +success/m);
  });

  it('has its row and attempts in JSON', async () => {
    const task = JSON.parse((await cli.call('show', '1', '--json')).out) as Record<string, unknown>;
    const { id, shown, workingDir, tags, attempts } = task;
    assert.deepEqual(
      [id, shown, workingDir, tags, attempts],
      [1, 'ready', cli.workspace, ['docs', 'weekly'], []],
    );
  });

  it('differs from a damaged and from a missing one', async () => {
    const wrong = await cli.call('show', '3');
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /^Task 3 is invalid:\n.*prompts\.csv:5:3 {2}.*"urgent"/);
    assert.equal((await cli.call('show', '9')).err, 'There is no task 9.');
  });
});

describe('The log of a task', () => {
  prepareEach();

  it('is the output of its running attempt so far', async () => {
    await say('I begin.');
    const { code, out } = await cli.call('log', '1');
    assert.equal(code, 0);
    assert.equal(out, 'I begin.\nTask 1 is running: "claude-queue log 1 --follow" follows it.');
  });

  it('is missing if the task, or that attempt, has not run or does not exist', async () => {
    for (const [args, message] of [
      [['2'], 'Task 2 has no output yet: it has not run here.'],
      [['3'], 'Task 3 has no output yet: it has not run here.'],
      [['9'], 'There is no task 9.'],
      [['1', '--attempt', '7'], 'Task 1 has no output of attempt 7.'],
    ] as const) {
      const { code, err } = await cli.call('log', ...args);
      assert.deepEqual([code, err], [1, message]);
    }
  });

  it('is missing of an attempt by hand, which has run all the same', async () => {
    await cli.call('next');
    await cli.call('done', '1');
    const { code, err } = await cli.call('log', '1');
    assert.deepEqual([code, err], [1, 'Task 1 has no output of attempt 1.']);
  });
});

describe('Attaching without a keyboard', () => {
  prepareEach();

  it('ends if no worker is running', async () => {
    const { code, out } = await cli.call('attach');
    assert.deepEqual([code, out], [0, 'No worker is running.']);
  });
});
