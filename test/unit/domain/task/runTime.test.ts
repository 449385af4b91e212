import assert from 'node:assert/strict';
import type { Attempt } from '../../../../src/domain/task/attempt';
import { ranMs } from '../../../../src/domain/task/runTime';
import { attempt, HOUR, MINUTE, NOW } from '../../../support/queue/attempts';

const ran = (more: Partial<Attempt>): number | null =>
  ranMs(attempt({ endedAt: NOW + 13 * HOUR, outcome: 'review', ...more }));

describe('The running time of an attempt', () => {
  it('is the time from its start to its end, and never negative', () => {
    assert.equal(ran({}), 13 * HOUR);
    assert.equal(ran({ endedAt: NOW - 50 * MINUTE }), 0);
  });

  it('is unknown if its worker died, also where it was cancelled or awaits review', () => {
    const [died, lost] = [
      { kind: 'owner-died', worker: '12' },
      { kind: 'history-lost', worker: '12', status: 'completed', attempt: 1 },
    ] as const;
    assert.equal(ran({ outcome: 'lost', note: died }), null);
    assert.equal(ran({ outcome: 'cancelled', note: died }), null);
    assert.equal(ran({ outcome: 'review', note: lost }), null);
  });

  it('is known if only Claude Code was killed', () => {
    assert.equal(ran({ outcome: 'lost', reason: 'SIGKILL' }), 13 * HOUR);
  });

  it('does not include the time for which the user had the task', () => {
    assert.equal(ran({ outcome: 'success', reason: 'by-hand' }), null);
  });
});
