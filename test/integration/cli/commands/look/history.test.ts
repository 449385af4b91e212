import assert from 'node:assert/strict';
import { existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Attempt } from '../../../../../src/domain/task/attempt';
import { machineId } from '../../../../../src/platform/processes/machine';
import { CliHarness } from '../../cliHarness';
import { openCliQueue } from '../../fileQueue';
import { HOUR_MS, live, liveAnEvening, liveInFull, MINUTE_MS } from '../../lived';

const NO_ATTEMPTS = { attempts: 0, attemptsWithoutCost: 0, attemptsWithoutTime: 0 };
const NO_TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

let cli: CliHarness;

function prepareEach(): void {
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());
}

describe('history', () => {
  prepareEach();

  it('is a table of attempts, newest first, with totals', async () => {
    await liveAnEvening(cli);
    const { code, out } = await cli.call('history');
    assert.equal(code, 0);
    assert.equal(
      out,
      [
        'started           task  attempt  outcome          took   turns  cost     priority  waited',
        '2026-11-20 18:06  2     1        success (done)   1 min                            3 missed',
        '2026-11-20 18:04  1     2        success (done)   2 min  9      $0.2500  high      6 h, late',
        '2026-11-20 18:00  1     1        error (timeout)  4 min  12     $0.1000  high      1 min 30 s',
        '3 attempts: 2 success, 1 error; in all 7 min, cost at least $0.3500.',
      ].join('\n'),
    );
  });

  it('shows usage and changes if known, and every fact of one attempt', async () => {
    await liveInFull(cli);
    const table = (await cli.call('history')).out.split('\n');
    assert.equal(
      table[0],
      'started           task  attempt  outcome          took   turns  cost     tokens  changed            refused',
    );
    assert.equal(
      table[1],
      '2026-11-20 18:00  1     1        review (denied)  4 min  12     $0.1000  15.3k   +12 -3 in 2 files  1',
    );
    const facts = (await cli.call('history', '1', '--attempt', '1')).out;
    assert.equal(
      facts,
      [
        'task       1, attempt 1, for ann',
        'outcome    review (denied); exit code 0; Claude Code says: success, completed',
        'why        Finished, but Claude was refused an action: Bash git push.',
        'started    2026-11-20 18:00, took 4 min, 2 min of it with the model',
        'ran with   Claude Code 2.1.329, claude-opus-5-5, 12 turns',
        'allowed    acceptEdits; Bash(npm test)',
        'billed to  the subscription',
        'cost       $0.1000',
        'tokens     10.2k in, 5k out, 1.2M read from the cache, 100 written to it',
        'context    88k tokens in its session at the end',
        'changed    +12 -3 in 2 files: "claude-queue diff 1 --attempt 1"',
        'check      failed, exit code 1, took 3 s',
        'refused    Bash git push (allowed by Bash(git push))',
        'limit      Claude Code had warned that a limit is near',
        'session    session',
        'output     state/outputs/task-1-attempt-1.jsonl',
      ].join('\n'),
    );
    const both = (await cli.call('history', '1')).out;
    assert.ok(both.startsWith('started ') && both.endsWith(facts), both);
    assert.equal((await cli.call('history', '1', '--attempt', '2')).out, 'No attempt matches.');
    assert.equal((await cli.call('history', '--attempt', '1')).code, 64);
  });

  it('filters by task, outcome, number and start time', async () => {
    await liveAnEvening(cli);
    const idsOf = async (...args: readonly string[]): Promise<string[]> => {
      const { code, out } = await cli.call('history', ...args, '--json');
      assert.equal(code, 0);
      const { attempts } = JSON.parse(out) as { attempts: { id: number; attempt: number }[] };
      return attempts.map(({ id, attempt }) => `${String(id)}/${String(attempt)}`);
    };
    assert.deepEqual(await idsOf('1'), ['1/2', '1/1']);
    assert.deepEqual(await idsOf('--outcome', 'error'), ['1/1']);
    assert.deepEqual(await idsOf('--limit', '2'), ['2/1', '1/2']);
    assert.deepEqual(await idsOf('1', '--attempt', '1', '--limit', '1'), ['1/1']);
    assert.deepEqual(await idsOf('--since', '18:04'), ['2/1', '1/2']);
    assert.deepEqual(await idsOf('--since', '2m'), ['2/1']);
    assert.deepEqual(await idsOf('1', '--outcome', 'success', '--since', '1d'), ['1/2']);
  });

  it('is complete in JSON, with totals', async () => {
    await liveAnEvening(cli);
    const { out } = await cli.call('history', '--json', '--limit', '2');
    const { attempts, total } = JSON.parse(out) as { attempts: object[]; total: object };
    assert.deepEqual(attempts[1], {
      id: 1,
      attempt: 2,
      startedAt: '2026-11-20T18:04:00.000Z',
      endedAt: '2026-11-20T18:06:00.000Z',
      outcome: 'success',
      reason: 'done',
      message: 'Done.',
      exitCode: 0,
      turns: 9,
      costUsd: 0.25,
      priority: 'high',
      waitedMs: 6 * HOUR_MS,
      late: true,
      missed: 0,
      session: 'session',
      output: null,
      denials: [],
      earlierOutput: null,
      ...{ machine: machineId(), folder: cli.workspace },
      user: null,
      acceptedAt: null,
      undoneAt: null,
      changedTests: null,
      tokens: null,
      contextTokens: null,
      model: null,
      version: null,
      apiMs: null,
      claudeExitCode: null,
      report: null,
      reportReason: null,
      usage: null,
      subtype: null,
      terminalReason: null,
      isDiffPartial: true,
      limitWarning: false,
      check: null,
      diff: null,
      permissions: null,
      billing: null,
    });
    assert.deepEqual(total, {
      attempts: 2,
      attemptsWithoutCost: 1,
      attemptsWithoutTime: 0,
      ms: 3 * MINUTE_MS,
      costUsd: 0.25,
      tokens: NO_TOKENS,
      outcomes: { success: 2 },
    });
  });

  it('reports that nothing ran, or nothing matches', async () => {
    cli.write('1,high,.,First,pending,,,no,,0,3');
    assert.equal((await cli.call('history')).out, 'No attempt has ended yet, or the history was archived.');
    assert.equal((await cli.call('history', '1')).out, 'No attempt matches.');
    const { out } = await cli.call('history', '--json');
    assert.deepEqual(JSON.parse(out), {
      attempts: [],
      total: { ...NO_ATTEMPTS, ms: 0, costUsd: 0, tokens: NO_TOKENS, outcomes: {} },
    });
  });

  it('leaves out attempts older than keepHistory once they are archived', async () => {
    await liveAnEvening(cli);
    cli.write('3,low,.,Third,pending,,,no,,0,3');
    cli.writeFile('config.yaml', 'keepHistory: 1d\n');
    const queue = await openCliQueue(cli);
    const why = 'x'.repeat(400_000);
    for (const op of ['1', '2', '3']) await queue.hold({ by: 'person', why }, op);
    await queue.close();
    cli.now += 2 * 24 * HOUR_MS;
    assert.equal((await cli.call('cancel', '3')).code, 0);
    assert.equal((await cli.call('history')).out, 'No attempt has ended yet, or the history was archived.');
    const kept = cli.read('state/archive/attempts.jsonl').trim().split('\n');
    assert.deepEqual(
      kept.map((line) => (JSON.parse(line) as Attempt).outcome),
      ['error', 'success', 'success'],
    );
  });

  it('refuses invalid options', async () => {
    cli.write('1,high,.,First,pending,,,no,,0,3');
    for (const args of [['x'], ['--outcome', 'failed'], ['--since', 'yesterday'], ['--limit', '0']]) {
      const { code, err } = await cli.call('history', ...args);
      assert.equal(code, 64, args.join(' '));
      assert.match(err, /give|ids are/);
    }
  });

  it('shows no control sequences from a file', async () => {
    cli.write('1,high,.,First,pending,,,no,,0,3');
    await live(cli, { tookMs: MINUTE_MS, outcome: 'error', reason: 'x\u001b[2Jy', code: 1 });
    const { out } = await cli.call('history');
    assert.ok(!out.includes('\u001b'), out);
  });
});

