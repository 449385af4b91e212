import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliHarness, openWorkCli } from '../cliHarness';

let cli: CliHarness;

describe('The end of work', () => {
  beforeEach(async () => {
    cli = await openWorkCli();
  });
  afterEach(() => cli.remove());

  it('started by a timer keeps the pause of a reached bound, and shows how to resume', async () => {
    await cli.call('work', '--max-tasks', '1');
    const timed = await cli.call('work', '--until-empty', '--alone', '--scheduled');
    assert.equal(timed.code, 4);
    assert.deepEqual(timed.out.split('\n').slice(2), [
      'Nothing runs: the queue is paused (--max-tasks 1).',
      'A schedule does not end that pause. Run "claude-queue resume", "work" or "run" yourself.',
      'Ran 0 attempts.',
    ]);
    assert.equal((await cli.status()).holds.length, 1);
    await cli.call('resume');
    assert.equal((await cli.call('work', '--until-empty', '--alone', '--scheduled')).code, 1);
  });

  it('at a limit of its run runs "notify" once, and alarms cron, while tasks are left', async () => {
    const shown = join(cli.folder, 'shown');
    const config = join(cli.env['XDG_CONFIG_HOME'] ?? '', 'claude-queue');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.yaml'), `notify: [/bin/sh, -c, '/bin/cat >> "$0"', '${shown}']\n`);
    await cli.call('work', '--max-tasks', '1');
    await cli.call('work', '--until-empty', '--scheduled');
    const events = readFileSync(shown, 'utf8').trim().split('\n');
    const kinds = events.map((line) => (JSON.parse(line) as { event: string }).event);
    assert.deepEqual(
      kinds.filter((kind) => kind === 'stopped'),
      ['stopped'],
    );
    const { code, err } = await cli.call('status', '--check');
    assert.equal(code, 1);
    assert.match(err, /the queue is paused \(--max-tasks 1\)/);
    await cli.call('resume');
    assert.doesNotMatch((await cli.call('status', '--check')).err, /paused/);
  });

  it('at a limit of its run exits with 2 if its attempt met a usage limit', async () => {
    cli.installClaude('limitWithoutEnd');
    const { code, out } = await cli.call('work', '--max-tasks', '1');
    assert.deepEqual([code, out.split('\n').at(-1)], [2, 'Ran 1 attempt.']);
  });

  it('names the attempts that a limit of costs cannot count', async () => {
    const line = '1 attempt reported no cost, which --max-cost cannot count.';
    const { out } = await cli.call('work', '--max-tasks', '1', '--max-cost', '1');
    assert.deepEqual(out.split('\n').slice(-2), [line, 'Ran 1 attempt.']);
    await cli.call('retry', '1');
    assert.ok(!(await cli.call('work', '--max-tasks', '1')).out.includes(line));
  });

  it('at its number of used-up usage windows exits with 0: the limit is the end that it was to have', async () => {
    cli.installClaude('limitWithoutEnd');
    const { code, out } = await cli.call('work', '--max-usage-windows', '1');
    assert.match(out, /^The queue is paused: --max-usage-windows 1\./m);
    assert.deepEqual([code, out.split('\n').at(-1)], [0, 'Ran 1 attempt.']);
  });

  it('names only the pause of the user, also if a timer started it', async () => {
    await cli.call('hold', 'lunch');
    const { out } = await cli.call('work', '--until-empty', '--scheduled');
    assert.match(out, /^Nothing runs: the queue is paused \(lunch\)\.\nRan 0 attempts\.$/m);
  });

  it('shows how many rows are invalid, stuck or unapproved, one line each', async () => {
    await cli.call('trust', '--off');
    cli.write(
      '1,high,.,Done,completed,,,no,,0,3',
      '2,high,.,Cancelled,cancelled,,,no,,0,3',
      '3,high,.,Waits for it,pending,,2,no,,0,3',
      '4,high,.,Asks for a yes,pending,,,no,,0,3',
      '5,high,.,Asks too,pending,,,no,,0,3',
      '6,urgent,.,No such priority,pending,,,no,,0,3',
    );
    await cli.approve('3');
    const { code, out } = await cli.call('work', '--until-empty');
    assert.equal(code, 4);
    assert.deepEqual(out.split('\n').slice(1), [
      '1 row is invalid and will not run: "claude-queue check" shows why.',
      '1 task is stuck: a dependency cannot be completed. See "claude-queue status".',
      '2 tasks wait for approval and will not run on this machine until then: "claude-queue approve", or "trust" for the whole file.',
      'Ran 0 attempts.',
    ]);
  });

  it('lists tasks in review, and what waits for them', async () => {
    cli.write(
      '9,high,.,Looked at,review,,,no,,0,3',
      '12,high,.,Looked at too,review,,,no,,0,3',
      '15,high,.,Follows,pending,,9,no,,0,3',
      '18,high,.,Follows that,pending,,15,no,,0,3',
      '20,high,.,Later,pending,2030-01-01 00:00,,no,,0,3',
    );
    const { out } = await cli.call('work', '--until-empty');
    assert.match(out, /^Ran 0 attempts; in review: tasks 9, 12 \(tasks 15, 18 wait for 9\)\.$/m);
    cli.write('9,high,.,Looked at,review,,,no,,0,3', '15,high,.,Follows,pending,,9,no,,0,3');
    assert.match(
      (await cli.call('work', '--until-empty')).out,
      /^Ran 0 attempts; in review: task 9 \(task 15 waits for it\)\.$/m,
    );
  });

  it('shows that quiet hours block all tasks, and until when', async () => {
    cli.writeFile('config.yaml', 'quietHours:\n  - from: "17:00"\n    to: "19:00"\n');
    const { code, out } = await cli.call('work', '--until-empty');
    assert.equal(code, 4);
    assert.match(out, /^Nothing runs: quiet hours until 19:00\.\nRan 0 attempts\.$/m);
  });

  it('reports that nothing is left, unless it has just run everything', async () => {
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
    await cli.call('trust');
    const { out } = await cli.call('work', '--until-empty');
    assert.match(out, /→ completed\. Done in 1 turn\.\n\S+ \S+ {2}Queue finished: .*\nRan 1 attempt\.$/);
    const again = await cli.call('work', '--until-empty');
    assert.match(again.out, /^Nothing runs: no task is left to run\.\nRan 0 attempts\.$/m);
  });

  it('is reported once, by the "run" that finds nothing left', async () => {
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
    await cli.call('trust');
    await cli.call('run');
    const idle = await cli.call('run');
    assert.equal(idle.code, 4);
    assert.match(idle.out, /^\S+ \S+ {2}Queue finished: 1 completed\..*\nNothing runs: /m);
    await cli.call('retry', '1');
    assert.doesNotMatch((await cli.call('run')).out, /Queue finished/);
  });
});
