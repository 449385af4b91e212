import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Gate } from '../../../../../src/account/gate';
import type { LimitSignal } from '../../../../../src/domain/gate/gate';
import { CliHarness, EVENING } from '../../cliHarness';
import { withUnwritable } from '../../../../support/machine/unwritable';

const HOUR_MS = 3_600_000;

let cli: CliHarness;

function prepareEach(): void {
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());
}

describe('The status of a queue', () => {
  prepareEach();

  beforeEach(async () => {
    cli.write(
      '1,high,.,"Collect the data\nof all years",completed,,,no,,0,3',
      '2,medium,.,Write the report,pending,,1,no,,0,3',
      '3,low,.,Send it,pending,,2|5,no,,0,3',
      '4,medium,.,Look at the news,pending,2026-11-21 07:00,,yes,daily,0,3',
      '5,medium,.,Clean up,failed,,,no,,3,3',
      '6,urgent,.,Wrong,pending,,,no,,0,3',
      '7,low,.,Too often,pending,,,no,,3,3',
    );
    await cli.call('trust');
  });

  it('counts callbacks that were not delivered yet', async () => {
    cli.env['CLAUDE_QUEUE_CALLBACK_URL'] = 'https://hook.test/';
    await cli.call('next');
    const before = await cli.call('status');
    assert.doesNotMatch(before.out, /callback/);
    await cli.call('done');
    assert.match((await cli.call('status')).out, /^Not delivered yet: 1 callback\.$/m);
    const { out } = await cli.call('status', '--json');
    assert.equal((JSON.parse(out) as { waitingCallbacks: number }).waitingCallbacks, 1);
  });

  it('shows every task, marks the next one, and why the others wait', async () => {
    const { code, out } = await cli.call('status');
    assert.equal(code, 0);
    const lines = out.split('\n');
    assert.match(
      lines[0] ?? '',
      /^\/.*prompts\.csv: 6 tasks\. No worker is running\. The gate is open; 0 of 20 attempts in the last hour, 0 of 100 in the last 24 hours\.$/,
    );
    assert.match(lines[1] ?? '', /^There is no program "claude" on the PATH\. Install Claude Code/);
    assert.equal(
      lines[2],
      '1 task is due and no worker is running. Start one with "claude-queue work", or install a timer with "claude-queue schedule".',
    );
    assert.deepEqual(lines.slice(3, 9), [
      '  id  state      priority  prompt            why',
      '> 2   ready      medium    Write the report',
      '  3   stuck      low       Send it           waits for 5 (failed)',
      '  4   scheduled  medium    Look at the news  not before 2026-11-21 07:00',
      '  5   failed     medium    Clean up',
      '  7   failed     low       Too often         retries used up (3 of 3)',
    ]);
    assert.match(lines[9] ?? '', /^\/.*prompts\.csv:8:3 {2}invalid {2}.*urgent/);
    assert.equal(
      lines[10],
      'Tasks: 1 ready, 1 scheduled, 1 stuck, 1 completed, 2 failed (not listed without --all: 1 completed).',
    );
    assert.equal(lines.length, 11);
  });

  it('shows a priority that waiting has raised', async () => {
    await cli.call('hold');
    await cli.call('resume');
    cli.now = EVENING + 5 * HOUR_MS;
    const { out } = await cli.call('status');
    assert.match(out, /^> 2 {3}ready {6}medium→high!! {2}Write the report$/m);
    const task = (await cli.status()).tasks.find(({ id }) => id === 2);
    assert.deepEqual([task?.['priority'], task?.['effectivePriority']], ['medium', 'high']);
  });

  it('is complete in JSON', async () => {
    const status = await cli.status();
    assert.deepEqual(status.gate, { state: 'open', until: null, reason: 'none' });
    assert.deepEqual(status.gates, []);
    assert.equal(status.hold, null);
    assert.equal(status.next, 2);
    assert.deepEqual(status.workers, []);
    assert.deepEqual(status.usage, {
      attempts: { hour: 0, maxPerHour: 20, day: 0, maxPerDay: 100 },
      night: { costUsd: 0, nightBudget: 0 },
      windows: [],
      reserve: null,
    });
    assert.deepEqual(
      status.tasks.map(({ id, shown, reason }) => [id, shown, reason]),
      [
        [1, 'completed', ''],
        [2, 'ready', ''],
        [3, 'stuck', 'waits for 5 (failed)'],
        [4, 'scheduled', 'not before 2026-11-21 07:00'],
        [5, 'dead', ''],
        [7, 'dead', 'retries used up (3 of 3)'],
      ],
    );
    assert.deepEqual(status.tasks[3], {
      id: 4,
      shown: 'scheduled',
      reason: 'not before 2026-11-21 07:00',
      priority: 'medium',
      effectivePriority: 'medium',
      status: 'pending',
      retryCount: 0,
      maxRetries: 3,
      notBefore: '2026-11-21T07:00:00.000Z',
      session: null,
      machine: null,
      lastOutcome: null,
      lastMessage: null,
      user: null,
      tags: [],
      unconfirmed: false,
      unreviewed: false,
      question: null,
      expectedStart: null,
      deadline: null,
      service: null,
      prompt: 'Look at the news',
    });
    assert.equal(status.tasks[0]?.['prompt'], 'Collect the data\nof all years');
    assert.deepEqual(
      status.problems.map(({ line, column }) => [line, column]),
      [[8, 3]],
    );
  });

  it('reports a queue file that cannot be written', async () => {
    const call = (option: string) => withUnwritable(cli.queueFile, () => cli.call('status', option));
    const { code, out, err } = await call('--check');
    assert.equal(code, 1);
    assert.match(out, /^\S+prompts\.csv cannot be written: it does not show what tasks become\./m);
    assert.match(err, /^\S+prompts\.csv cannot be written\.$/m);
    const { problems } = JSON.parse((await call('--json')).out) as { problems: { file: string }[] };
    assert.ok(problems.some(({ file }) => file === cli.queueFile));
    assert.doesNotMatch((await cli.call('status')).out, /cannot be written/);
  });

  it('writes nothing', async () => {
    rmSync(join(cli.queueFolder, 'state'), { recursive: true, force: true });
    const before = cli.read();
    await cli.call('status');
    assert.equal(cli.read(), before);
    assert.equal(cli.has('state'), false);
  });
});

