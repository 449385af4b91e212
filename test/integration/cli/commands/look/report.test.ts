import assert from 'node:assert/strict';
import { CliHarness } from '../../cliHarness';
import { HOUR_MS, live, liveAnEvening, MINUTE_MS } from '../../lived';

let cli: CliHarness;

describe('report', () => {
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  it("has totals of each day in the queue's time zone, and of all", async () => {
    cli.writeFile('config.yaml', 'timeZone: Asia/Tokyo\n');
    await liveAnEvening(cli);
    cli.now += 24 * HOUR_MS;
    cli.write('3,low,.,Third,pending,,,no,,0,3');
    await live(cli, {
      tookMs: MINUTE_MS,
      costUsd: 1,
      tokens: { input: 900, output: 100, cacheRead: 2_500, cacheWrite: 0 },
    });
    assert.equal(
      (await cli.call('report', '--by', 'day')).out,
      [
        'day         attempts  ended               time   tokens  from the cache  cost',
        '2026-11-21  3         2 success, 1 error  7 min                          at least $0.3500',
        '2026-11-22  1         1 success           1 min  1k      2.5k            $1.00',
        'in all      4         3 success, 1 error  8 min  1k      2.5k            at least $1.35',
      ].join('\n'),
    );
  });

  it('groups by task and by user, and filters by time', async () => {
    cli.write('2,high,.,First,pending,,,no,,0,3', '10,low,.,Second,pending,,,no,,0,3');
    await live(
      cli,
      { tookMs: MINUTE_MS, costUsd: 0.5, user: 'ben' },
      { tookMs: MINUTE_MS, costUsd: 0.25, outcome: 'error', reason: 'x', code: 1 },
    );
    const report = async (...args: readonly string[]): Promise<unknown[]> => {
      const { code, out } = await cli.call('report', '--json', ...args);
      assert.equal(code, 0);
      const { lines } = JSON.parse(out) as { lines: Record<string, unknown>[] };
      return lines.map(({ day, task, user, costUsd }) => [day ?? task ?? user, costUsd]);
    };
    assert.deepEqual(await report('--by', 'task'), [
      [2, 0.5],
      [10, 0.25],
    ]);
    assert.deepEqual(await report('--by', 'user'), [
      [null, 0.25],
      ['ben', 0.5],
    ]);
    assert.deepEqual(await report('--since', '30s'), [['2026-11-20', 0.25]]);
    assert.deepEqual(await report('--since', '90s'), [['2026-11-20', 0.75]]);
    const { out } = await cli.call('report', '--by', 'user');
    assert.match(out, /^\(none\) +1 +1 error/m);
    assert.equal((await cli.call('report', '--by', 'week')).code, 64);
  });

  it('does not count an attempt as free that did not report its cost', async () => {
    const rows = [1, 2, 3].map((id) => `${String(id)},high,.,First,pending,,,no,,0,3`);
    cli.write(...rows);
    await live(
      cli,
      { tookMs: MINUTE_MS, costUsd: 0.5, user: 'ben' },
      { tookMs: MINUTE_MS, user: 'ben' },
      { tookMs: MINUTE_MS, user: 'eva' },
    );
    const { out } = await cli.call('report', '--by', 'user');
    assert.match(out, /^ben .*at least \$0\.5000/m);
    assert.match(out, /^eva .*unknown/m);
    assert.match(out, /^in all .*at least \$0\.5000/m);
  });

  it('shows by user what waits now, also of users without an attempt, and how long attempts had waited', async () => {
    const header = 'id,priority,working_dir,prompt,status,user';
    const rows = ['1,high,.,A,pending,ben', '2,low,.,B,pending,anna', '3,low,.,C,pending,anna'];
    cli.writeFile('prompts.csv', `${[header, ...rows].join('\n')}\n`);
    await live(cli, { tookMs: MINUTE_MS, costUsd: 0.5, user: 'ben', waitedMs: 90_000 });
    cli.now += HOUR_MS;
    assert.equal(
      (await cli.call('report', '--by', 'user')).out,
      [
        'user    attempts  ended      time   cost     queued  longest wait  waited (p50)',
        'anna    0                                    2       1 h 1 min',
        'ben     1         1 success  1 min  $0.5000  0                     1 min 30 s',
        'in all  1         1 success  1 min  $0.5000',
      ].join('\n'),
    );
    const { lines } = JSON.parse((await cli.call('report', '--by', 'user', '--json')).out) as {
      lines: Record<string, unknown>[];
    };
    assert.deepEqual(
      lines.map(({ user, queued, longestWaitMs, waitedMs }) => [user, queued, longestWaitMs, waitedMs]),
      [
        ['anna', 2, HOUR_MS + MINUTE_MS, null],
        ['ben', 0, 0, { p50: 90_000, p95: 90_000 }],
      ],
    );
  });

  it('has the same attempts in its sums as in the account of the night: those that ended since', async () => {
    cli.write('1,high,.,First,pending,,,no,,0,3');
    await live(cli, { tookMs: 2 * HOUR_MS, costUsd: 5 });
    cli.now += 23 * HOUR_MS;
    const { out } = await cli.call('report', '--json', '--since', '24h');
    const { total, night } = JSON.parse(out) as {
      total: { attempts: number; costUsd: number };
      night: { attempts: { total: number }; cost: { usd: number | null } };
    };
    assert.deepEqual([total.attempts, total.costUsd], [1, 5]);
    assert.deepEqual([night.attempts.total, night.cost.usd], [1, 5]);
  });

  it('says that attempts older than keepHistory may be missing, and does not say that nothing ran then', async () => {
    cli.writeFile('config.yaml', 'keepHistory: 2d\n');
    await liveAnEvening(cli);
    const note = /Not counted: archived attempts that ended before 2026-11-23 18:07\./;
    cli.now += 5 * 24 * HOUR_MS;
    for (const words of [['report'], ['report', '--by', 'day'], ['history']]) {
      const { out } = await cli.call(...words, '--since', '7d');
      assert.match(out.replaceAll(/\s+/g, ' '), note, words.join(' '));
      assert.doesNotMatch((await cli.call(...words, '--since', '2d')).out, /archived/);
    }
    const { mayLackAttempts, night } = JSON.parse(
      (await cli.call('report', '--json', '--since', '7d')).out,
    ) as {
      mayLackAttempts: boolean;
      night: { attempts: { knownFrom: string | null }; gaps: { from: string }[] };
    };
    const knownFrom = new Date(cli.now - 2 * 24 * HOUR_MS).toISOString();
    assert.deepEqual([mayLackAttempts, night.attempts.knownFrom], [true, knownFrom]);
    assert.deepEqual(
      night.gaps.map(({ from }) => from),
      [knownFrom],
    );
  });

  it('says that archived attempts are not counted where all are asked for', async () => {
    await liveAnEvening(cli);
    for (const words of [['report', '--by', 'day'], ['history']])
      assert.doesNotMatch((await cli.call(...words)).out, /archived/);
    await cli.call('reset');
    const { out } = await cli.call('report', '--by', 'day');
    assert.equal(out, 'There are no attempts to report on. Not counted: archived attempts.');
    assert.equal(
      (await cli.call('log', '1')).err,
      'Task 1 has no output here: its attempts were archived. Only "claude-queue reset" keeps outputs, in state/archive; after keepHistory they are deleted.',
    );
  });

  it('reports that nothing ran', async () => {
    cli.write('1,high,.,First,pending,,,no,,0,3');
    assert.equal((await cli.call('report', '--by', 'day')).out, 'There are no attempts to report on.');
  });

  it("still counts attempts that a reset archived towards the night's budget", async () => {
    cli.writeFile('config.yaml', 'nightBudget: 0.3\n');
    await liveAnEvening(cli);
    const before = (await cli.call('usage')).out;
    assert.match(before, /\$0\.3500 reported of \$0\.3000 this night/);
    assert.equal((await cli.call('reset')).code, 0);
    assert.equal(
      (await cli.call('report', '--by', 'day')).out,
      'There are no attempts to report on. Not counted: archived attempts.',
    );
    assert.equal((await cli.call('usage')).out, before);
  });
});
