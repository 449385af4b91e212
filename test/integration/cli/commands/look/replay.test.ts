import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { OPEN_GATE } from '../../../../../src/domain/gate/gate';
import { defaults } from '../../../../../src/domain/settings/settings';
import { machineId } from '../../../../../src/platform/processes/machine';
import { CliHarness, EVENING } from '../../cliHarness';
import { openCliQueue } from '../../fileQueue';
import { live, MINUTE_MS } from '../../lived';

let cli: CliHarness;

/** Two tasks that run one after the other, from 18:00 to 18:10. */
async function liveTwo(): Promise<void> {
  cli.write('1,low,.,First,pending,,,no,,0,3', '2,high,.,Second,pending,,,no,,0,3');
  await live(cli, { tookMs: 5 * MINUTE_MS }, { tookMs: 5 * MINUTE_MS });
  cli.now += 10 * MINUTE_MS;
}

/** Replaces a text in the journal by one of the same length. */
function forge(from: RegExp, to: string): void {
  const file = cli.paths.state.of('journal');
  const text = readFileSync(file, 'utf8');
  const forged = text.replace(from, to);
  assert.notEqual(forged, text);
  assert.equal(forged.length, text.length);
  writeFileSync(file, forged);
}

describe('replay', () => {
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  it('finds that the rules choose the same tasks, and changes nothing', async () => {
    await liveTwo();
    const before = readFileSync(cli.paths.state.of('journal'));
    const { code, out } = await cli.call('replay', '--since', '18:00');
    assert.equal(code, 0);
    assert.match(out, /^\d+ events, 2 starts: 2 the same, 0 different\.\n2 ends: 2 the same, 0 different\.$/);
    assert.deepEqual(readFileSync(cli.paths.state.of('journal')), before);
  });

  it('names the task that the rules would start, and exits with 1', async () => {
    await liveTwo();
    // The row of task 2 had another priority than the claim of it shows.
    forge(/("rows":\[\{"id":1,"priority":"low".*?"id":2,"priority":)"high"/, '$1"low" ');
    const { code, out } = await cli.call('replay', '--since', '18:00');
    assert.equal(code, 1);
    assert.match(out, /1 the same, 1 different\./);
    assert.match(
      out,
      /18:00:00 {2}task 2 started; by the rules of today task 1 starts \(task 2 comes later\)/,
    );
    const { differences } = JSON.parse((await cli.call('replay', '--since', '18:00', '--json')).out) as {
      readonly differences: unknown;
    };
    assert.deepEqual(differences, [
      { at: new Date(EVENING).toISOString(), recorded: 2, expected: 1, reason: null },
    ]);
  });

  it('names an end that the rules would decide otherwise, and exits with 1', async () => {
    await liveTwo();
    forge(/"change":\{"status":"completed"/, '"change":{"status":"cancelled"');
    const { code, out } = await cli.call('replay', '--since', '18:00');
    assert.equal(code, 1);
    assert.match(
      out,
      /\n2 ends: 1 the same, 1 different\.\n2026-11-20 18:05:00 {2}task 2 ended \(success\): cancelled; by the rules of today: completed$/m,
    );
    const { ends } = JSON.parse((await cli.call('replay', '--since', '18:00', '--json')).out) as {
      readonly ends: { readonly same: number; readonly differences: readonly Record<string, unknown>[] };
    };
    const [{ task, expected } = {}] = ends.differences;
    assert.deepEqual(
      [ends.same, task, expected],
      [1, 2, { status: 'completed', retryCount: 0, retriesUsedUp: false, nextAt: null }],
    );
  });

  it('names the reason why a started task would wait', async () => {
    await liveTwo();
    forge(/"maxPerDay":100,/, '"maxPerDay":1  ,');
    const { out } = await cli.call('replay', '--since', '18:00');
    assert.match(out, /task 1 started; by the rules of today no task starts \(task 1: at most 1 a day, .+\)/);
  });

  it('says from when inputs are recorded in the journal of an earlier version', async () => {
    await liveTwo();
    forge(/"kind":"inputs"/, '"kind":"inputz"');
    forge(/,"choice":\{\}/g, ',"chance":{}');
    const { code, out } = await cli.call('replay', '--since', '17:00');
    assert.equal(code, 0);
    assert.match(out, /2 starts: 0 the same, 0 different\.\n2 starts cannot be decided again: the inputs/);
    assert.match(out, /The journal starts at 2026-11-20 18:00:00\.\nSettings, rows .* are not recorded\./);
  });

  it('names the starts that another setting refuses, and the first one at which the nights part', async () => {
    await liveTwo();
    const { code, out } = await cli.call('replay', '--since', '18:00', '--set', 'maxPerDay=1');
    assert.equal(code, 0);
    assert.match(out, /2 starts: 1 the same, 1 different\./);
    assert.match(
      out,
      /\nWith maxPerDay=1 the night parts at 2026-11-20 18:05:00\. From there on the record is of another/,
    );
    assert.match(
      out,
      /\n2026-11-20 18:05:00 {2}task 1 started; with maxPerDay=1 no task starts \(task 1: at most 1 a day, /,
    );
  });

  it('names the task that another setting would start first', async () => {
    cli.write();
    await cli.call('add', 'First', '--priority', 'low');
    cli.now += 3 * 60 * MINUTE_MS;
    await cli.call('add', 'Second', '--priority', 'high');
    await live(cli, { tookMs: 5 * MINUTE_MS }, { tookMs: 5 * MINUTE_MS });
    const set = ['--set', 'lowToMedium=1h', '--set', 'promotedToHigh=1h'];
    const { out } = await cli.call('replay', '--since', '18:00', '--json', ...set);
    const { set: shown, partsAt, differences } = JSON.parse(out) as Record<string, unknown>;
    assert.deepEqual(shown, ['lowToMedium=1h', 'promotedToHigh=1h']);
    const at = new Date(EVENING + 3 * 60 * MINUTE_MS).toISOString();
    assert.deepEqual([partsAt, differences], [at, [{ at, recorded: 2, expected: 1, reason: null }]]);
  });

  it('says that another setting changes no start, and what it does not look for', async () => {
    await liveTwo();
    const { code, out } = await cli.call('replay', '--since', '18:00', '--set', 'maxPerDay=99');
    assert.equal(code, 0);
    assert.match(
      out,
      /2 the same, 0 different\.\nWith maxPerDay=99 the recorded starts are the same, and no other is found\.\nStarts in slots/,
    );
    assert.doesNotMatch((await cli.call('replay', '--since', '18:00')).out, /With|Starts in/);
  });

  it('finds the first start that another setting adds, with the reason why the task waited', async () => {
    cli.write('1,low,.,First,pending,,,no,,0,3', '2,high,.,Second,pending,,,no,,0,3');
    const queue = await openCliQueue(cli);
    const owner = { kind: 'process', worker: '42', machine: machineId(), process: cli.self() } as const;
    await queue.register({ owner, since: cli.now }, { alone: true }, 'enlist');
    await queue.close();
    await live(cli, { tookMs: 5 * MINUTE_MS });
    cli.now += MINUTE_MS;
    await live(cli, { tookMs: 5 * MINUTE_MS });
    // As if task 1 had been kept from starting from 18:05 to 18:06.
    forge(/"maxPerDay":100,/, '"maxPerDay":1  ,');
    const set = ['--since', '18:00', '--set', 'maxPerDay=2'];
    const { code, out } = await cli.call('replay', ...set);
    assert.equal(code, 0);
    assert.match(
      out,
      /2 the same, 0 different\.\nWith maxPerDay=2 the night parts at 2026-11-20 18:05:00\. From there/,
    );
    assert.match(
      out,
      /\n2026-11-20 18:05:00 {2}no task started; with maxPerDay=2 task 1 starts \(as recorded: at most 1 a day, /,
    );
    const { partsAt, added } = JSON.parse((await cli.call('replay', ...set, '--json')).out) as {
      readonly partsAt: string;
      readonly added: Record<string, unknown>;
    };
    const at = new Date(EVENING + 5 * MINUTE_MS).toISOString();
    assert.deepEqual([partsAt, added['at'], added['task']], [at, at, 1]);
  });

  it('names a task that could have started while a worker asked for one, and exits with 1', async () => {
    cli.write('1,low,.,First,pending,,,no,,0,3', '2,high,.,Second,pending,,,no,,0,3');
    const queue = await openCliQueue(cli);
    const owner = { kind: 'process', worker: '42', machine: machineId(), process: cli.self() } as const;
    await queue.register({ owner, since: cli.now }, { alone: true }, 'enlist');
    await live(cli, { tookMs: 5 * MINUTE_MS });
    const askingSince = cli.now;
    cli.now += 10 * MINUTE_MS;
    const request = { owner, since: cli.now, gate: OPEN_GATE, settings: defaults, timeZone: 'UTC' };
    const approvedRows = { trusted: true, approvals: new Set<string>() };
    await queue.claim({ ...request, approvedRows, freshSession: 'session', askingSince }, 'late');
    await queue.close();
    const { code, out } = await cli.call('replay', '--since', '18:00');
    assert.equal(code, 1);
    assert.match(
      out,
      /2 the same, 0 different, 1 missing\.\n2026-11-20 18:05:00 {2}task 1 could have started: worker 42 asked for a/,
    );
    const { missing } = JSON.parse((await cli.call('replay', '--since', '18:00', '--json')).out) as {
      readonly missing: unknown;
    };
    assert.deepEqual(missing, [{ at: new Date(askingSince).toISOString(), task: 1, worker: '42' }]);
  });

  it('says when the clock had jumped ahead, and by how much', async () => {
    cli.write('1,low,.,First,pending,,,no,,0,3');
    const queue = await openCliQueue(cli);
    const owner = { kind: 'process', worker: '42', machine: machineId(), process: cli.self() } as const;
    const request = { owner, since: cli.now, gate: OPEN_GATE, settings: defaults, timeZone: 'UTC' };
    const approvedRows = { trusted: true, approvals: new Set<string>() };
    const more = { approvedRows, freshSession: 'session', clockJumpMs: 90 * MINUTE_MS };
    await queue.noteInputs({ ...request, ...more }, 'jump');
    await queue.close();
    const { code, out } = await cli.call('replay', '--since', '18:00');
    assert.equal(code, 0);
    assert.match(out, /\n2026-11-20 18:00:00 {2}the clock had jumped ahead by 1 h 30 min: it was set, or/);
    const { clockJumps } = JSON.parse((await cli.call('replay', '--since', '18:00', '--json')).out) as {
      readonly clockJumps: unknown;
    };
    assert.deepEqual(clockJumps, [{ at: new Date(EVENING).toISOString(), seconds: 5_400 }]);
  });

  it('names a worker that died and did not say so, but none that runs', async () => {
    cli.write('1,low,.,First,pending,,,no,,0,3');
    const queue = await openCliQueue(cli);
    for (const [worker, process] of [
      ['41', { pid: 41, startedAt: 'then' }] as const,
      ['42', cli.self()] as const,
    ]) {
      const owner = { kind: 'process', worker, machine: machineId(), process } as const;
      await queue.register({ owner, since: cli.now }, { alone: false }, worker);
    }
    await queue.close();
    cli.now += 5 * MINUTE_MS;
    const { code, out } = await cli.call('replay', '--since', '18:00');
    assert.equal(code, 0);
    assert.match(
      out,
      /\nWorker 41 recorded nothing after 2026-11-20 18:00:00; it did not say that it ended\.$/m,
    );
    assert.doesNotMatch(out, /42/);
    const { silent } = JSON.parse((await cli.call('replay', '--since', '18:00', '--json')).out) as {
      readonly silent: unknown;
    };
    assert.deepEqual(silent, [{ worker: '41', lastAt: new Date(EVENING).toISOString() }]);
  });

  for (const change of ['keepHistory=1d', 'permissionMode=plan', 'maxPerDay=0', 'maxPerDay'])
    it(`refuses --set ${change}`, async () => {
      await liveTwo();
      assert.equal((await cli.call('replay', '--set', change)).code, 64);
    });

  it('refuses an end before the start', async () => {
    await liveTwo();
    const { code, err } = await cli.call('replay', '--since', '18:05', '--until', '18:00');
    assert.deepEqual([code, err], [64, '"18:00" is before "18:05".']);
  });

  it('is refused with a start in the future, like the other commands about the past', async () => {
    cli.write('1,high,.,First,pending,,,no,,0,3');
    for (const command of ['history', 'report', 'replay']) {
      const { code, err } = await cli.call(command, '--since', '2100-01-01');
      assert.deepEqual([code, err], [64, '"2100-01-01" is in the future. Give an earlier time.'], command);
    }
  });
});

describe('why', () => {
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  it('explains a task at an earlier time in the words of `show`', async () => {
    cli.write('1,low,.,First,pending,,,no,,0,3', '2,high,.,Second,pending,,,no,,0,3');
    await cli.call('trust');
    await live(cli, { tookMs: 5 * MINUTE_MS });
    cli.now += MINUTE_MS;
    const { code, out } = await cli.call('why', '1', '--at', '18:02');
    assert.equal(code, 0);
    assert.match(out, /^Task 1 at 2026-11-20 18:02:00, waiting: worker 42 is running task 2/);
    assert.match(out, /^Rows, settings and usage limits were last recorded at 2026-11-20 18:00:00\.$/m);
    assert.match((await cli.call('why', '1', '--at', '30s')).out, /^No worker was running\.$/m);
    assert.match((await cli.call('why', '2', '--at', '30s')).out, /^Task 2 at .* 18:05:30, completed/);
  });

  it('explains a task now as `show` does', async () => {
    await liveTwo();
    const [head] = (await cli.call('show', '1')).out.split('\n');
    assert.equal((await cli.call('why', '1')).out.split('\n')[0], head);
  });

  it('says that no worker runs only of a task that has not ended', async () => {
    cli.write('1,low,.,First,completed,,,no,,0,3', '2,high,.,Second,pending,,,no,,0,3');
    await cli.call('trust');
    assert.doesNotMatch((await cli.call('why', '1')).out, /No worker is running/);
    assert.match((await cli.call('why', '2')).out, /^No worker is running\.$/m);
  });

  it('names each line of an id that two rows have, and what is wrong with an invalid row', async () => {
    cli.write('1,low,.,First,pending,,,no,,0,3', '1,low,.,Again,pending,,,no,,0,3', '2,urgent,.,Second');
    const { code, err } = await cli.call('why', '1');
    assert.equal(code, 1);
    const [head, ...lines] = err.split('\n');
    assert.equal(head, 'Task 1 is invalid:');
    assert.deepEqual(
      lines.map((line) => line.replace(/^.*(?=prompts\.csv)/, '')),
      [2, 3].map((line) => `prompts.csv:${line}:1  Id 1 is on lines 2 and 3. Each row needs a unique id.`),
    );
    assert.match((await cli.call('why', '2')).err, /^Task 2 is invalid:\n.*prompts\.csv:4:/);
  });

  it('prints JSON', async () => {
    await liveTwo();
    const { out } = await cli.call('why', '1', '--at', '18:02', '--json');
    const { id, at, shown } = JSON.parse(out) as Record<string, unknown>;
    assert.deepEqual([id, at, shown], [1, '2026-11-20T18:02:00.000Z', 'waiting']);
  });

  it('says when the journal starts', async () => {
    await liveTwo();
    const { code, out } = await cli.call('why', '1', '--at', '17:00');
    assert.equal(code, 1);
    assert.equal(out, 'The journal starts at 2026-11-20 18:00:00, after 2026-11-20 17:00:00.');
  });

  it('says so where the inputs of an earlier version are missing', async () => {
    await liveTwo();
    forge(/"kind":"inputs"/, '"kind":"inputz"');
    const { code, out } = await cli.call('why', '1', '--at', '18:02');
    assert.deepEqual([code, out], [1, 'Nothing is recorded about 2026-11-20 18:02:00.']);
  });

  it('refuses a time in the future and a task that was not there', async () => {
    await liveTwo();
    const future = await cli.call('why', '1', '--at', '2026-11-21 09:00');
    assert.equal(future.code, 64);
    const missing = await cli.call('why', '9', '--at', '18:02');
    assert.match(
      missing.err,
      /No task 9 is recorded at 2026-11-20 18:02:00\. Rows, .* were last recorded at 2026-11-20 18:00:00\./,
    );
  });
});
