import assert from 'node:assert/strict';
import { CliHarness, EVENING, HEADER } from './cliHarness';
import { live, MINUTE_MS } from './lived';

const HOUR_MS = 3_600_000;

let cli: CliHarness;

function prepareEach(): void {
  beforeEach(async () => {
    cli = new CliHarness();
    cli.write(
      '1,high,.,Fix the build,pending,,,no,,0,3',
      '2,medium,.,Write the report,pending,,,no,,0,3',
      '3,low,.,Tidy up,pending,,,no,,0,3',
    );
    await cli.call('trust');
  });
  afterEach(() => cli.remove());
}

const shown = async (): Promise<string[]> => (await cli.status()).tasks.map((task) => task.shown);

describe('A pause of some priorities', () => {
  prepareEach();

  it('lets the others run, and is shown with its reason', async () => {
    const { code, out } = await cli.call('hold', 'the night is short', '--priority', 'low,medium');
    assert.equal(code, 0);
    assert.match(out, /^Tasks with priority medium and low are paused\./);
    assert.deepEqual(await shown(), ['ready', 'waiting', 'waiting']);
    const status = await cli.status();
    assert.equal(status.hold, null);
    assert.deepEqual(
      status.holds.map(({ by, why, priorities }) => [by, why, priorities]),
      [['person', 'the night is short', ['medium', 'low']]],
    );
    assert.match(
      (await cli.call('status')).out,
      /^Tasks with priority medium and low are paused: the night is short\. Resume with "claude-queue resume --priority medium,low"\.$/m,
    );
    assert.match((await cli.shown(3))?.[1] ?? '', /the night is short/);
  });

  it('is refused with the id of a task as its reason', async () => {
    const { code, err } = await cli.call('hold', '1');
    assert.equal(code, 64);
    assert.match(err, /stops the whole queue\. To keep a task from starting: "claude-queue cancel 1"\./);
    assert.deepEqual(await shown(), ['ready', 'ready', 'ready']);
  });

  it('has its reason as a part of a sentence, in one line', async () => {
    for (const [why, shown] of [
      ['Back soon.', 'Back soon'],
      ['at lunch,\n  back soon', 'at lunch, back soon'],
      ['', 'paused by hand'],
      [' ', 'paused by hand'],
    ] as const) {
      assert.equal((await cli.call('pause', why)).code, 0);
      const [, line] = /^The queue is paused: (.*) Resume with/m.exec((await cli.call('status')).out) ?? [];
      assert.equal(line, `${shown}.`);
      await cli.call('resume');
    }
  });

  it('is ended priority by priority', async () => {
    await cli.call('hold', 'not now', '--priority', 'low,medium');
    const { out } = await cli.call('resume', '--priority', 'medium');
    assert.equal(out, 'Removed the pause of priority medium.\nTasks with priority low are paused: not now.');
    assert.deepEqual(await shown(), ['ready', 'ready', 'waiting']);
    await cli.call('resume', '--priority', 'low');
    assert.deepEqual((await cli.status()).holds, []);
  });

  it('does not replace a pause of all, which only "resume" ends', async () => {
    await cli.call('hold', 'all of it');
    const { out } = await cli.call('resume', '--priority', 'low');
    assert.equal(out, 'Priority low has no pause of its own.\nThe queue is paused: all of it.');
    assert.deepEqual(await shown(), ['waiting', 'waiting', 'waiting']);
    await cli.call('hold', 'and this', '--priority', 'high');
    await cli.call('resume');
    assert.deepEqual(await shown(), ['ready', 'ready', 'ready']);
  });

  it('is refused for unknown priorities', async () => {
    for (const command of ['hold', 'resume']) {
      const { code, err } = await cli.call(command, '--priority', 'low,urgent');
      assert.equal(code, 64);
      assert.equal(err, '"urgent" is not a priority: give critical, high, medium, low, with commas between.');
    }
  });
});

