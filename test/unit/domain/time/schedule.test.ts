import assert from 'node:assert/strict';
import { findForeignCron, nextTime, parseRepeatInterval } from '../../../../src/domain/time/schedule';

/** Expressions that only some programs know, or that mean different things to them. */
const FOREIGN = [
  '0 9 ? * 1',
  '0 9 L * *',
  '0 9 15W * *',
  '0 9 LW * *',
  '0 9 * * 5L',
  '0 9 * * fri#2',
  '0 9 1 * +fri',
];

const HOUR_MS = 3_600_000;
const at = (iso: string): number => Date.parse(iso);

/** The next times of an interval, one after the other, as UTC minutes. */
function times(text: string, from: string, timeZone: string, count: number): string[] {
  const interval = parseRepeatInterval(text);
  assert.ok(interval, text);
  const found: string[] = [];
  for (let time = at(from); found.length < count;) {
    time = nextTime(interval, time, timeZone);
    found.push(new Date(time).toISOString().slice(5, 16));
  }
  return found;
}

describe('A repeat interval', () => {
  it('is at most ten years, so that its next time is a valid date', () => {
    assert.ok(parseRepeatInterval('3650d'));
    assert.equal(parseRepeatInterval('3651d'), null);
    assert.equal(parseRepeatInterval('99999999d'), null);
  });

  it('is a number with a unit, or a word', () => {
    const hours: [string, number][] = [
      ['30m', 0.5],
      ['12h', 12],
      ['1d', 24],
      ['daily', 24],
      ['3d', 72],
      ['1w', 168],
      ['weekly', 168],
      ['2w', 336],
      ['monthly', 720],
      [' Daily ', 24],
    ];
    for (const [text, count] of hours) {
      const expected = { kind: 'every', text: text.trim(), everyMs: count * HOUR_MS };
      assert.deepEqual(parseRepeatInterval(text), expected);
    }
  });

  it('is a cron expression of five fields', () => {
    assert.deepEqual(parseRepeatInterval('0 9 * * 1-5'), { kind: 'cron', text: '0 9 * * 1-5' });
    assert.deepEqual(parseRepeatInterval('*/15 8-18 * * MON-FRI')?.kind, 'cron');
  });

  it('is refused if it is empty, not positive, or never comes', () => {
    const wrong = ['', '0h', '0d', '-1d', '1.5h', '12', 'h', 'hourly', '1y', '9'.repeat(40) + 'w'];
    const cron = [
      '0 9 * *',
      '0 9 * * 1 2026',
      '60 9 * * *',
      '0 24 * * *',
      '*/0 * * * *',
      '0 0 31 2 *',
      'a b c d e',
    ];
    for (const text of [...wrong, ...cron, '@daily', ...FOREIGN])
      assert.equal(parseRepeatInterval(text), null, text);
  });

  it('accepts only what every cron supports, and names the rest', () => {
    assert.equal(findForeignCron('0 9 L * *'), 'L');
    for (const text of FOREIGN) assert.notEqual(findForeignCron(text), null, text);
    for (const text of ['*/15 8-18 1,15 jan-mar MON-FRI', '0 9 * jul wed', '60 9 * * *', 'daily', '0 9 L']) {
      assert.equal(findForeignCron(text), null, text);
    }
  });

  it('is counted from the given time, also over clock changes', () => {
    const interval = parseRepeatInterval('daily');
    assert.ok(interval);
    const from = at('2026-03-28T12:00Z');
    assert.equal(nextTime(interval, from, 'Europe/Berlin'), from + 24 * HOUR_MS);
  });
});

