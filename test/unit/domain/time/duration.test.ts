import assert from 'node:assert/strict';
import { formatDuration, parseDuration } from '../../../../src/domain/time/duration';

describe('A duration', () => {
  it('is parsed from a number and its unit', () => {
    const expected: [string, number][] = [
      ['500ms', 500],
      ['30s', 30_000],
      ['15m', 900_000],
      ['90m', 5_400_000],
      ['4.5h', 16_200_000],
      [' 2 h ', 7_200_000],
      ['1d', 86_400_000],
      ['0s', 0],
    ];
    for (const [text, ms] of expected) assert.equal(parseDuration(text), ms, text);
  });

  it('is refused with a missing or unknown unit, or without a number', () => {
    for (const text of ['', '30', 'h', '-5m', '1.m', '.5h', '1M', '1h30m', '2 weeks', '9'.repeat(30) + 'd']) {
      assert.equal(parseDuration(text), null, text);
    }
  });

  it('is shown in its two largest units', () => {
    const expected: [number, string][] = [
      [0, '0 s'],
      [-5, '0 s'],
      [250, '250 ms'],
      [45_000, '45 s'],
      [60_000, '1 min'],
      [95_000, '1 min 35 s'],
      [16_200_000, '4 h 30 min'],
      [7_200_000, '2 h'],
      [97_200_000, '1 d 3 h'],
    ];
    for (const [ms, text] of expected) assert.equal(formatDuration(ms), text);
  });

  it('never shows a full unit as 60 or 24 of the smaller one', () => {
    assert.equal(formatDuration(59_600), '1 min');
    assert.equal(formatDuration(3_599_900), '1 h');
    assert.equal(formatDuration(86_399_000), '1 d');
    assert.equal(formatDuration(999.7), '1 s');
  });
});