describe('The same failure in several tasks', () => {
  prepareEach();

  it('pauses the queue with its message, until the user resumes', async () => {
    cli.installClaude('ok');
    const check = '"[""node"",""-e"",""process.exit(1)""]"';
    const rows = [1, 2, 3, 4].map((id) => `${String(id)},high,.,Do it,pending,,,no,,0,1,${check}`);
    cli.writeFile('prompts.csv', `${[`${HEADER},verify`, ...rows].join('\n')}\n`);
    for (const _ of [1, 2, 3]) {
      assert.equal((await cli.call('run')).code, 3);
    }
    const status = await cli.status();
    assert.deepEqual(status.failures?.ids, [1, 2, 3]);
    const [shownAs, why = ''] = (await cli.shown(4)) ?? [];
    assert.equal(shownAs, 'waiting');
    assert.match(why, /the same failure in 3 tasks in a row \(1, 2, 3\)/);
    assert.match(
      (await cli.call('status')).out,
      /^The queue is waiting: the same failure in 3 tasks in a row \(1, 2, 3\), the last: .*; fix it, then run "resume"\.$/m,
    );
    assert.match((await cli.call('resume')).out, /^Queue resumed\.$/);
    assert.deepEqual(await cli.shown(4), ['ready', '']);
    assert.equal((await cli.status()).failures, null);
    assert.match((await cli.call('resume')).out, /^The queue was not paused\.$/);
  });

  it('is why nothing runs, also if failed tasks and one in its retry delay are left', async () => {
    cli.installClaude('ok');
    const check = '"[""node"",""-e"",""process.exit(1)""]"';
    const rows = [1, 3, 1].map(
      (max, row) => `${String(row + 1)},high,.,Do it,pending,,,no,,0,${String(max)},${check}`,
    );
    cli.writeFile('prompts.csv', `${[`${HEADER},verify`, ...rows].join('\n')}\n`);
    const { out } = await cli.call('work', '--until-empty');
    assert.match(out, /^Nothing more runs: the same failure in 3 tasks in a row \(1, 2, 3\)/m);
    assert.match((await cli.call('run')).out, /^Nothing runs: the same failure in 3 tasks in a row/m);
  });

  it('does not pause if each task has its own invalid working directory', async () => {
    cli.installClaude('ok');
    cli.write(
      ...[1, 2, 3].map((id) => `${String(id)},high,missing${String(id)},Do it,pending,,,no,,0,1`),
      '4,high,.,Do it,pending,,,no,,0,1',
    );
    for (const code of [3, 3, 3, 0]) assert.equal((await cli.call('run')).code, code);
    assert.equal((await cli.status()).failures, null);
  });
});

describe('Every failed task', () => {
  prepareEach();

  it('is retried by "retry --all", which lists them', async () => {
    assert.equal((await cli.call('retry', '--all')).out, 'No task has failed.');
    cli.write(
      '1,high,.,Fix the build,failed,,,no,,3,3',
      '2,medium,.,Write the report,completed,,,no,,0,3',
      '3,low,.,Tidy up,pending,,,no,,3,3',
    );
    const { code, out } = await cli.call('retry', '--all');
    assert.deepEqual([code, out], [0, 'Tasks 1, 3 are pending again.']);
    assert.deepEqual(await shown(), ['ready', 'completed', 'ready']);
  });

  it('is listed up to the first that cannot be retried', async () => {
    cli.write('1,high,.,Fix the build,failed,,,no,,3,3', '2,low,.,Tidy up,failed,,,no,,3,3');
    let asked = 0;
    const ancestors = (): number[] => {
      asked += 1;
      // Once for all of them, then for each.
      cli.failIds = asked === 3;
      return [];
    };
    cli.processes = { ...cli.processes, ancestors };
    const { code, out, err } = await cli.call('retry', '--all');
    assert.deepEqual([code, out], [1, 'Task 1 is pending again.']);
    assert.match(err, /The queue does not take it\./);
    cli.failIds = false;
    assert.deepEqual(await shown(), ['ready', 'dead']);
  });

  it('is reported as waiting if the queue is paused or failed too often', async () => {
    cli.write('1,high,.,Fix the build,failed,,,no,,3,3');
    await cli.call('hold', 'lunch');
    const pending = 'Task 1 is pending again.';
    assert.equal(
      (await cli.call('retry', '1')).out,
      `${pending}\nThe queue is waiting: the queue is paused (lunch).`,
    );
    await cli.call('resume');
    cli.env['CLAUDE_QUEUE_BREAKER_FAILURES'] = '1';
    cli.write('1,high,.,Fix the build,pending,,,no,,0,1');
    cli.installClaude('noSuchScript');
    assert.equal((await cli.call('run')).code, 3);
    const { out } = await cli.call('retry', '--all');
    assert.match(
      out,
      /pending again\.\nThe queue is waiting: the same failure .*; fix it, then run "resume"\.$/,
    );
    await cli.call('resume');
    assert.equal((await cli.call('retry', '1')).out, 'Task 1 is still pending, with the retry count at 0.');
  });

  it('or one task must be named', async () => {
    for (const args of [['retry'], ['retry', '1', '--all']]) {
      const { code, err } = await cli.call(...args);
      assert.deepEqual([code, err], [64, 'Give a task id, or --all for every failed task.']);
    }
  });
});

