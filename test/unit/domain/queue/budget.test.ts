import assert from 'node:assert/strict';
import { countStarts, findUsedUpBudget } from '../../../../src/domain/queue/budget';
import { defaults } from '../../../../src/domain/settings/settings';

const NOW = Date.UTC(2026, 10, 20, 19, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** N starts, a minute apart, the last one `agoMs` before now. */
const starts = (count: number, agoMs = MINUTE): number[] =>
  Array.from({ length: count }, (_, index) => NOW - agoMs - (count - 1 - index) * MINUTE);

describe('The budget', () => {
  it('lets the twentieth attempt of an hour start, and not the twenty-first', () => {
    assert.equal(findUsedUpBudget(starts(19), NOW, defaults), null);
    const used = findUsedUpBudget(starts(20), NOW, defaults);
    assert.deepEqual(used, { limit: 20, per: 'hour', until: NOW - 20 * MINUTE + HOUR });
  });

  it('is free again at the time in its reason', () => {
    const twenty = starts(20);
    const used = findUsedUpBudget(twenty, NOW, defaults);
    assert.ok(used);
    assert.ok(findUsedUpBudget(twenty, used.until - 1, defaults));
    assert.equal(findUsedUpBudget(twenty, used.until, defaults), null);
  });

  it('lets a hundred attempts start in a day', () => {
    const hundred = starts(100, 2 * HOUR);
    const used = findUsedUpBudget(hundred, NOW, defaults);
    assert.deepEqual(used, { limit: 100, per: 'day', until: (hundred[0] ?? 0) + 24 * HOUR });
  });

  it('names the longer one if both are used up', () => {
    const used = findUsedUpBudget(starts(100), NOW, defaults);
    assert.deepEqual(used, { limit: 100, per: 'day', until: NOW - 100 * MINUTE + 24 * HOUR });
  });

  it('that was lowered is free again when enough attempts have left it', () => {
    assert.equal(
      findUsedUpBudget(starts(20), NOW, { ...defaults, maxPerHour: 5 })?.until,
      NOW - 5 * MINUTE + HOUR,
    );
  });

  it('does not count starts in the future after the clock was set back', () => {
    const ahead = starts(20, -HOUR - 20 * MINUTE);
    assert.equal(findUsedUpBudget(ahead, NOW, defaults), null);
    assert.deepEqual(countStarts(ahead, NOW), { hour: 0, day: 0 });
  });

  it('is correct with unordered starts after the clock was set back', () => {
    const mixed = [NOW - 10 * MINUTE, NOW - 50 * MINUTE, NOW - 40 * MINUTE];
    const used = findUsedUpBudget(mixed, NOW, { ...defaults, maxPerHour: 3 });
    assert.equal(used?.until, NOW + 10 * MINUTE);
  });

  it('has how much is used', () => {
    assert.deepEqual(countStarts([NOW - 30 * HOUR, NOW - 2 * HOUR, NOW - MINUTE], NOW), { hour: 1, day: 2 });
  });
});