describe('history --occurrences', () => {
  prepareEach();

  it('has one record for each due time: first waiting, then ran', async () => {
    cli.write('1,medium,.,Tidy up,pending,2026-11-20 18:05,,no,,0,3');
    const show = async (): Promise<string[]> =>
      (await cli.call('history', '1', '--occurrences')).out.split('\n');
    const queue = await openCliQueue(cli);
    await queue.sync();
    await queue.close();
    assert.deepEqual(await show(), ['No due time of this task has passed yet.']);
    cli.now += 6 * MINUTE_MS;
    assert.match((await show())[1] ?? '', /^2026-11-20 18:05 +1 +waits: not approved/);
    await live(cli, { tookMs: MINUTE_MS });
    assert.match((await show())[1] ?? '', /^2026-11-20 18:05 +1 +ran \(attempt 1\)$/);
    const { out } = await cli.call('history', '1', '--occurrences', '--json');
    const at = '2026-11-20T18:05:00.000Z';
    const ran = {
      dueAt: at,
      lastDueAt: at,
      count: 1,
      end: 'ran',
      pause: null,
      because: null,
      again: false,
      attempts: [1],
    };
    assert.deepEqual(JSON.parse(out), { occurrences: [ran] });
  });

  it('names the pause in which times were missed, and status shows them for a day', async () => {
    cli.installClaude('ok');
    cli.write('1,medium,.,Tidy up,pending,,,yes,1h,0,3');
    await cli.approve('1');
    await cli.call('work', '--until-empty');
    assert.doesNotMatch((await cli.call('status')).out, /Skipped/);
    cli.now += 90 * MINUTE_MS;
    await cli.call('hold', 'lunch');
    cli.now += HOUR_MS;
    await cli.call('resume');
    cli.now += HOUR_MS;
    await cli.call('work', '--until-empty');
    const show = async (...options: string[]): Promise<string[]> =>
      (await cli.call('history', '1', '--occurrences', ...options)).out.split('\n');
    const rows = await show();
    assert.deepEqual((await show('--since', '2026-11-20 21:00')).slice(1), rows.slice(4));
    assert.deepEqual((await show('--limit', '1')).slice(1), rows.slice(-1));
    cli.now += MINUTE_MS;
    assert.deepEqual(await show('--since', '0.5m'), ['No due time of this task has passed since then.']);
    const why = 'missed during a pause \\(lunch\\), the run of an earlier time made up for it';
    assert.match(rows.join('\n'), new RegExp(`^2026-11-20 20:00 +1 +skipped: ${why}$`, 'm'));
    assert.match(rows.join('\n'), /^2026-11-20 21:00 +1 +skipped: missed, the run of an earlier time/m);
    const status = await cli.call('status');
    assert.match(status.out, new RegExp(`^Skipped: task 1 at 20:00: ${why}\\.$`, 'm'));
    const { skipped } = JSON.parse((await cli.call('status', '--json')).out) as { skipped: unknown[] };
    const at = '2026-11-20T20:00:00.000Z';
    const first = { task: 1, dueAt: at, lastDueAt: at, count: 1, because: 'merged', pause: 'lunch' };
    assert.deepEqual([skipped[0], skipped.length], [first, 2]);
    cli.now += 26 * HOUR_MS;
    assert.doesNotMatch((await cli.call('status')).out, /Skipped/);
  });

  it('shows that a task ran again for a time whose attempt the history lost', async () => {
    cli.installClaude('ok');
    cli.write('1,medium,.,Tidy up,pending,,,yes,1h,0,3');
    await cli.approve('1');
    await cli.call('work', '--until-empty');
    cli.now += HOUR_MS;
    const journal = join(cli.queueFolder, 'state', 'journal');
    const before = statSync(journal).size;
    await cli.call('work', '--until-empty');
    truncateSync(journal, before);
    const { out } = await cli.call('work', '--until-empty');
    const again =
      /the history lost an earlier run of this attempt, so it ran again; that run's output is (state\/outputs\/task-1-attempt-2\S+)/;
    assert.match(out, again);
    const [, output = ''] = again.exec((await cli.call('history', '1')).out) ?? assert.fail();
    assert.ok(existsSync(join(cli.queueFolder, output)));
    const rows = (await cli.call('history', '1', '--occurrences')).out;
    assert.match(rows, /^2026-11-20 19:00 +1 +ran \(attempt 2\), again: the history lost an earlier run$/m);
  });

  it('has no time of a row that was another task, or was not there', async () => {
    cli.installClaude('ok');
    const put = async (prompt: string): Promise<void> => {
      cli.write(`1,medium,.,${prompt},pending,,,yes,0 * * * *,0,3`);
      const queue = await openCliQueue(cli);
      await queue.sync();
      await queue.close();
    };
    const show = async (): Promise<string[]> =>
      (await cli.call('history', '1', '--occurrences')).out.split('\n').slice(1);
    await put('Tidy up');
    await cli.approve('1');
    await cli.call('work', '--until-empty');
    cli.now += 10 * MINUTE_MS;
    await put('Clean up');
    cli.now += 2 * MINUTE_MS;
    await put('Tidy up');
    assert.match((await show()).join('\n'), /^2026-11-20 18:00 .* ran \(attempt 1\)$/);
    assert.match((await cli.shown(1))?.[1] ?? '', /^next time 19:00$/);
    cli.now += HOUR_MS;
    assert.match((await show())[1] ?? '', /^2026-11-20 19:00 .* waits: ready$/);
    await cli.call('work', '--until-empty');
    await cli.call('rm', '1');
    cli.now += 24 * HOUR_MS;
    await put('Tidy up');
    const [, again, ...others] = await show();
    assert.match(again ?? '', /^2026-11-20 19:00 .* ran \(attempt 2\)$/);
    assert.match(others.join('\n'), /^2026-11-21 19:12 +1 +waits: ready$/);
  });

  it('needs a task with a valid row, and is no list of attempts', async () => {
    assert.match((await cli.call('history', '--occurrences')).err, /Give a task, such as/);
    const both = await cli.call('history', '1', '--occurrences', '--outcome', 'error');
    assert.match(both.err, /^Give --occurrences or --outcome: not both\./);
    cli.write('1,urgent,.,Tidy up,pending,,,no,,0,3');
    const { err } = await cli.call('history', '1', '--occurrences');
    assert.match(err, /^Task 1 is invalid:\n.*prompts\.csv:2:3 {2}.*"urgent"/);
  });
});
