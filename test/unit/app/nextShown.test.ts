import assert from 'node:assert/strict';
import { parseRepeatInterval } from '../../../src/domain/time/schedule';
import { defaults } from '../../../src/domain/settings/settings';
import { HOUR, MINUTE, NOW, paint } from '../../support/queue/viewModels';

const DAY = 24 * HOUR;

describe('The task that is shown as next', () => {
  it('is the next claimed one, before missed times of another are settled too', () => {
    const repeat = parseRepeatInterval('1d');
    assert.ok(repeat);
    const settings = { ...defaults, missedRuns: 'skip' } as const;
    const dueAt = NOW - 30 * DAY - 10 * MINUTE;
    const state = { dueAt, dueCause: 'repeat', firstSeenAt: dueAt } as const;
    const rows = [
      { fields: {}, state: { firstSeenAt: NOW - HOUR } },
      { fields: { repeat }, state },
    ];
    const { tasks, next } = paint(rows, { settings });
    assert.deepEqual(
      tasks.map(({ reason, effectivePriority }) => [reason.state, effectivePriority]),
      [
        ['ready', 'medium'],
        ['ready', 'medium'],
      ],
    );
    assert.equal(next, 1);
  });
});
