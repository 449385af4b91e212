import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  formatCellTime,
  formatMinute,
  formatSecond,
  isTimeZone,
  parseTime,
} from '../../../../src/domain/time/localTime';

const at = (iso: string): number => Date.parse(iso);

describe('A time in a queue file', () => {
  it('is read as the minute that was written, also in the hour that comes twice', () => {
    assert.equal(formatCellTime(at('2026-10-25T00:50:30Z'), 'Europe/Berlin'), '2026-10-25 02:50');
    assert.equal(formatCellTime(at('2026-10-25T01:50:30Z'), 'Europe/Berlin'), '2026-10-25T01:50Z');
    const start = at('2026-10-24T12:00Z');
    for (let time = start; time < start + 86_400_000; time += 60_000)
      assert.equal(parseTime(formatCellTime(time, 'Europe/Berlin'), 'Europe/Berlin'), time);
  });

  it("is in the queue's zone if it names none", () => {
    assert.equal(parseTime('2025-12-15 09:00', 'Asia/Tokyo'), at('2025-12-15T00:00Z'));
    assert.equal(parseTime('2025-12-15 09:00', 'UTC'), at('2025-12-15T09:00Z'));
    assert.equal(parseTime('2025-07-15 09:00:30', 'Europe/Berlin'), at('2025-07-15T07:00:30Z'));
    assert.equal(parseTime(' 2025-12-15T09:00 ', 'America/New_York'), at('2025-12-15T14:00Z'));
  });

  it('is in its own zone if it names one', () => {
    assert.equal(parseTime('2026-11-21T09:00Z', 'Asia/Tokyo'), at('2026-11-21T09:00Z'));
    assert.equal(parseTime('2026-11-21T09:00+09:00', 'UTC'), at('2026-11-21T00:00Z'));
    assert.equal(parseTime('2026-11-21T09:00:15-0330', 'UTC'), at('2026-11-21T12:30:15Z'));
    assert.equal(parseTime('2026-11-21T09:00:15.123Z', 'UTC'), at('2026-11-21T09:00:15Z'));
  });

  it('is refused if it is not in the calendar', () => {
    const wrong = ['2026-02-29 09:00', '2026-13-01 09:00', '2026-04-31 09:00', '2026-01-00 09:00'];
    for (const text of [...wrong, '2026-01-01 24:00', '2026-01-01 09:60', '2026-01-01 09:00:60']) {
      assert.equal(parseTime(text, 'UTC'), null, text);
    }
    assert.notEqual(parseTime('2028-02-29 09:00', 'UTC'), null);
  });

  it('is refused in another format', () => {
    const wrong = [
      '',
      'tomorrow',
      '2026/01/01 09:00',
      '2026-1-1 9:00',
      '09:00',
      '2026-01-01',
      '15.12.2025 09:00',
    ];
    for (const text of [
      ...wrong,
      '2026-01-01 09:00 PM',
      '2026-01-01T09:00+25:00',
      '2026-01-01T09:00+09:75',
    ]) {
      assert.equal(parseTime(text, 'UTC'), null, text);
    }
  });

  it('is moved forward by the skipped hour in spring', () => {
    assert.equal(parseTime('2026-03-29 02:30', 'Europe/Berlin'), at('2026-03-29T01:30Z'));
    assert.equal(formatMinute(at('2026-03-29T01:30Z'), 'Europe/Berlin'), '2026-03-29 03:30');
    assert.equal(parseTime('2026-03-08 02:30', 'America/New_York'), at('2026-03-08T07:30Z'));
    assert.equal(parseTime('2026-10-04 02:15', 'Australia/Lord_Howe'), at('2026-10-03T15:45Z'));
  });

  it('is the first of two in autumn', () => {
    assert.equal(parseTime('2026-10-25 02:30', 'Europe/Berlin'), at('2026-10-25T00:30Z'));
    assert.equal(parseTime('2026-11-01 01:30', 'America/New_York'), at('2026-11-01T05:30Z'));
  });

  it('is correct just before and after a change of the clocks', () => {
    assert.equal(parseTime('2026-03-29 01:59', 'Europe/Berlin'), at('2026-03-29T00:59Z'));
    assert.equal(parseTime('2026-03-29 03:00', 'Europe/Berlin'), at('2026-03-29T01:00Z'));
    assert.equal(parseTime('2026-10-25 03:00', 'Europe/Berlin'), at('2026-10-25T02:00Z'));
    assert.equal(parseTime('2011-12-30 10:00', 'Pacific/Apia'), at('2011-12-30T20:00Z'));
  });

  it('is the same after it was written and read, except the second time of an hour in autumn', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    ];
    const instants = fc.integer({ min: at('2000-01-01T00:00Z') / 1000, max: at('2060-01-01T00:00Z') / 1000 });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (seconds, zone) => {
        const written = formatSecond(seconds * 1000, zone);
        const read = parseTime(written, zone) ?? NaN;
        assert.equal(formatSecond(read, zone), written);
        assert.ok(read <= seconds * 1000);
      }),
    );
  });
});

describe('A shown time', () => {
  it('is cut to the minute or to the second', () => {
    const time = at('2026-11-21T09:05:59.999Z');
    assert.equal(formatMinute(time, 'Asia/Tokyo'), '2026-11-21 18:05');
    assert.equal(formatSecond(time, 'Asia/Tokyo'), '2026-11-21 18:05:59');
    assert.equal(formatSecond(at('2026-01-01T02:00Z'), 'America/New_York'), '2025-12-31 21:00:00');
  });
});

describe('A time zone', () => {
  it('is recognized by its IANA name', () => {
    for (const name of ['Europe/Berlin', 'Asia/Tokyo', 'UTC']) assert.equal(isTimeZone(name), true, name);
    for (const name of ['', 'Mars/Olympus', 'Berlin', 'CEST ']) assert.equal(isTimeZone(name), false, name);
  });
});
