import assert from 'node:assert/strict';
import { parseRegain, parseReset } from '../../../src/claude/resetTime';

const read = (text: string, nowIso: string, zone = 'UTC'): string | null => {
  const at = parseReset(text, Date.parse(nowIso), zone);
  return at === null ? null : new Date(at).toISOString();
};
const EVENING = '2026-11-20T19:00:00Z'; // a Friday

describe('The reset that a text names', () => {
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
    ["You've hit your 5-hour limit", EVENING, 'UTC', null],
    ['resets 13pm', EVENING, 'UTC', null],
    ['resets soon', EVENING, 'UTC', null],
    ['resets 3pm (Middle/Earth)', EVENING, 'UTC', null],
  ];
  for (const [text, now, zone, at] of CASES) {
    it(`"${text}" at ${now} in ${zone}: ${at ?? 'none'}`, () => assert.equal(read(text, now, zone), at));
  }

  it('may be in the past by its seconds, which are not printed', () => {
    assert.equal(read('resets 7pm (UTC)', '2026-11-20T19:00:45Z'), '2026-11-20T19:00:00.000Z');
    assert.equal(read('resets 7pm (UTC)', '2026-11-20T19:01:05Z'), '2026-11-21T19:00:00.000Z');
  });

  it('of an API spend limit is a day', () => {
    assert.equal(
      parseRegain('You will regain access on 2026-12-01 at 00:00 UTC.'),
      Date.parse('2026-12-01T00:00:00Z'),
    );
    assert.equal(parseRegain('You will regain access on 2026-99-01 at 00:00 UTC.'), null);
  });
});
