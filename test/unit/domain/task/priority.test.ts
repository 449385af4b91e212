import assert from 'node:assert/strict';
import { comparePriority, effectivePriority, parsePriority } from '../../../../src/domain/task/priority';
import type { Priority } from '../../../../src/domain/task/priority';

const HOUR_MS = 3_600_000;
const ageing = {
  strict: false,
  mediumToHighMs: 4 * HOUR_MS,
  lowToMediumMs: 24 * HOUR_MS,
  promotedToHighMs: 4 * HOUR_MS,
};

describe('A priority', () => {
  it('is a name, in any case, or a number from 1 to 5', () => {
    const expected: [string, Priority | null][] = [
      ['critical', 'critical'],
      ['High', 'high'],
      [' MEDIUM ', 'medium'],
      ['normal', 'medium'],
      ['low', 'low'],
      ['', 'medium'],
      ['5', 'critical'],
      ['4', 'high'],
      ['3', 'medium'],
      ['2', 'low'],
      ['1', 'low'],
      ['0', null],
      ['6', null],
      ['urgent', null],
      ['constructor', null],
    ];
    for (const [cell, priority] of expected) assert.equal(parsePriority(cell), priority, cell);
  });

  it('sorts the more urgent first', () => {
    const sorted: Priority[] = ['low', 'critical', 'medium', 'high', 'low'];
    assert.deepEqual(sorted.sort(comparePriority), ['critical', 'high', 'medium', 'low', 'low']);
  });
});

describe('Waiting', () => {
  const after = (priority: Priority, hours: number): Priority =>
    effectivePriority(priority, hours * HOUR_MS, ageing);

  it('makes a medium task high after four hours', () => {
    assert.equal(after('medium', 3.99), 'medium');
    assert.equal(after('medium', 4), 'high');
  });

  it('makes a low task medium after a day, and high four hours later', () => {
    assert.equal(after('low', 23.99), 'low');
    assert.equal(after('low', 24), 'medium');
    assert.equal(after('low', 27.99), 'medium');
    assert.equal(after('low', 28), 'high');
  });

  it('makes no task critical', () => {
    assert.equal(after('high', 1000), 'high');
    assert.equal(after('critical', 0), 'critical');
  });

  it('changes nothing with strict priorities', () => {
    assert.equal(effectivePriority('low', 1000 * HOUR_MS, { ...ageing, strict: true }), 'low');
  });
});
