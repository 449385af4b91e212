import assert from 'node:assert/strict';
import { formatMinute } from '../../../../src/domain/time/localTime';
import { parseTypedTime } from '../../../../src/domain/time/typedTime';

/** Friday. */
const NOW = Date.parse('2026-11-20T18:00:00Z');

function meaning(text: string, timeZone = 'UTC'): string | null {
  const at = parseTypedTime(text, { now: NOW, timeZone });
  return at === null ? null : formatMinute(at, timeZone);
}

describe('A time in words', () => {
  it('is a day with a time of day', () => {
    assert.equal(meaning('tomorrow 02:00'), '2026-11-21 02:00');
    assert.equal(meaning('tomorrow 2am'), '2026-11-21 02:00');
    assert.equal(meaning('Tomorrow at 2:30 pm'), '2026-11-21 14:30');
    assert.equal(meaning('tomorrow'), '2026-11-21 09:00');
    assert.equal(meaning('tonight'), '2026-11-20 22:00');
    assert.equal(meaning('tonight 1am'), '2026-11-21 01:00');
    assert.equal(meaning('tonight at midnight'), '2026-11-21 00:00');
    assert.equal(meaning('today 7pm'), '2026-11-20 19:00');
    assert.equal(meaning('tomorrow noon'), '2026-11-21 12:00');
    assert.equal(meaning('tomorrow 12am'), '2026-11-21 00:00');
  });

  it('is the next such time without a day, or on a day of the week', () => {
    assert.equal(meaning('22:30'), '2026-11-20 22:30');
    assert.equal(meaning('9:00'), '2026-11-21 09:00');
    assert.equal(meaning('6pm'), '2026-11-21 18:00');
    assert.equal(meaning('midnight'), '2026-11-21 00:00');
    assert.equal(meaning('monday 09:00'), '2026-11-23 09:00');
    assert.equal(meaning('mon'), '2026-11-23 09:00');
    assert.equal(meaning('friday 17:00'), '2026-11-27 17:00');
    assert.equal(meaning('friday 19:00'), '2026-11-20 19:00');
  });

  it('is a span from now', () => {
    assert.equal(meaning('in 2 h'), '2026-11-20 20:00');
    assert.equal(meaning('in 90 minutes'), '2026-11-20 19:30');
    assert.equal(meaning('in 1 day'), '2026-11-21 18:00');
    assert.equal(meaning('in 5 min'), '2026-11-20 18:05');
    assert.equal(meaning('in 1.5hrs'), '2026-11-20 19:30');
  });

  it('is a time as it is written in the file', () => {
    assert.equal(meaning('2026-12-01 02:00'), '2026-12-01 02:00');
    assert.equal(meaning('2026-12-01T02:00+09:00'), '2026-11-30 17:00');
  });

  it('is by the clocks of the zone', () => {
    assert.equal(meaning('tomorrow 02:00', 'Asia/Tokyo'), '2026-11-22 02:00');
  });

  it('is not understood if it is anything else', () => {
    for (const text of [
      '',
      'soon',
      '9',
      'tomorrow 25:00',
      '13pm',
      'mo 9:00',
      'in 2',
      'today',
      'in 2 months',
      'in 2 hearts',
      'in 3651 d',
      'in 100000000 d',
    ])
      assert.equal(meaning(text), null, text);
  });
});
