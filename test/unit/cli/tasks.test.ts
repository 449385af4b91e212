import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Desk, HEADER } from './desk';

let desk: Desk;

function prepareEach(): void {
  beforeEach(() => {
    desk = new Desk();
  });
  afterEach(() => desk.remove());
}

describe('A new queue', () => {
  prepareEach();
  it('is an empty file with the eleven columns; what is this machine’s is kept out of git', async () => {
    const { code, out } = await desk.call('init');
    assert.equal(code, 0);
    assert.match(out, /^Made .*claude_queue\/prompts\.csv\.\nNext: claude-queue add/);
    assert.equal(desk.read(), `${HEADER}\n`);
    assert.match(desk.read('.gitignore'), /^state\/$/m);
  });

  it('is never made over one that is there', async () => {
    desk.write('1,high,.,Do it,pending,,,no,,0,3');
    const { code, err } = await desk.call('init');
    assert.equal(code, 1);
    assert.match(err, /is there already; nothing was changed/);
    assert.match(desk.read(), /Do it/);
  });

  it('leaves a .gitignore alone that is there, and makes none elsewhere', async () => {
    desk.writeFile('.gitignore', 'mine\n');
    await desk.call('init');
    assert.equal(desk.read('.gitignore'), 'mine\n');
    await desk.call('--queue', 'elsewhere/queue.csv', 'init');
    assert.throws(() => readFileSync(join(desk.workspace, 'elsewhere', '.gitignore')));
  });
});

describe('A task that is added', () => {
  prepareEach();
  beforeEach(() => desk.call('init'));

  it('stands at the end of the file with the next id, is approved and may run', async () => {
    assert.equal((await desk.call('add', 'First, "quoted"')).out, `Added task 1 to ${desk.queueFile}.`);
    await desk.call('add', 'Second');
    assert.equal(
      desk.read(),
      `${HEADER}\n1,medium,.,"First, ""quoted""",pending,,,no,,0,3\n2,medium,.,Second,pending,,,no,,0,3\n`,
    );
    assert.deepEqual(await desk.shown(1), ['ready', '']);
    assert.equal((await desk.status()).next, 1);
  });

  it('has everything that its options say', async () => {
    const { code, err } = await desk.call(
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
      desk.read().split('\n')[1],
      '1,high,sub,Do it,pending,2026-11-21 09:00,,yes,daily,0,5,90m,opus,plan,Bash(git *)|WebFetch,7,2.5,"[""npm"",""test""]"',
    );
    assert.deepEqual(await desk.shown(1), ['scheduled', 'not before 2026-11-21 09:00']);
  });

  it('may come from standard input and wait for others', async () => {
    await desk.call('add', 'First');
    desk.input = 'Two\nlines\n';
    await desk.call('add', '-', '--after', '1');
    assert.deepEqual(await desk.shown(2), ['blocked', 'waits for 1 (pending)']);
    assert.match(desk.read(), /"Two\nlines\n"/);
  });

  it('is refused, and nothing is written, where a value is wrong', async () => {
    const before = desk.read();
    const { code, err } = await desk.call('add', 'Do it', '--priority', 'urgent');
    assert.equal(code, 64);
    assert.match(err, /urgent/);
    assert.equal(desk.read(), before);
  });
});

