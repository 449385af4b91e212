import assert from 'node:assert/strict';
import { findSpending, findUsedUpNight } from '../../../../src/domain/queue/nightBudget';

const at = (iso: string): number => Date.parse(iso);
const BERLIN = 'Europe/Berlin';

describe('The budget of a night', () => {
  const costs = [
    { at: at('2026-11-20T10:59:00Z'), usd: 8 },
    { at: at('2026-11-20T17:00:00Z'), usd: 1 },
    { at: at('2026-11-21T05:00:00Z'), usd: 2 },
  ];

  it('counts from noon to noon by the clocks of the queue', () => {
    assert.deepEqual(findSpending(costs, at('2026-11-21T10:59:00Z'), BERLIN), {
      usd: 3,
      until: at('2026-11-21T11:00:00Z'),
    });
    assert.deepEqual(findSpending(costs, at('2026-11-21T11:00:00Z'), BERLIN), {
      usd: 0,
      until: at('2026-11-22T11:00:00Z'),
    });
    assert.equal(findSpending(costs, at('2026-11-21T10:59:00Z'), 'UTC').usd, 3);
    assert.equal(findSpending(costs, at('2026-11-20T11:59:00Z'), 'UTC').usd, 8);
  });

  it('lasts 23 or 25 hours in a night in which the clocks change', () => {
    const { until } = findSpending([], at('2026-10-24T20:00:00Z'), BERLIN);
    assert.equal(until, at('2026-10-25T11:00:00Z'));
  });

  it('is used up when it is reached, and never without one', () => {
    const now = at('2026-11-21T06:00:00Z');
    assert.equal(findUsedUpNight(costs, now, { nightBudget: 3.01 }, BERLIN), null);
    assert.equal(findUsedUpNight(costs, now, { nightBudget: 3 }, BERLIN)?.usd, 3);
    assert.equal(findUsedUpNight(costs, now, { nightBudget: 0 }, BERLIN), null);
    // As numbers of the machine, their sum is less than one.
    const tenths = Array.from({ length: 10 }, () => ({ at: now, usd: 0.1 }));
    assert.equal(findUsedUpNight(tenths, now, { nightBudget: 1 }, BERLIN)?.usd, 1);
  });

  it('does not count costs in the future after the clock was set back', () => {
    assert.equal(findSpending(costs, at('2026-11-20T18:00:00Z'), BERLIN).usd, 1);
  });
});
