import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness, HEADER } from './cliHarness';

let cli: CliHarness;

function prepareEach(): void {
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());
}

describe('A new queue', () => {
  prepareEach();
  it('is an empty file with the eleven columns, and machine files are ignored by git', async () => {
    const { code, out } = await cli.call('init');
    assert.equal(code, 0);
    assert.match(out, /^Created .*claude_queue\/prompts\.csv\.\nNext: claude-queue add/);
    assert.equal(cli.read(), `${HEADER}\n`);
    assert.match(cli.read('.gitignore'), /^state\/$/m);
  });

  it('never replaces an existing one', async () => {
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
    const { code, err } = await cli.call('init');
    assert.equal(code, 1);
    assert.match(err, /already exists; nothing was changed/);
    assert.match(cli.read(), /Do it/);
  });

  it('keeps an existing .gitignore, and makes none elsewhere', async () => {
    cli.writeFile('.gitignore', 'mine\n');
    await cli.call('init');
    assert.equal(cli.read('.gitignore'), 'mine\n');
    await cli.call('--queue', 'elsewhere/queue.csv', 'init');
    assert.throws(() => readFileSync(join(cli.workspace, 'elsewhere', '.gitignore')));
  });
});

describe('An added task', () => {
  prepareEach();
  beforeEach(() => cli.call('init'));

  it('is at the end of the file with the next id, approved', async () => {
    assert.equal((await cli.call('add', 'First, "quoted"')).out, `Added task 1 to ${cli.queueFile}.`);
    await cli.call('add', 'Second');
    assert.equal(
      cli.read(),
      `${HEADER}\n1,medium,.,"First, ""quoted""",pending,,,no,,0,3\n2,medium,.,Second,pending,,,no,,0,3\n`,
    );
    assert.deepEqual(await cli.shown(1), ['ready', '']);
    assert.equal((await cli.status()).next, 1);
  });

  it('has every cell of its options', async () => {
    const { code, err } = await cli.call(
      ...[
        'add',
        'Do it',
        '--dir',
        'sub',
        '--priority',
        'high',
        '--at',
        '2026-11-21 09:00',
        '--every',
        'daily',
      ],
      ...['--max-retries', '5', '--timeout', '90m', '--model', 'opus', '--permission-mode', 'plan'],
      ...[
        '--allow',
        'Bash(git *)|WebFetch',
        '--max-turns',
        '7',
        '--max-budget-usd',
        '2.5',
        '--verify',
        '["npm","test"]',
      ],
    );
    assert.equal(code, 0, err);
    assert.equal(
      cli.read().split('\n')[1],
      '1,high,sub,Do it,pending,2026-11-21 09:00,,yes,daily,0,5,90m,opus,plan,Bash(git *)|WebFetch,7,2.5,"[""npm"",""test""]"',
    );
    assert.deepEqual(await cli.shown(1), ['scheduled', 'not before 2026-11-21 09:00']);
  });

  it('can come from standard input and depend on others', async () => {
    await cli.call('add', 'First');
    cli.input = 'Two\nlines\n';
    await cli.call('add', '-', '--after', '1');
    assert.deepEqual(await cli.shown(2), ['blocked', 'waits for 1']);
    assert.match(cli.read(), /"Two\nlines",/);
  });

  it('is refused, and nothing is written, if a value is invalid', async () => {
    const before = cli.read();
    const { code, err } = await cli.call('add', 'Do it', '--priority', 'urgent');
    assert.equal(code, 64);
    assert.match(err, /urgent/);
    assert.equal(cli.read(), before);
  });
});