describe('The usage command', () => {
  prepareEach();

  let gate: Gate;
  beforeEach(async () => {
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
    await cli.call('trust');
    cli.installClaude('ok');
    gate = await cli.openGateOfClaude();
  });

  it('with an open gate and budget left exits with 0', async () => {
    const { code, out } = await cli.call('usage');
    const [first] = out.split('\n');
    const open = 'The gate is open; 0 of 20 attempts in the last hour, 0 of 100 in the last 24 hours.';
    assert.deepEqual([code, first], [0, open]);
  });

  it('with a closed gate shows why, until when and usage, and exits with 1', async () => {
    const signal = { kind: 'five_hour', resetAt: EVENING + 4 * HOUR_MS, message: 'limit' } as const;
    await gate.report({
      signal,
      usage: [
        { window: 'five_hour', utilization: 1, resetAt: EVENING + 4 * HOUR_MS },
        { window: 'seven_day', utilization: 0.456, resetAt: EVENING + 40 * HOUR_MS },
      ],
    });
    cli.now += 12 * 60_000;
    const { code, out } = await cli.call('usage');
    assert.equal(code, 1);
    assert.deepEqual(out.split('\n').slice(0, 3), [
      'The gate is closed: 5-hour usage window used up, resets 22:00; 0 of 20 attempts in the last hour, 0 of 100 in the last 24 hours.',
      '5-hour usage window: 100 % used, resets 22:00 (reported 12 min ago)',
      'weekly usage window: 46 % used, resets 2026-11-22 10:00 (reported 12 min ago)',
    ]);
    assert.deepEqual(await cli.shown(1), ['waiting', '5-hour usage window used up, resets 22:00']);
    cli.now = EVENING + 4 * HOUR_MS + 60_000;
    assert.equal((await cli.call('usage')).code, 0);
  });

  it('prints JSON', async () => {
    const message = 'Opus is used up';
    await gate.report({
      signal: { kind: 'seven_day_opus', model: 'opus', resetAt: EVENING + 9 * HOUR_MS, message },
      usage: [],
    });
    const { code, out } = await cli.call('usage', '--json');
    assert.equal(code, 0, 'tasks of other models may run');
    const { claude, ...reported } = JSON.parse(out) as Record<string, unknown>;
    assert.equal((claude as { version: string }).version, '9.9.9');
    assert.deepEqual(reported, {
      gates: [
        {
          kind: 'seven_day_opus',
          model: 'opus',
          state: 'closed',
          phase: 'closed',
          until: '2026-11-21T03:00:00.000Z',
          next: '2026-11-21T03:01:00.000Z',
          first: null,
          reason: message,
        },
      ],
      mayStart: true,
      reason: null,
      problems: [],
      usage: {
        attempts: { hour: 0, maxPerHour: 20, day: 0, maxPerDay: 100 },
        night: { costUsd: 0, nightBudget: 0 },
        windows: [],
        reserve: null,
      },
    });
    assert.deepEqual((await cli.status()).gate, { state: 'open', until: null, reason: 'none' });
    assert.match(
      (await cli.call('status')).out,
      /The gate is closed for opus: weekly Opus usage window used up, resets 2026-11-21 03:00;/,
    );
  });

  it('lists both blocks of a gate that is closed for two models', async () => {
    const week = { resetAt: EVENING + 9 * HOUR_MS, message: 'limit' };
    const subagentLimits: LimitSignal[] = [
      { ...week, kind: 'seven_day_sonnet', model: 'sonnet' },
      { ...week, kind: 'seven_day_opus', model: 'opus', resetAt: EVENING + 20 * HOUR_MS },
    ];
    await gate.report({ signal: null, subagentLimits, usage: [] });
    assert.match(
      (await cli.call('status')).out,
      /The gate is closed for opus: weekly Opus usage window used up, resets [-\d: ]+; closed for sonnet: weekly Sonnet /,
    );
  });

  it('shows the block that lasts longest', async () => {
    await gate.report({
      signal: { kind: 'five_hour', resetAt: EVENING + HOUR_MS, message: 'limit' },
      usage: [],
    });
    await gate.report({
      signal: { kind: 'seven_day', resetAt: EVENING + 30 * HOUR_MS, message: 'limit' },
      usage: [],
    });
    await gate.report({
      signal: { kind: 'unknown', resetAt: EVENING + 2 * HOUR_MS, message: 'limit' },
      usage: [],
    });
    const { gate: reported, gates } = await cli.status();
    assert.deepEqual(reported, { state: 'closed', until: '2026-11-22T00:00:00.000Z', reason: 'seven_day' });
    assert.equal(gates.length, 3);
    cli.now = EVENING + 3 * HOUR_MS;
    assert.deepEqual(
      (await cli.status()).gates.map(({ state }) => state),
      ['open', 'closed', 'open'],
    );
  });

  it('shows no end for a gate that needs the user', async () => {
    await gate.report({
      signal: { kind: 'billing', resetAt: null, message: 'Credit balance is too low' },
      usage: [],
    });
    assert.deepEqual((await cli.status()).gate, { state: 'closed', until: null, reason: 'billing' });
    assert.equal((await cli.call('usage')).code, 1);
  });
});

