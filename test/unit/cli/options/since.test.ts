import assert from 'node:assert/strict';
import { parseSince } from '../../../../src/cli/options/since';
import { isProblem } from '../../../../src/domain/problem';

describe('A --since time', () => {
  const since = (text: string, zone = 'Europe/Berlin'): string =>
    new Date(parseSince(text, Date.parse('2026-11-20T18:00:00Z'), zone)).toISOString();

  it('is a duration, a day, a time, or the last such time of day', () => {
    assert.equal(since('7d'), '2026-11-13T18:00:00.000Z');
    assert.equal(since('90m'), '2026-11-20T16:30:00.000Z');
    assert.equal(since('2026-11-18'), '2026-11-17T23:00:00.000Z');
    assert.equal(since('2026-11-18 09:00'), '2026-11-18T08:00:00.000Z');
    assert.equal(since('2026-11-18T09:00Z'), '2026-11-18T09:00:00.000Z');
    assert.equal(since('9:00'), '2026-11-20T08:00:00.000Z');
    assert.equal(since('19:30:05'), '2026-11-19T18:30:05.000Z');
  });

  it('follows local time, also at the end of the day on which clocks go back', () => {
    const sunday = Date.parse('2026-10-25T22:30:00Z');
    const time = parseSince('23:45', sunday, 'Europe/Berlin');
    assert.equal(new Date(time).toISOString(), '2026-10-24T21:45:00.000Z');
  });

  it('is refused if it is none of these, or more than ten years ago', () => {
    for (const text of ['', '7', '25:00', '2026-13-01', 'last week', '3651d', '104249991d']) {
      assert.throws(
        () => since(text),
        (error) => isProblem(error, 'usage'),
        text,
      );
    }
  });
});
