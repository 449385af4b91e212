import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { Cron } from 'croner';
import { parseCronTimes, type CronTimes } from '../../../../src/app/schedule/cronTimes';
import { toIntervals, type Interval } from '../../../../src/app/schedule/launchTexts';
import { toOnCalendar } from '../../../../src/app/schedule/systemdTexts';

const EXPRESSIONS = [
  '*/15 * * * *',
  '*/30 * * * *',
  '0 * * * *',
  '0 9-18 * * 1-5',
  '5,50 4 * * sun',
  '0 0 1 * *',
  '0 12 */10 * *',
  '15 3 1,15 jan-mar,12 *',
  '0 6-22/4 * * 5-7',
];

/** Those in which days of the week are bound by something else too. */
const IN_A_MONTH = '7 7 * 2 mon,WED';
const BOUND_WEEKDAYS = [IN_A_MONTH, '0 9 */2 * 1-5', '0 9 13 6 5'];

/** When the expression comes after this Friday evening, by a program that knows cron. */
function nextTimes(expression: string, count: number): string[] {
  return new Cron(expression, { timezone: 'UTC', mode: '5-part' })
    .nextRuns(count, new Date('2026-11-20T18:00:30Z'))
    .map((time) => time.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' '));
}

function parse(expression: string): CronTimes {
  const times = parseCronTimes(expression);
  assert.ok(times !== null, expression);
  return times;
}

describe('Times of a cron expression', () => {
  for (const expression of [...EXPRESSIONS, IN_A_MONTH]) {
    it(`are the same for systemd as for cron: ${expression}`, function () {
      if (spawnSync('systemd-analyze', ['--version']).error !== undefined) this.skip();
      const expected = nextTimes(expression, 20);
      const reported = execFileSync(
        'systemd-analyze',
        [
          'calendar',
          '--iterations=20',
          '--base-time=2026-11-20 18:00:30 UTC',
          toOnCalendar(parse(expression)),
        ],
        { encoding: 'utf8', env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' } },
      );
      const times = [...reported.matchAll(/(?:Next elapse|Iter\. #\d+): \w{3} (\S+ \d\d:\d\d):00 UTC/g)];
      assert.deepEqual(
        times.map(([, time]) => time),
        expected,
      );
    });
  }

  for (const expression of [...EXPRESSIONS, '0 9 13 * 5', '30 6 1,15 * mon', '0 9 1-31 * 5']) {
    it(`are the same for launchd as for cron: ${expression}`, () => {
      const intervals = toIntervals(parse(expression));
      assert.deepEqual(timesOf(intervals, 6), nextTimes(expression, 6));
    });
  }

  it('are refused for launchd if they are too many', () => {
    assert.throws(() => toIntervals(parse('1-59 1-22 1-30 * *')), /would be 38940 single times/);
  });

  for (const expression of BOUND_WEEKDAYS) {
    it(`are refused for launchd if it would run on more weekdays than cron: ${expression}`, () => {
      assert.throws(
        () => toIntervals(parse(expression)),
        /uses its days of the week only .*\. launchd does not support that\. Choose crontab \(--by crontab\)/,
      );
    });
  }

  it('on a day of the month or of the week are refused for systemd', () => {
    assert.throws(() => toOnCalendar(parse('0 9 13 * 5')), /means days of the month or of the week/);
    assert.equal(
      toOnCalendar(parse('0 9 */2 * 5')),
      'Fri *-*-01,03,05,07,09,11,13,15,17,19,21,23,25,27,29,31 09:00:00',
    );
  });

  for (const wrong of [
    '',
    '* * * *',
    '* * * * * *',
    '5/10 * * * *',
    '10-5 * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '* * * foo *',
    '*/0 * * * *',
    '? * * * *',
    '1, * * * *',
    '@hourly',
    '0 0 30 2 *',
    '1-2-3 * * * *',
  ]) {
    it(`are refused in "${wrong}"`, () => {
      assert.equal(parseCronTimes(wrong), null);
    });
  }
});

/**
 * The first minutes after that evening that one of the intervals fits. Of a day of the month and one of the week
 * either is enough, as launchd.plist(5) has it; the month counts for a day of the month alone, as in the source of
 * launchd that was published.
 */
function timesOf(intervals: readonly Interval[], count: number): string[] {
  const times: string[] = [];
  for (let at = Date.parse('2026-11-20T18:01:00Z'); times.length < count; at += 60_000) {
    const date = new Date(at);
    const now = {
      Month: date.getUTCMonth() + 1,
      Day: date.getUTCDate(),
      Weekday: date.getUTCDay(),
      Hour: date.getUTCHours(),
      Minute: date.getUTCMinutes(),
    };
    const fits = (interval: Interval): boolean =>
      Object.entries(interval).every(([name, value]) => now[name as keyof Interval] === value);
    const isTime = intervals.some(({ Weekday, ...byMonth }) => {
      const { Month, Day, ...time } = byMonth;
      if (Weekday === undefined) return fits(byMonth);
      return (
        fits({ ...time, Weekday }) ||
        (Day !== undefined && fits({ ...time, Day, ...(Month === undefined ? {} : { Month }) }))
      );
    });
    if (isTime) times.push(date.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' '));
  }
  return times;
}
