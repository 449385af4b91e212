import assert from 'node:assert/strict';
import type { Held } from '../../../../../src/app/viewModel/report/forecastAccuracy';
import { CliHarness } from '../../cliHarness';
import { HOUR_MS, live, MINUTE_MS } from '../../lived';

interface ForecastJson {
  readonly start: Held | null;
  readonly end: Held | null;
  readonly unknown: string | null;
}

let cli: CliHarness;

const rows = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${from + index},low,.,Task,pending,,,no,,0,3`);

/** Ten attempts of three minutes each, a day before. */
async function liveTheDayBefore(): Promise<void> {
  cli.write(...rows(1, 10));
  await live(cli, ...rows(1, 10).map(() => ({ tookMs: 3 * MINUTE_MS })));
  cli.now += 24 * HOUR_MS;
}

/** A night of tasks that wait from its start; `minutes`: how long each took that started. */
async function liveNight(tasks: number, ...minutes: readonly number[]): Promise<void> {
  for (let index = 0; index < tasks; index += 1) await cli.call('add', `Task ${index}`);
  let waitedMs = 0;
  for (const each of minutes) {
    await live(cli, { tookMs: each * MINUTE_MS, waitedMs });
    waitedMs += each * MINUTE_MS;
  }
}

async function report(...args: readonly string[]): Promise<ForecastJson | null> {
  const { code, out } = await cli.call('report', '--json', ...args);
  assert.equal(code, 0, out);
  return (JSON.parse(out) as { night: { forecast: ForecastJson | null } }).night.forecast;
}

/** Returns the text of the report in one line. */
async function reportText(...args: readonly string[]): Promise<string> {
  return (await cli.call('report', ...args)).out.replaceAll(/\s+/g, ' ');
}

describe('The forecast in the report', () => {
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  it('is not mentioned where nothing has started', async () => {
    cli.write(...rows(1, 1));
    assert.equal(await report(), null);
    assert.doesNotMatch(await reportText(), /Forecast/);
  });

  it('is unknown with fewer than ten attempts before the night', async () => {
    await liveTheDayBefore();
    cli.now -= 23 * HOUR_MS;
    assert.deepEqual(await report(), { start: null, end: null, unknown: 'few-attempts' });
    assert.match(await reportText(), /Forecast: unknown, because fewer than 10 attempts had ended before\./);
  });

  it('is unknown where the rows of the night are gone', async () => {
    await liveTheDayBefore();
    await liveNight(1, 3);
    cli.write(...rows(1, 10));
    assert.equal((await report())?.unknown, 'no-task');
  });

  it('says how many starts came by the likely time, and how far off half of them were', async () => {
    await liveTheDayBefore();
    await liveNight(3, 3, 23, 3);
    const forecast = await report();
    assert.deepEqual(forecast?.start, { held: 2, of: 3, offMs: 0 });
    assert.deepEqual(forecast.end, { held: 1, of: 3, offMs: 20 * MINUTE_MS });
    const text =
      'Forecast, computed again from earlier attempts: 2 of 3 starts came by the time given as likely, 2 were expected (80 %); half were less than a minute off.';
    assert.ok((await reportText()).includes(text));
    assert.ok((await reportText('--markdown')).includes(text.replaceAll(/[()]/g, '\\$&')));
  });

  it('counts a task that was to start and still waits', async () => {
    await liveTheDayBefore();
    await liveNight(2, 3);
    assert.deepEqual((await report())?.start, { held: 1, of: 1, offMs: 0 }, 'it may still start in time');
    cli.now += HOUR_MS;
    assert.deepEqual((await report())?.start, { held: 1, of: 2, offMs: 0 });
    assert.match(await reportText(), /1 of 2 starts came/);
  });

  it('compares only what started in the period of the report', async () => {
    await liveTheDayBefore();
    await liveNight(3, 3, 3, 3);
    assert.equal((await report('--since', '2026-11-21 18:32'))?.start?.of, 2);
  });

  /** A night of this many tasks, of which one has run. */
  async function liveLongNight(tasks: number): Promise<void> {
    await liveTheDayBefore();
    const ids = rows(11, tasks).map((_, index) => String(11 + index));
    cli.write(...rows(11, tasks));
    await cli.approve(...ids);
    await live(cli, { tookMs: MINUTE_MS });
  }

  it('compares a night of 200 tasks', async () => {
    await liveLongNight(200);
    assert.deepEqual((await report())?.start, { held: 1, of: 1, offMs: 0 });
  });

  it('does not compare more tasks than take a second or two', async () => {
    await liveLongNight(210);
    assert.equal((await report())?.unknown, 'too-many');
    assert.match(await reportText(), /not compared, because 210 tasks take too long/);
  });
});