describe('Service times', () => {
  prepareEach();

  it('are shown for tasks that are late or at risk', async () => {
    await cli.call('hold');
    await cli.call('resume');
    cli.now = EVENING + 2 * HOUR_MS - 60_000;
    const { out } = await cli.call('status');
    assert.match(out, /^Service times: 1 violated \(!!\), 1 at risk \(!\)\.$/m);
    assert.match(out, /^> 1 +ready +high!! +Fix the build$/m);
    assert.match(out, /^ {2}2 +ready +medium! +Write the report$/m);
    const { service, tasks } = await cli.status();
    assert.deepEqual(service, { violated: 1, atRisk: 1 });
    assert.deepEqual(tasks[2]?.['service'], {
      by: new Date(EVENING + 24 * HOUR_MS).toISOString(),
      standing: 'in-time',
      explicit: false,
    });
  });

  it('are shown with queue length, waiting and rates for each user', async () => {
    const header = 'id,priority,working_dir,prompt,status,user';
    cli.writeFile(
      'prompts.csv',
      `${header}\n1,high,.,A,pending,ben\n2,low,.,B,pending,\n3,low,.,C,pending,ben\n`,
    );
    await live(cli, { tookMs: MINUTE_MS, user: 'ben', waitedMs: MINUTE_MS });
    cli.now += HOUR_MS;
    const { out } = await cli.call('status', '--rates', '--by', 'user');
    assert.match(out, /^\(no user\): 1 queued, longest wait 1 h 1 min; 0 in the last hour, 0 in 24 hours$/m);
    assert.match(
      out,
      /^ben: 1 queued, longest wait 1 h 1 min; 0 in the last hour, 1 in 24 hours; on average each waited 1 min and took 1 min$/m,
    );
    const { users } = await cli.status();
    assert.deepEqual(
      users.map(({ user, queued, longestWaitMs, lastDay }) => [user, queued, longestWaitMs, lastDay]),
      [
        [null, 1, HOUR_MS + MINUTE_MS, 0],
        ['ben', 1, HOUR_MS + MINUTE_MS, 1],
      ],
    );
  });

  it('are shown with rates for each priority', async () => {
    assert.match((await cli.call('status', '--rates')).out, /^No attempt has ended in the last 24 hours\.$/m);
    const { rates } = await cli.status();
    assert.deepEqual(Object.keys(rates), ['critical', 'high', 'medium', 'low']);
    assert.deepEqual([rates['high']?.lastHour, rates['high']?.lastDay], [0, 0]);
  });

  it('are shown with the rate of attempts whose priority is unknown', async () => {
    cli.write('1,high,.,A,pending,,,no,,0,3', '2,low,.,B,pending,,,no,,0,3');
    await live(cli, { tookMs: MINUTE_MS });
    const unknown = /^\(priority unknown\): 1 in the last hour, 1 in 24 hours; on average each took 1 min$/m;
    const { out } = await cli.call('status', '--rates');
    assert.match(out, unknown);
    assert.doesNotMatch(out, /No attempt has ended/);
    await live(cli, { tookMs: MINUTE_MS, priority: 'low' });
    const both = (await cli.call('status', '--rates')).out;
    assert.match(both, unknown);
    assert.match(both, /^low: 1 in the last hour/m);
  });
});

describe('Invalid settings and rows', () => {
  prepareEach();

  it('are found by "check", with the line and the entry', async () => {
    cli.writeFile(
      'config.yaml',
      '# ours\nmaxPerHour: 5\nquietHours:\n  - { from: "09:00", to: "25:00" }\npriorityRules: [{ tag: x, priority: urgent }]\npools: { fast: { min: 2, max: 1 } }\n',
    );
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    const config = `${cli.queueFolder}/config.yaml`;
    const lines = out.split('\n').filter((line) => line.startsWith(config));
    assert.deepEqual(
      lines.map((line) => line.slice(config.length).split('  ', 1)[0]),
      [':3:1', ':5:1', ':6:1'],
    );
    assert.match(lines[0] ?? '', /quietHours entry 1: .*25:00/);
    assert.match(lines[1] ?? '', /priorityRules entry 1: .*urgent/);
    assert.match(lines[2] ?? '', /pools.*fast/);
  });

  it('in a cycle are shown as a path', async () => {
    cli.write('3,high,.,First,pending,,7,no,,0,3', '7,high,.,Second,pending,,3,no,,0,3');
    assert.match((await cli.call('check')).out, /prompts\.csv:2:\d+ {2}.*3 → 7 → 3/);
  });
});