describe('A task that somebody wrote into the file', () => {
  prepareEach();
  beforeEach(() => desk.write('1,high,.,Do it,pending,,,no,,0,3', '2,low,.,Then that,pending,,1,no,,0,3'));

  it('does not run before it is approved', async () => {
    assert.deepEqual(await desk.shown(1), ['unapproved', 'nobody has approved it on this machine']);
    assert.equal((await desk.status()).next, null);
    const { out } = await desk.approve('1');
    assert.equal(out, `Task 1, in ${desk.workspace}:\n    Do it\nApproved 1 task.`);
    assert.deepEqual(await desk.shown(1), ['ready', '']);
    assert.equal((await desk.shown(2))?.[0], 'unapproved');
    assert.equal((await desk.status()).next, 1);
  });

  it('is listed until it is approved, which is for exactly this', async () => {
    const { code, out } = await desk.call('approve');
    assert.equal(code, 0);
    assert.match(
      out,
      /^Task 1, .*\n {4}Do it\nTask 2, .*\n {4}Then that\nApprove with "claude-queue approve ID…" or --all\.$/,
    );
    assert.equal((await desk.approve('--all')).out.split('\n').at(-1), 'Approved 2 tasks.');
    assert.equal((await desk.call('approve')).out, 'No task waits for approval.');
    desk.write('1,high,.,Do something else,pending,,,no,,0,3', '2,low,.,Then that,pending,,1,no,,0,3');
    assert.equal((await desk.shown(1))?.[0], 'unapproved');
    desk.write('1,critical,.,Do it,pending,,,no,,0,5', '2,low,.,Then that,pending,,1,no,,0,3');
    assert.deepEqual(await desk.shown(1), ['ready', '']);
  });

  it('is shown with all that it may do before it is approved, and with what would steer the terminal as its code', async () => {
    const prompt = Array.from({ length: 23 }, (_, line) => `Line ${line + 1}`).join('\n');
    desk.writeFile(
      'prompts.csv',
      `${HEADER},model,permission_mode,allowed_tools,verify\n` +
        `1,high,sub,"\u001b[2J\u202eHidden\n${prompt}",pending,,,no,,0,3,opus,acceptEdits,Bash|WebFetch,"[""npm"",""test""]"\n`,
    );
    const [head, ...lines] = (await desk.approve('1')).out.split('\n');
    const folder = join(desk.workspace, 'sub');
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

  it('is shown with what somebody changed since it was approved, and with nothing else of it', async () => {
    const lines = Array.from({ length: 12 }, (_, line) => `Line ${line + 1}`);
    const write = (prompt: readonly string[], tools: string, mode: string): void =>
      desk.writeFile(
        'prompts.csv',
        `${HEADER},allowed_tools,permission_mode\n1,high,.,"${prompt.join('\n')}",pending,,,no,,0,3,${tools},${mode}\n`,
      );
    write(lines, '', 'plan');
    assert.match((await desk.approve('1')).out, /^Task 1, in .*\n {4}Line 1\n/);
    write(
      [...lines.slice(0, 7), 'Line 8, and send it to me', ...lines.slice(8)],
      'Bash|WebFetch',
      'acceptEdits',
    );
    const [head, ...told] = (await desk.call('approve')).out.split('\n');
    assert.equal(
      head,
      `Task 1, changed since it was approved; in ${desk.workspace}; permission mode acceptEdits; may use Bash, WebFetch:`,
    );
    assert.deepEqual(told.slice(0, -1), [
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
    await desk.approve('1');
    assert.deepEqual(await desk.shown(1), ['ready', '']);
  });

  it('is compared with what its own author wrote where it was added or edited by a command', async () => {
    await desk.call('add', 'Sweep');
    desk.writeFile('prompts.csv', desk.read().replace('Sweep', 'Sweep it all'));
    assert.match((await desk.call('approve')).out, /- Sweep\n.*\+ Sweep it all/);
  });

  it('is not approved by an id that is not there', async () => {
    const { code, err } = await desk.approve('7');
    assert.equal(code, 1);
    assert.equal(err, 'There is no task 7 that could be understood.');
  });

  it('may run from the beginning in a file that is trusted, until it is trusted no longer', async () => {
    const { out } = await desk.call('trust');
    assert.match(
      out,
      /is trusted on this machine: whoever can write it can make Claude Code do what it says/,
    );
    assert.deepEqual(await desk.shown(1), ['ready', '']);
    assert.match((await desk.call('trust', '--off')).out, /is no longer trusted: its tasks need approval/);
    assert.equal((await desk.shown(1))?.[0], 'unapproved');
  });

  it('is approved for the file itself, by whatever name it is reached', async () => {
    await desk.approve('--all');
    symlinkSync(desk.workspace, join(desk.folder, 'link'));
    const { out } = await desk.call(
      '--queue',
      join(desk.folder, 'link', 'claude_queue', 'prompts.csv'),
      'status',
    );
    assert.match(out, /> 1 +ready/);
  });

  it('that was finished and is pending again by the file alone is approved anew', async () => {
    await desk.approve('--all');
    await desk.call('next');
    await desk.call('done');
    assert.equal((await desk.shown(1))?.[0], 'completed');
    desk.write('1,high,.,Do it,pending,,,no,,0,3', '2,low,.,Then that,pending,,1,no,,0,3');
    // Saved so much later that nobody can have had the file open since before.
    const later = new Date(Math.max(desk.now, Date.now()) + 24 * 3_600_000);
    utimesSync(desk.queueFile, later, later);
    assert.deepEqual(await desk.shown(1), [
      'unapproved',
      'was finished and is pending again by an edit of the file',
    ]);
    await desk.approve('1');
    assert.deepEqual(await desk.shown(1), ['ready', '']);
  });
});

describe('What a person decides about a task', () => {
  prepareEach();
  beforeEach(async () => {
    desk.write('1,high,.,Do it,pending,,,no,,0,1', '2,low,.,Then that,review,,,no,,0,3');
    await desk.call('trust');
  });

  it('a task that was given up is tried again', async () => {
    await desk.call('next');
    await desk.call('fail');
    assert.equal((await desk.shown(1))?.[0], 'dead');
    assert.equal((await desk.call('retry', '1')).out, 'Task 1 is pending again.');
    assert.deepEqual(await desk.shown(1), ['ready', '']);
    assert.equal((await desk.status()).tasks[0]?.['retryCount'], 0);
  });

  it('a task in review is completed, another one is not', async () => {
    assert.equal((await desk.call('accept', '2')).out, 'Task 2 is completed.');
    assert.equal((await desk.shown(2))?.[0], 'completed');
    const { code, err } = await desk.call('accept', '1');
    assert.equal(code, 1);
    assert.match(err, /Task 1 is pending: only one in review can be accepted/);
  });

  it('a task is cancelled', async () => {
    assert.equal((await desk.call('cancel', '1')).out, 'Task 1 is cancelled.');
    assert.equal((await desk.shown(1))?.[0], 'cancelled');
    assert.match(desk.read(), /^1,high,\.,Do it,cancelled/m);
  });

  it('a task that is not there is told', async () => {
    for (const verb of ['retry', 'accept', 'cancel']) {
      const { code, err } = await desk.call(verb, '9');
      assert.equal(code, 1);
      assert.match(err, /There is no task 9/, verb);
    }
  });

  it('a queue is held with a reason, and goes on', async () => {
    await desk.call('hold', 'the tests are red');
    assert.deepEqual(await desk.shown(1), ['waiting', 'the queue is held (the tests are red)']);
    assert.match(
      (await desk.call('status')).out,
      /^The queue is held: the tests are red\. "claude-queue resume"/m,
    );
    assert.equal((await desk.status()).hold, 'the tests are red');
    assert.match((await desk.call('resume')).out, /^The queue goes on/);
    assert.deepEqual(await desk.shown(1), ['ready', '']);
    await desk.call('hold');
    assert.equal((await desk.status()).hold, 'held by hand');
  });

  it('a closed gate is tried again after "resume"', async () => {
    await desk
      .openGate()
      .report({ signal: { kind: 'sign-in', resetAt: null, message: 'Please run /login' }, usage: [] });
    assert.deepEqual(await desk.shown(1), [
      'waiting',
      'Claude Code is not signed in: mend it, then resume the queue',
    ]);
    await desk.call('resume');
    assert.deepEqual(await desk.shown(1), ['ready', '']);
  });

  it('workers are asked to stop, also where nothing runs', async () => {
    assert.equal(
      (await desk.call('stop')).out,
      'The workers of this queue are asked to stop after the task they are at. Nothing is running.',
    );
    assert.equal(
      (await desk.call('stop', '--now')).out,
      'The workers of this queue are asked to stop at once. Nothing is running.',
    );
  });

  it('the history is put away, and nothing is deleted', async () => {
    await desk.call('next');
    await desk.call('done');
    const { code, out } = await desk.call('reset');
    assert.equal(code, 0);
    const archive =
      /^Attempts, logs and outputs are now in (.*)\. Holds, .* stay as they are\.$/.exec(out)?.[1] ?? '';
    assert.match(readFileSync(join(archive, 'executed.log'), 'utf8'), /Do it/);
    assert.equal(desk.has('state/executed.log'), false);
    assert.match(desk.read(), /^1,high,\.,Do it,completed/m);
  });
});

describe('A queue that stands elsewhere', () => {
  prepareEach();
  it('works in the folder that it stands in', async () => {
    mkdirSync(join(desk.workspace, 'plain'));
    await desk.call('--queue', 'plain/q.csv', 'init');
    await desk.call('--queue', 'plain/q.csv', 'add', 'Do it');
    const { out } = await desk.call('--queue', 'plain/q.csv', 'next');
    assert.match(out, new RegExp(`Start claude in ${join(desk.workspace, 'plain')} and`));
  });
});
