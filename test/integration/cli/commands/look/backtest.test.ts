import assert from 'node:assert/strict';
import type { Held } from '../../../../../src/app/viewModel/report/forecastAccuracy';
import { CliHarness } from '../../cliHarness';
import { HOUR_MS, live, MINUTE_MS } from '../../lived';

interface Backtest {
  readonly start: Held;
  readonly end: Held;
  readonly nights: readonly {
    readonly tasks: number;
    readonly start: Held | null;
    readonly end: Held | null;
  }[];
  readonly tasks: readonly { readonly id: number; readonly start: Held; readonly end: Held }[];
  readonly leftOut: number;
}

let cli: CliHarness;

async function backtest(): Promise<Backtest> {
  const { code, out } = await cli.call('simulate', '--backtest', '--json');
  assert.equal(code, 0, out);
  return JSON.parse(out) as Backtest;
}

const rows = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${from + index},low,.,Task,pending,,,no,,0,3`);

/** A night of ten tasks of three minutes each. */
async function liveFirst(): Promise<void> {
  cli.write(...rows(1, 10));
  await live(cli, ...rows(1, 10).map(() => ({ tookMs: 3 * MINUTE_MS })));
}

/** The night after, of tasks that took this number of minutes each. */
async function liveNext(...minutes: readonly number[]): Promise<void> {
  cli.now += 24 * HOUR_MS;
  for (const row of minutes) await cli.call('add', `Task of ${row}`);
  await live(cli, ...minutes.map((each) => ({ tookMs: each * MINUTE_MS, waitedMs: 0 })));
}

describe('simulate --backtest', () => {
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  it('has no line of more than 80 columns in a narrow terminal', async () => {
    await liveFirst();
    await liveNext(3);
    cli.columns = 80;
    const { out } = await cli.call('simulate', '--backtest');
    assert.match(out, /\n11 +Task of 3 +1 of 1 /);
    assert.deepEqual(
      out.split('\n').filter((line) => line.length > 80),
      [],
    );
  });

  it('knows nothing of a night with fewer than ten attempts before it', async () => {
    await liveFirst();
    const { nights, start, end } = await backtest();
    assert.deepEqual([nights.length, nights[0]?.start, start.of, end.of], [1, null, 0, 0]);
    const { out } = await cli.call('simulate', '--backtest');
    assert.match(out, /^0 of 1 nights compared/);
    assert.match(out, /Unknown: fewer than 10 attempts had ended before that night/);
  });

  it('counts what held of each night and task', async () => {
    await liveFirst();
    await liveNext(3, 3);
    const { nights, start, end, tasks, leftOut } = await backtest();
    const once = { held: 1, of: 1, offMs: 0 };
    const [, { tasks: count, ...held } = { tasks: 0 }] = nights;
    assert.deepEqual([count, held], [1, { ...held, start: once, end: once }]);
    assert.deepEqual([start, end], [once, once]);
    assert.deepEqual(
      tasks.map(({ id }) => id),
      [11],
    );
    assert.equal(leftOut, 1, 'the second came after the start of the night');
  });

  it('compares a task that waited for another one, and came in the night only by that', async () => {
    await liveFirst();
    cli.now += 24 * HOUR_MS;
    await cli.call('add', 'Now');
    await cli.call('add', 'Then', '--after', '11');
    await live(cli, ...[3, 3].map((minutes) => ({ tookMs: minutes * MINUTE_MS, waitedMs: 0 })));
    const { start, end, tasks, leftOut } = await backtest();
    const both = { held: 2, of: 2, offMs: 0 };
    assert.deepEqual([start, end, leftOut], [both, both, 0]);
    assert.deepEqual(
      tasks.map(({ id }) => id),
      [11, 12],
    );
  });

  it('leaves out tasks that came after the night', async () => {
    await liveFirst();
    await liveNext(3);
    await cli.call('add', 'Later', '--priority', 'critical');
    const { start, end, tasks } = await backtest();
    const once = { held: 1, of: 1, offMs: 0 };
    assert.deepEqual([start, end], [once, once]);
    assert.deepEqual(
      tasks.map(({ id }) => id),
      [11],
    );
  });

  it('counts what took longer than ever before', async () => {
    await liveFirst();
    await liveNext(30);
    const { start, end } = await backtest();
    assert.deepEqual(
      [start, end],
      [
        { held: 1, of: 1, offMs: 0 },
        { held: 0, of: 1, offMs: 27 * MINUTE_MS },
      ],
    );
    const { out } = await cli.call('simulate', '--backtest');
    assert.match(
      out,
      /^Completed by .*: 0 of 1 \(too few for a share\); half of them at most 27 min off\.$/m,
    );
  });

  it('changes nothing', async () => {
    await liveFirst();
    await liveNext(3);
    const before = (await cli.call('status', '--json')).out;
    await backtest();
    assert.equal((await cli.call('status', '--json')).out, before);
  });

  it('refuses an end of the forecast', async () => {
    await liveFirst();
    assert.equal((await cli.call('simulate', '--backtest', '--until', '23:00')).code, 64);
  });
});
