import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseRegain, parseReset } from '../../../../src/claude/limits/resetTime';
import { fuzzed } from '../../../support/fuzz';

const read = (text: string, nowIso: string, zone = 'UTC'): string | null => {
  const at = parseReset(text, Date.parse(nowIso), zone);
  return at === null ? null : new Date(at).toISOString();
};
const EVENING = '2026-11-20T19:00:00Z'; // a Friday

describe('A reset time in a text', () => {
  const CASES: readonly (readonly [text: string, now: string, zone: string, at: string | null])[] = [
    ['Claude AI usage limit reached|1795212000', EVENING, 'UTC', '2026-11-20T22:00:00.000Z'],
    [
      "You've hit your 5-hour limit · resets 10pm (Europe/London)",
      EVENING,
      'UTC',
      '2026-11-20T22:00:00.000Z',
    ],
    ['Session limit reached ∙ resets 8:55pm', EVENING, 'Asia/Tokyo', '2026-11-21T11:55:00.000Z'],
    ['5-hour limit reached ∙ resets 3pm', EVENING, 'UTC', '2026-11-21T15:00:00.000Z'],
    ['limit · resets 12am (UTC)', EVENING, 'Asia/Tokyo', '2026-11-21T00:00:00.000Z'],
    ['limit · resets 12:30pm (UTC)', EVENING, 'UTC', '2026-11-21T12:30:00.000Z'],
    ['weekly limit · resets Nov 23, 8am (Asia/Kolkata)', EVENING, 'UTC', '2026-11-23T02:30:00.000Z'],
    ['Weekly limit reached ∙ resets Jan 3, 2027, 6:13pm', EVENING, 'UTC', '2027-01-03T18:13:00.000Z'],
    ['limit · resets Jan 2, 9am (UTC)', '2026-12-30T10:00:00Z', 'UTC', '2027-01-02T09:00:00.000Z'],
    [
      'limit resets Jul 15 at 12am (Australia/Melbourne)',
      '2026-07-13T00:00:00Z',
      'UTC',
      '2026-07-14T14:00:00.000Z',
    ],
    ['limit · resets Mon 12:00am', EVENING, 'UTC', '2026-11-23T00:00:00.000Z'],
    ['limit · resets Fri 6pm', EVENING, 'UTC', '2026-11-27T18:00:00.000Z'],
    ['limit · resets Fri 8pm', EVENING, 'UTC', '2026-11-20T20:00:00.000Z'],
    ['limit · resets 7:49\u202fpm (UTC) · progress saved', EVENING, 'UTC', '2026-11-20T19:49:00.000Z'],
    // The clocks go back in New York on 1 November 2026.
    ['limit · resets 3am (America/New_York)', '2026-11-01T03:00:00Z', 'UTC', '2026-11-01T08:00:00.000Z'],
    // And 1:30am comes twice there: at 5:30 and at 6:30 UTC.
    ['limit · resets 1:30am (America/New_York)', '2026-11-01T03:00:00Z', 'UTC', '2026-11-01T05:30:00.000Z'],
    ['limit · resets 1:30am (America/New_York)', '2026-11-01T05:45:00Z', 'UTC', '2026-11-01T06:30:00.000Z'],
    ['resets Nov 1, 1:30am (America/New_York)', '2026-11-01T05:45:00Z', 'UTC', '2026-11-01T06:30:00.000Z'],
    ['limit · resets 1:30am (America/New_York)', '2026-11-01T07:01:00Z', 'UTC', '2026-11-02T06:30:00.000Z'],
    ['limit · resets 1:30am (America/New_York)', '2026-11-01T06:45:00Z', 'UTC', '2026-11-01T06:30:00.000Z'],
    // They go back by half an hour on Lord Howe, on 5 April 2026 at 2am.
    [
      'limit · resets 1:45am (Australia/Lord_Howe)',
      '2026-04-04T15:00:00Z',
      'UTC',
      '2026-04-04T15:15:00.000Z',
    ],
    // And forward in London on 28 March 2027, in which the day has no 1:30am.
    ['limit · resets 3am (Europe/London)', '2027-03-28T00:30:00Z', 'UTC', '2027-03-28T02:00:00.000Z'],
    ['limit · resets 1am (Asia/Kathmandu)', EVENING, 'UTC', '2026-11-20T19:15:00.000Z'],
    ['resets 10pm (America/Argentina/Buenos_Aires)', EVENING, 'UTC', '2026-11-21T01:00:00.000Z'],
    ['limit · resets 12pm (Etc/GMT+5)', EVENING, 'UTC', '2026-11-21T17:00:00.000Z'],
    ['Your limit will reset at 3pm (America/Santiago).', EVENING, 'UTC', '2026-11-21T18:00:00.000Z'],
    ['limit · resets 8:30 P.M. (UTC)', EVENING, 'UTC', '2026-11-20T20:30:00.000Z'],
    ['limit · resets Monday at 9am (UTC)', EVENING, 'UTC', '2026-11-23T09:00:00.000Z'],
    ['limit · resets November 23, 2026 at 9am (UTC)', EVENING, 'UTC', '2026-11-23T09:00:00.000Z'],
    ['limit · resets Dec 31, 11:59pm (UTC)', '2026-12-31T23:00:00Z', 'UTC', '2026-12-31T23:59:00.000Z'],
    ['limit · resets 12am (UTC)', '2026-12-31T23:00:00Z', 'UTC', '2027-01-01T00:00:00.000Z'],
    ['limit · resets Feb 29, 9am (UTC)', '2028-02-27T10:00:00Z', 'UTC', '2028-02-29T09:00:00.000Z'],
    ['limit · resets Feb 30, 9am (UTC)', '2028-02-27T10:00:00Z', 'UTC', null],
    ['Claude AI usage limit reached|1795212000123', EVENING, 'UTC', '2026-11-20T22:00:00.000Z'],
    ['Claude AI usage limit reached|0', EVENING, 'UTC', null],
    ["You've hit your 5-hour limit", EVENING, 'UTC', null],
    ['resets 13pm', EVENING, 'UTC', null],
    ['resets soon', EVENING, 'UTC', null],
    ['resets 3pm (Middle/Earth)', EVENING, 'UTC', null],
  ];
  for (const [text, now, zone, at] of CASES) {
    it(`"${text}" at ${now} in ${zone}: ${at ?? 'none'}`, () => assert.equal(read(text, now, zone), at));
  }

  it('can be in the past by its seconds, which are not printed', () => {
    assert.equal(read('resets 7pm (UTC)', '2026-11-20T19:00:45Z'), '2026-11-20T19:00:00.000Z');
    assert.equal(read('resets 7pm (UTC)', '2026-11-21T19:00:45Z'), '2026-11-21T19:00:00.000Z');
  });

  it('is not the next day while it passed less than half an hour ago', () => {
    for (const [text, now, at] of [
      ['resets 7pm (UTC)', '2026-11-20T19:05:00Z', '2026-11-20T19:00:00.000Z'],
      ['resets 7pm (UTC)', '2026-11-20T19:30:00Z', '2026-11-20T19:00:00.000Z'],
      ['resets 7pm (UTC)', '2026-11-20T19:31:00Z', '2026-11-21T19:00:00.000Z'],
      ['resets 11:55pm (UTC)', '2026-11-21T00:05:00Z', '2026-11-20T23:55:00.000Z'],
      ['resets 11:55pm (Asia/Tokyo)', '2026-11-20T15:05:00Z', '2026-11-20T14:55:00.000Z'],
      ['resets Fri 6pm (UTC)', '2026-11-20T18:10:00Z', '2026-11-20T18:00:00.000Z'],
      ['resets Fri 11:55pm (UTC)', '2026-11-21T00:05:00Z', '2026-11-20T23:55:00.000Z'],
      ['resets Nov 20, 6pm (UTC)', '2026-11-20T18:10:00Z', '2026-11-20T18:00:00.000Z'],
      ['resets Dec 31, 11:55pm (UTC)', '2027-01-01T00:05:00Z', '2026-12-31T23:55:00.000Z'],
    ] as const)
      assert.equal(read(text, now), at, `${text} at ${now}`);
  });

  it('of an API spend limit is a future day', () => {
    const now = Date.parse(EVENING);
    const first = Date.parse('2026-12-01T00:00:00Z');
    assert.equal(parseRegain('You will regain access on 2026-12-01 at 00:00 UTC.', now), first);
    assert.equal(parseRegain('You will regain access on 2026-12-01.', now), first);
    assert.equal(parseRegain('You will regain access on 2026-99-01 at 00:00 UTC.', now), null);
    assert.equal(parseRegain('You will regain access on 2026-11-01 at 00:00 UTC.', now), null);
  });

  it('is parsed in every zone at every time', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/London',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    );
    const ahead = fc.integer({ min: 1, max: 7 * 24 * 60 - 1 });
    const start = fc.integer({
      min: Date.parse(EVENING) / 60_000,
      max: Date.parse('2028-04-01T00:00:00Z') / 60_000,
    });
    fc.assert(
      fc.property(zones, start, ahead, (zone, minute, minutes) => {
        const now = minute * 60_000;
        const at = now + minutes * 60_000;
        const read = parseReset(`limit · resets ${print(at, now, zone)} (${zone})`, now, 'UTC');
        // Nearly a day ahead, the same time of day has just passed.
        if (minutes > 22 * 60 && minutes < 24 * 60 && read !== null && read <= now) {
          assert.ok(now - read <= 30 * 60_000);
          return;
        }
        // A time that the clock shows twice is printed once: the other one may be meant.
        const between = Math.abs((read ?? 0) - at);
        assert.ok([0, 30, 60].includes(between / 60_000), `${new Date(at).toISOString()}: ${String(read)}`);
        if (between !== 0) assert.equal(print(read ?? 0, now, zone), print(at, now, zone));
      }),
      fuzzed(300, 5_000),
    );
  });
});

/** As Claude Code prints it. */
function print(at: number, now: number, zone: string): string {
  const show = (options: Intl.DateTimeFormatOptions): string =>
    new Date(at).toLocaleString('en-US', { timeZone: zone, ...options });
  const time = { hour: 'numeric', minute: '2-digit', hour12: true } as const;
  if (at - now < 24 * 3_600_000) return show(time).replace(':00', '').toLowerCase();
  const isOther = new Date(at).getUTCFullYear() !== new Date(now).getUTCFullYear();
  const day = show({ month: 'short', day: 'numeric', ...(isOther ? { year: 'numeric' } : {}) });
  return `${day}, ${show(time).replace(':00', '').replace(' ', '').toLowerCase()}`;
}
