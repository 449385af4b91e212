import assert from 'node:assert/strict';
import type { Attempt } from '../../../../src/domain/task/attempt';
import { ratesOf } from '../../../../src/domain/order/rates';
import { WORKER_DIED } from '../../../support/queue/attempts';
import { DAY, HOUR, MINUTE, NOW } from '../surroundings';

function attempt(fields: Partial<Attempt>): Attempt {
  const endedAt = fields.endedAt ?? NOW - MINUTE;
  return {
    ...{
      id: 1,
      number: 1,
      power: 'p',
      session: null,
      outcome: 'success',
      reason: 'done',
      message: '',
      code: 0,
    },
    ...{ startedAt: endedAt - MINUTE, endedAt, priority: 'high' },
    ...fields,
  };
}

describe('The rate at which a priority is served', () => {
  it('is the number of attempts that ended in the last hour and the last day', () => {
    const attempts = [MINUTE, HOUR - 1, HOUR, DAY - 1, DAY].map((ago) => attempt({ endedAt: NOW - ago }));
    const { high } = ratesOf(attempts, NOW);
    assert.deepEqual([high.lastHour, high.lastDay], [2, 4]);
  });

  it('has their average waiting time and duration', () => {
    const quick = attempt({ waitedMs: 2 * MINUTE });
    const slow = attempt({ startedAt: NOW - 4 * MINUTE, waitedMs: 4 * MINUTE });
    const unknown = attempt({ startedAt: NOW - 3 * MINUTE });
    const { high } = ratesOf([quick, slow, unknown], NOW);
    assert.deepEqual([high.meanWaitMs, high.meanDurationMs], [3 * MINUTE, 2 * MINUTE]);
  });

  it('has no average duration of attempts that were lost or done by hand', () => {
    const lost = attempt({ startedAt: NOW - 13 * HOUR, ...WORKER_DIED });
    const byHand = attempt({ startedAt: NOW - 13 * HOUR, reason: 'by-hand' });
    assert.equal(ratesOf([lost, byHand], NOW).high.meanDurationMs, null);
    assert.equal(ratesOf([lost, byHand, attempt({})], NOW).high.meanDurationMs, MINUTE);
  });

  it('is separate for each priority, and empty without attempts', () => {
    const { critical, low } = ratesOf([attempt({ priority: 'low' })], NOW);
    assert.deepEqual(critical, { lastHour: 0, lastDay: 0, meanWaitMs: null, meanDurationMs: null });
    assert.equal(low.lastHour, 1);
  });

  it('does not count attempts without a priority, or in the future of a clock that was set back', () => {
    const { priority: _none, ...old } = attempt({});
    const { high } = ratesOf([old, attempt({ endedAt: NOW + HOUR })], NOW);
    assert.equal(high.lastDay, 0);
  });
});