describe('A cron expression', () => {
  it("follows the queue's time zone", () => {
    assert.deepEqual(times('0 9 * * 1-5', '2026-11-20T12:00Z', 'Asia/Tokyo', 2), [
      '11-23T00:00',
      '11-24T00:00',
    ]);
  });

  it('gives a time after the given one', () => {
    assert.deepEqual(times('0 9 * * *', '2026-11-20T09:00Z', 'UTC', 1), ['11-21T09:00']);
    assert.deepEqual(times('0 9 * * *', '2026-11-20T08:59:59.999Z', 'UTC', 1), ['11-20T09:00']);
  });

  it('moves a skipped time in spring to right after the change', () => {
    const expected = ['03-29T01:00', '03-30T00:30'];
    assert.deepEqual(times('30 2 * * *', '2026-03-28T12:00Z', 'Europe/Berlin', 2), expected);
  });

  it('takes a repeated time in autumn only once', () => {
    const expected = ['10-25T00:30', '10-26T01:30'];
    assert.deepEqual(times('30 2 * * *', '2026-10-24T12:00Z', 'Europe/Berlin', 2), expected);
    const twoHours = ['10-24T23:00', '10-25T00:00', '10-26T00:00', '10-26T01:00'];
    assert.deepEqual(times('0 1,2 * * *', '2026-10-24T20:00Z', 'Europe/Berlin', 4), twoHours);
  });

  it('continues every half hour through both changes', () => {
    const spring = ['03-29T00:30', '03-29T01:00', '03-29T01:30'];
    assert.deepEqual(times('*/30 * * * *', '2026-03-29T00:00Z', 'Europe/Berlin', 3), spring);
    const autumn = ['10-25T00:00', '10-25T00:30', '10-25T01:00', '10-25T01:30'];
    assert.deepEqual(times('*/30 * * * *', '2026-10-24T23:30Z', 'Europe/Berlin', 4), autumn);
  });

  it('means either day when it names a day of the month and one of the week', () => {
    assert.deepEqual(times('0 0 13 * 5', '2026-11-10T12:00Z', 'UTC', 2), ['11-13T00:00', '11-20T00:00']);
  });

  it('means both days, as cron does, when one of them is a step over all', () => {
    const oddMondays = ['11-09T09:00', '11-23T09:00', '12-07T09:00'];
    assert.deepEqual(times('0 9 */2 * 1', '2026-11-02T12:00Z', 'UTC', 3), oddMondays);
    const thirteenth = ['11-13T09:00', '12-13T09:00', '01-13T09:00'];
    assert.deepEqual(times('0 9 13 * *', '2026-11-02T12:00Z', 'UTC', 3), thirteenth);
    assert.deepEqual(times('0 9 13 * */5', '2026-11-02T12:00Z', 'UTC', 1), ['11-13T09:00']);
  });

  it('keeps its hours on both days on which the clocks change, whatever the minute', () => {
    // In winter Berlin is an hour before UTC, in summer two: nine o'clock stays nine o'clock.
    assert.deepEqual(times('0 9 * * *', '2026-03-27T12:00Z', 'Europe/Berlin', 3), [
      '03-28T08:00',
      '03-29T07:00',
      '03-30T07:00',
    ]);
    assert.deepEqual(times('0 9 * * *', '2026-10-23T12:00Z', 'Europe/Berlin', 3), [
      '10-24T07:00',
      '10-25T08:00',
      '10-26T08:00',
    ]);
  });

  it('runs once if spring skips its hour, and not again afterwards', () => {
    const expected = ['03-29T01:00', '03-29T02:00', '03-30T00:00', '03-30T01:00', '03-30T02:00'];
    const reported = times('0 2-4 * * *', '2026-03-28T12:00Z', 'Europe/Berlin', 5);
    assert.deepEqual(reported, expected);
  });

  it('has on a day of a clock change as many times as cron: one for each time of day, an hourly one 23 or 25', () => {
    const count = (text: string, from: string, to: string): number => {
      const all = times(text, from, 'Europe/Berlin', 60);
      const [first, last] = [from.slice(5, 16), to.slice(5, 16)];
      return all.filter((time) => time > first && time <= last).length;
    };
    const spring = ['2026-03-28T22:59Z', '2026-03-29T21:59Z'] as const;
    const autumn = ['2026-10-24T21:59Z', '2026-10-25T22:59Z'] as const;
    assert.equal(count('0 * * * *', ...spring), 23);
    assert.equal(count('0 * * * *', ...autumn), 25);
    for (let hour = 0; hour < 24; hour += 1) {
      assert.equal(count(`15 ${String(hour)} * * *`, ...spring), 1, `${String(hour)}:15 in spring`);
      assert.equal(count(`15 ${String(hour)} * * *`, ...autumn), 1, `${String(hour)}:15 in autumn`);
    }
  });
});