describe('A task that was typed into the file', () => {
  prepareEach();
  beforeEach(() => cli.write('1,high,.,Do it,pending,,,no,,0,3', '2,low,.,Then that,pending,,1,no,,0,3'));

  it('does not run before it is approved', async () => {
    assert.deepEqual(await cli.shown(1), ['unapproved', 'not approved on this machine']);
    assert.equal((await cli.status()).next, null);
    const { out } = await cli.approve('1');
    assert.equal(out, `Task 1, in ${cli.workspace}:\n    Do it\nApproved 1 task.`);
    assert.deepEqual(await cli.shown(1), ['ready', '']);
    assert.equal((await cli.shown(2))?.[0], 'unapproved');
    assert.equal((await cli.status()).next, 1);
  });

  it('is listed until it is approved as it is', async () => {
    const { code, out } = await cli.call('approve');
    assert.equal(code, 0);
    assert.match(
      out,
      /^Task 1, .*\n {4}Do it\nTask 2, .*\n {4}Then that\nApprove with "claude-queue approve ID…" or --all\.$/,
    );
    assert.equal((await cli.approve('--all')).out.split('\n').at(-1), 'Approved 2 tasks.');
    assert.equal((await cli.call('approve')).out, 'No task waits for approval.');
    cli.write('1,high,.,Do something else,pending,,,no,,0,3', '2,low,.,Then that,pending,,1,no,,0,3');
    assert.deepEqual(await cli.shown(1), ['unapproved', 'changed since you approved it']);
    cli.write('1,critical,.,Do it,pending,,,no,,0,5', '2,low,.,Then that,pending,,1,no,,0,3');
    assert.deepEqual(await cli.shown(1), ['ready', '']);
  });

  it('is shown with its permissions before approval, and control characters as codes', async () => {
    const prompt = Array.from({ length: 23 }, (_, line) => `Line ${line + 1}`).join('\n');
    cli.writeFile(
      'prompts.csv',
      `${HEADER},model,permission_mode,allowed_tools,verify\n` +
        `1,high,sub,"\u001b[2J\u202eHidden\n${prompt}",pending,,,no,,0,3,opus,acceptEdits,Bash|WebFetch,"[""npm"",""test""]"\n`,
    );
    const [head, ...lines] = (await cli.approve('1')).out.split('\n');
    const folder = join(cli.workspace, 'sub');
    assert.equal(
      head,
      `Task 1, in ${folder}; permission mode acceptEdits; may use Bash, WebFetch; model opus; checked by npm test:`,
    );
    assert.deepEqual(lines.slice(0, 2), [String.raw`    \u001b[2J\u202eHidden`, '    Line 1']);
    assert.deepEqual(lines.slice(19), [
      '    Line 19',
      '    (4 more lines: read the row)',
      'Approved 1 task.',
    ]);
  });

  it('is shown with its changes since the last approval only', async () => {
    const lines = Array.from({ length: 12 }, (_, line) => `Line ${line + 1}`);
    const write = (prompt: readonly string[], tools: string, mode: string): void =>
      cli.writeFile(
        'prompts.csv',
        `${HEADER},allowed_tools,permission_mode\n1,high,.,"${prompt.join('\n')}",pending,,,no,,0,3,${tools},${mode}\n`,
      );
    write(lines, '', 'plan');
    assert.match((await cli.approve('1')).out, /^Task 1, in .*\n {4}Line 1\n/);
    write(
      [...lines.slice(0, 7), 'Line 8, and send it to me', ...lines.slice(8)],
      'Bash|WebFetch',
      'acceptEdits',
    );
    const [head, ...reported] = (await cli.call('approve')).out.split('\n');
    assert.equal(
      head,
      `Task 1, changed since it was approved; in ${cli.workspace}; permission mode acceptEdits; may use Bash, WebFetch:`,
    );
    assert.deepEqual(reported.slice(0, -1), [
      '    prompt:',
      '        …',
      '        Line 6',
      '        Line 7',
      '      - Line 8',
      '      + Line 8, and send it to me',
      '        Line 9',
      '        Line 10',
      '        …',
      '    permission_mode: plan → acceptEdits',
      '    allowed_tools: (empty) → Bash|WebFetch',
    ]);
    await cli.approve('1');
    assert.deepEqual(await cli.shown(1), ['ready', '']);
  });

  it('is compared with the text that add or edit wrote', async () => {
    await cli.call('add', 'Sweep');
    cli.writeFile('prompts.csv', cli.read().replace('Sweep', 'Sweep it all'));
    assert.match((await cli.call('approve')).out, /- Sweep\n.*\+ Sweep it all/);
  });

  it('is not approved by an unknown id', async () => {
    const { code, err } = await cli.approve('7');
    assert.equal(code, 1);
    assert.equal(err, 'Task 7 does not exist, or its row is invalid.');
  });

  it('runs without approval while the file is trusted', async () => {
    const { out } = await cli.call('trust');
    assert.match(
      out,
      /is trusted on this machine: anyone who can write it can make Claude Code run its tasks/,
    );
    assert.deepEqual(await cli.shown(1), ['ready', '']);
    assert.match((await cli.call('trust', '--off')).out, /is no longer trusted: its tasks need approval/);
    assert.equal((await cli.shown(1))?.[0], 'unapproved');
  });

  it('is approved for the file, by whatever path it is opened', async () => {
    await cli.approve('--all');
    symlinkSync(cli.workspace, join(cli.folder, 'link'));
    const { out } = await cli.call(
      '--queue',
      join(cli.folder, 'link', 'claude_queue', 'prompts.csv'),
      'status',
    );
    assert.match(out, /> 1 +ready/);
  });

  it('that was completed and is set to pending needs approval again', async () => {
    await cli.approve('--all');
    await cli.call('next');
    await cli.call('done');
    assert.equal((await cli.shown(1))?.[0], 'completed');
    cli.write('1,high,.,Do it,pending,,,no,,0,3', '2,low,.,Then that,pending,,1,no,,0,3');
    // Saved so much later that nobody can have had the file open since before.
    const later = new Date(Math.max(cli.now, Date.now()) + 24 * 3_600_000);
    utimesSync(cli.queueFile, later, later);
    assert.deepEqual(await cli.shown(1), [
      'unapproved',
      'was finished; an edit of the file made it pending again',
    ]);
    await cli.approve('1');
    assert.deepEqual(await cli.shown(1), ['ready', '']);
  });
});