describe('Settings', () => {
  prepareEach();

  beforeEach(async () => {
    cli.write('1,high,.,Do it,pending,2026-11-20 20:00,,no,,0,3');
    await cli.call('trust');
  });

  it('of the queue apply', async () => {
    cli.writeFile('config.yaml', 'timeZone: Asia/Tokyo\nmaxPerHour: 5\n');
    cli.write('2,high,.,Do it too,pending,2026-11-20 20:00,,no,,0,3');
    assert.deepEqual(await cli.shown(2), ['ready', '']);
    assert.match((await cli.call('usage')).out, /0 of 5 attempts in the last hour/);
  });

  it('in the environment take precedence', async () => {
    cli.writeFile('config.yaml', 'maxPerHour: 5\n');
    cli.env['CLAUDE_QUEUE_MAX_PER_HOUR'] = '7';
    assert.match((await cli.call('usage')).out, /0 of 7 attempts in the last hour/);
  });

  it('show nothing of an invalid address for callbacks, which may be secret', async () => {
    cli.env['CLAUDE_QUEUE_CALLBACK_URL'] = 'https://anna:hidden@hook.test/hidden';
    const { code, out, err } = await cli.call('check');
    assert.equal(code, 1);
    assert.match(out, /CLAUDE_QUEUE_CALLBACK_URL must be an address such as .*, without a password\.$/m);
    const worked = await cli.call('work', '--until-empty');
    assert.doesNotMatch(out + err + worked.out + worked.err, /hidden/);
  });

  it('that are invalid are reported by "check", and nothing runs', async () => {
    cli.writeFile('config.yaml', 'maxPerHour: many\nclaude: /usr/bin/claude\nmaxPerHuor: 3\n');
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    assert.match(out, /config\.yaml:1:1 {2}maxPerHour must be a whole number, at least 1; it is "many"\./);
    assert.match(out, /config\.yaml:2:1 {2}claude belongs to this machine/);
    assert.match(out, /config\.yaml:3:1 {2}There is no setting "maxPerHuor"\./);
    for (const name of ['work', 'run']) {
      const { code: refused, err } = await cli.call(name);
      assert.equal(refused, 64);
      assert.match(err, /^Invalid settings:\n\/.*config\.yaml: maxPerHour must be/);
    }
    assert.equal((await cli.call('status')).code, 0);
  });

  it('that are no YAML are reported once, with their place', async () => {
    cli.writeFile('config.yaml', 'maxPerHour: [\n');
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    assert.match(out, /^settings {2}\/.*config\.yaml:\d+:\d+ is not valid YAML: .*\n1 problem\.$/);
    assert.match((await cli.call('status')).err, /is not valid YAML/);
  });
});
