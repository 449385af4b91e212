import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from '../cliHarness';

let cli: CliHarness;

function prepareEach(): void {
  beforeEach(async () => {
    cli = new CliHarness();
    mkdirSync(join(cli.workspace, 'urgent'));
    cli.write(
      '1,high,.,First,pending,,,no,,0,3',
      '2,,.,Second,pending,,,no,,0,3',
      '3,,urgent,Third,pending,,,no,,0,3',
    );
    cli.installClaude('ok');
    await cli.call('trust');
  });
  afterEach(() => cli.remove());
}

/** The tasks that were started, in order. */
function startedIn(out: string): string[] {
  return [...out.matchAll(/ Task (\d+) \(/g)].map(([, id = '']) => id);
}

/** Does this once, when a line says so. */
function onceShown(pattern: RegExp, act: () => void): void {
  let isDone = false;
  cli.onLine = (text) => {
    if (isDone || !pattern.test(text)) return;
    isDone = true;
    act();
  };
}

describe('Settings that change while a worker runs', () => {
  prepareEach();

  it('set the priority of rows without one before the next claim', async () => {
    onceShown(/Task 1 \(/, () => {
      cli.writeFile('config.yaml', 'priorityRules:\n  - path: urgent\n    priority: critical\n');
    });
    const { code, out } = await cli.call('work', '--until-empty');
    assert.deepEqual([code, startedIn(out)], [0, ['1', '3', '2']]);
    assert.match(out, /Task 3 \(critical, attempt 1\)/);
  });

  it('limit the running worker', async () => {
    cli.writeFile('config.yaml', 'maxPerHour: 20\n');
    onceShown(/Task 1 \(/, () => {
      cli.writeFile('config.yaml', 'quietHours:\n  - from: "17:00"\n    to: "19:00"\n');
    });
    const { out } = await cli.call('work', '--until-empty');
    assert.deepEqual(startedIn(out), ['1']);
    assert.match((await cli.shown(2))?.[1] ?? '', /^quiet hours until 19:00/);
  });

  it('that are invalid start nothing, lose no attempt, and apply once fixed', async () => {
    const lines: string[] = [];
    let isBroken = false;
    cli.onLine = (text) => {
      lines.push(text);
      if (text.includes('Task 1 (')) cli.writeFile('config.yaml', 'priorityRules: [');
      if (!text.includes('No task can start now')) return;
      assert.equal(isBroken, false, 'it is reported once');
      isBroken = true;
      assert.match(text, /config\.yaml:\d+:\d+ is not valid YAML/);
      cli.writeFile('config.yaml', 'priorityRules:\n  - path: urgent\n    priority: critical\n');
    };
    const { code, out } = await cli.call('work', '--until-empty');
    assert.ok(isBroken);
    assert.deepEqual([code, startedIn(out)], [0, ['1', '3', '2']]);
    assert.match(out, /Task 1 ended: success/);
  });
});

describe('Invalid settings', () => {
  prepareEach();

  beforeEach(() => {
    cli.writeFile('config.yaml', 'priorityRules: 7\nmaxPerHour: 5\n');
  });

  it('are shown first by "status", with their place', async () => {
    const { code, out } = await cli.call('status');
    assert.equal(code, 0);
    const lines = out.split('\n');
    assert.match(lines[1] ?? '', /^Invalid settings\. No task starts until they are fixed\.$/);
    assert.match(lines[2] ?? '', /config\.yaml:1:1 {2}priorityRules must be/);
  });

  it('are among the problems of "status --json", with their file', async () => {
    cli.env['CLAUDE_QUEUE_MAX_PER_DAY'] = 'many';
    const { problems } = JSON.parse((await cli.call('status', '--json')).out) as {
      problems: readonly Record<string, unknown>[];
    };
    const reported = problems.map(({ file, line, column }) => [file, line, column]);
    assert.deepEqual(reported, [
      [join(cli.queueFolder, 'config.yaml'), 1, 1],
      ['environment', null, null],
    ]);
  });

  it('make "usage" answer no, and say why', async () => {
    const { code, out } = await cli.call('usage');
    assert.equal(code, 1);
    assert.match(out, /^Invalid settings\. .*\n.*config\.yaml:1:1 {2}priorityRules must be/);
    const { problems } = JSON.parse((await cli.call('usage', '--json')).out) as { problems: unknown[] };
    assert.equal(problems.length, 1);
    cli.writeFile('config.yaml', 'maxPerHour: 5\n');
    assert.equal((await cli.call('usage')).code, 0);
  });

  it('are the reason why no task starts, wherever one is given, and alarm cron', async () => {
    await cli.call('add', 'One');
    const check = await cli.call('status', '--check');
    assert.deepEqual([check.code, check.err], [1, '1 setting is invalid: priorityRules.']);
    assert.match((await cli.call('list')).out, /waiting .* 1 setting is invalid/);
    assert.match((await cli.call('why', '1')).out, /^Task 1, waiting: 1 setting is invalid: priorityRules$/m);
    const { out } = await cli.call('report');
    assert.match(out, /Needs you\n {2}1 setting is invalid: priorityRules\n {6}claude-queue check\n/);
    assert.equal((await cli.call('simulate')).code, 64);
  });

  it('make "run" and "work" fail with a usage error', async () => {
    assert.equal((await cli.call('run')).code, 64);
    assert.equal((await cli.call('work')).code, 64);
  });
});

describe('A queue that was typed by hand', () => {
  prepareEach();

  /** Service time of task 2. */
  async function servedBy(): Promise<unknown> {
    const task = (await cli.status()).tasks.find(({ id }) => id === 2);
    return (task?.['service'] as { readonly by?: string } | null | undefined)?.by;
  }

  for (const words of [['trust'], ['approve', '--all']]) {
    it(`counts waiting time from "${words.join(' ')}" on`, async () => {
      await cli.call('trust', '--off');
      cli.write('1,high,.,First,pending,,,no,,0,3', '2,medium,.,Other,pending,,,no,,0,3');
      const hour = 3_600_000;
      cli.now += hour;
      await cli.call('approve');
      await cli.call(...words);
      const by = await servedBy();
      assert.equal(by, new Date(cli.now + 2 * hour).toISOString());
      cli.now += hour;
      assert.equal(await servedBy(), by);
    });
  }
});

describe('A time zone that does not exist', () => {
  prepareEach();

  it('records no time of a row: none is read before it is correct', async () => {
    cli.writeFile('config.yaml', 'timeZone: Asia/Tokio\n');
    cli.write('1,high,.,Do it,pending,2026-12-01 22:30,,no,,0,3');
    for (const args of [['list'], ['approve', '--all'], ['add', 'Next']]) {
      const { code, err } = await cli.call(...args);
      assert.equal(code, 64);
      assert.match(err, /config\.yaml: timeZone must be a time zone such as .*; it is "Asia\/Tokio"\.$/);
    }
    assert.match((await cli.call('check')).out, /timeZone must be .*\n1 problem\.$/);
    cli.writeFile('config.yaml', 'timeZone: Asia/Tokyo\n');
    await cli.call('add', 'Next');
    assert.match((await cli.call('list')).out, /not before 2026-12-01 22:30$/m);
  });
});