describe('A decision of the user', () => {
  prepareEach();
  beforeEach(async () => {
    cli.write('1,high,.,Do it,pending,,,no,,0,1', '2,low,.,Then that,review,,,no,,0,3');
    await cli.call('trust');
  });

  it('retries a failed task', async () => {
    await cli.call('next');
    await cli.call('fail');
    assert.equal((await cli.shown(1))?.[0], 'dead');
    assert.equal((await cli.call('retry', '1')).out, 'Task 1 is pending again.');
    assert.deepEqual(await cli.shown(1), ['ready', '']);
    assert.equal((await cli.status()).tasks[0]?.['retryCount'], 0);
  });

  it('completes a task in review, and no other', async () => {
    assert.equal((await cli.call('accept', '2')).out, 'Task 2 is completed.');
    assert.equal((await cli.shown(2))?.[0], 'completed');
    const { code, err } = await cli.call('accept', '1');
    assert.equal(code, 1);
    assert.match(err, /Task 1 is pending: there is nothing to accept/);
  });

  it('cancels a task', async () => {
    assert.equal((await cli.call('cancel', '1')).out, 'Task 1 is cancelled.');
    assert.equal((await cli.shown(1))?.[0], 'cancelled');
    assert.match(cli.read(), /^1,high,\.,Do it,cancelled/m);
  });

  it('reports an unknown task', async () => {
    for (const verb of ['retry', 'accept', 'cancel']) {
      const { code, err } = await cli.call(verb, '9');
      assert.equal(code, 1);
      assert.match(err, /Task 9 does not exist/, verb);
    }
  });

  it('pauses the queue with a reason, and resumes it', async () => {
    await cli.call('hold', 'the tests are red');
    assert.deepEqual(await cli.shown(1), ['waiting', 'the queue is paused (the tests are red)']);
    assert.match(
      (await cli.call('status')).out,
      /^The queue is paused: the tests are red\. Resume with "claude-queue resume"/m,
    );
    assert.equal((await cli.status()).hold, 'the tests are red');
    assert.match((await cli.call('resume')).out, /^Queue resumed\.$/);
    assert.match((await cli.call('resume')).out, /^The queue was not paused\.$/);
    assert.deepEqual(await cli.shown(1), ['ready', '']);
    await cli.call('hold');
    assert.equal((await cli.status()).hold, 'paused by hand');
  });

  it('tries a closed gate again after "resume"', async () => {
    await cli
      .openGate()
      .report({ signal: { kind: 'sign-in', resetAt: null, message: 'Please run /login' }, usage: [] });
    assert.deepEqual(await cli.shown(1), [
      'waiting',
      'Claude Code is not signed in: fix it, then resume the queue',
    ]);
    assert.match(
      (await cli.call('resume')).out,
      /^The gate was closed and is open now\. If the cause remains, /,
    );
    assert.deepEqual(await cli.shown(1), ['ready', '']);
  });

  it('stops nothing, and says so, if no worker is running', async () => {
    assert.equal((await cli.call('stop')).out, 'No worker is running.');
    assert.equal((await cli.call('stop', '--now')).out, 'No worker is running.');
  });

  it('archives the history, and deletes nothing', async () => {
    await cli.call('next');
    await cli.call('done');
    const { code, out } = await cli.call('reset');
    assert.equal(code, 0);
    const archive =
      /^Attempts, logs and outputs are now in (.*)\. Pauses, .* are unchanged\.$/.exec(out)?.[1] ?? '';
    assert.match(readFileSync(join(archive, 'executed.log'), 'utf8'), /Do it/);
    assert.equal(cli.has('state/executed.log'), false);
    assert.match(cli.read(), /^1,high,\.,Do it,completed/m);
  });
});

describe('A queue in another folder', () => {
  prepareEach();
  it('runs tasks in its folder', async () => {
    mkdirSync(join(cli.workspace, 'plain'));
    await cli.call('--queue', 'plain/q.csv', 'init');
    await cli.call('--queue', 'plain/q.csv', 'add', 'Do it');
    const { out } = await cli.call('--queue', 'plain/q.csv', 'next');
    assert.match(out, new RegExp(`Start claude in ${join(cli.workspace, 'plain')} and`));
  });
});
