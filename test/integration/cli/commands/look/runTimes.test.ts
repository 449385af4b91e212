import assert from 'node:assert/strict';
import { defaults } from '../../../../../src/domain/settings/settings';
import type { TaskQueue } from '../../../../../src/queue/taskQueue';
import { recordNight } from '../../../../support/night/recordNight';
import { CliHarness } from '../../cliHarness';
import { HOUR_MS, MINUTE_MS } from '../../lived';

let cli: CliHarness;

function prepareEach(): void {
  beforeEach(async () => {
    cli = new CliHarness();
    cli.write('1,high,.,First,pending,,,no,,0,3');
    await cli.call('trust');
  });
  afterEach(() => cli.remove());
}

describe('An attempt whose worker died at an unknown time', () => {
  prepareEach();

  beforeEach(async () => {
    const recover = async (queue: TaskQueue): Promise<void> => {
      await queue.recover({ settings: defaults, timeZone: 'UTC', random: 0.5 }, 'recover');
    };
    await recordNight({ file: cli.queueFile, folder: cli.workspace, env: cli.env }, cli.now, [
      { id: 1, at: 0, minutes: 5 },
      { at: 13 * 60, act: recover },
    ]);
    cli.now += 13 * HOUR_MS;
  });

  it('has no time in the history, and none in the sums', async () => {
    const { out } = await cli.call('history', '1');
    assert.match(out, /lost \(owner-died\) {2}unknown {2}high$/m);
    assert.match(out, /^1 attempt: 1 lost; in all unknown, cost unknown\.$/m);
    assert.match(out, /^started +2026-11-20 18:00, end unknown$/m);
    assert.match((await cli.call('report', '--by', 'day')).out, /^2026-11-20 +1 +1 lost +unknown +unknown$/m);
    const { total } = JSON.parse((await cli.call('history', '--json')).out) as {
      total: { ms: number | null; attemptsWithoutTime: number };
    };
    assert.deepEqual([total.ms, total.attemptsWithoutTime], [null, 1]);
  });

  it('has no share in averages and metrics', async () => {
    const { out } = await cli.call('status', '--rates');
    assert.match(out, /^high: 1 in the last hour, 1 in 24 hours$/m);
    assert.match((await cli.call('metrics')).out, /task_duration_seconds_count\{priority="high"\} 0$/m);
  });
});

describe('A task that the user did by hand', () => {
  prepareEach();

  it('has no time in sums and averages; its attempt says for how long the user had it', async () => {
    await cli.call('next');
    cli.now += 13 * HOUR_MS;
    await cli.call('done');
    const { out } = await cli.call('history', '1');
    assert.match(out, /^1 attempt: 1 success; cost unknown\.$/m);
    assert.match(out, /^started +2026-11-20 18:00, with you for 13 h$/m);
    assert.match((await cli.call('report', '--by', 'user')).out, /^\(none\) +1 +1 success +unknown/m);
    assert.doesNotMatch((await cli.call('status', '--rates', '--by', 'user')).out, /took/);
  });

  it('ends no earlier than it started, though the clock was set back', async () => {
    await cli.call('next');
    cli.now -= 50 * MINUTE_MS;
    await cli.call('done');
    const { attempts } = JSON.parse((await cli.call('history', '--json')).out) as {
      attempts: Record<string, unknown>[];
    };
    assert.deepEqual(
      attempts.map(({ startedAt, endedAt }) => [startedAt, endedAt]),
      [['2026-11-20T18:00:00.000Z', '2026-11-20T18:00:00.000Z']],
    );
  });
});
