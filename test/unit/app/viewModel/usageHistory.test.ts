import assert from 'node:assert/strict';
import { readUsageHistory } from '../../../../src/app/viewModel/usageHistory';
import type { Attempt } from '../../../../src/domain/task/attempt';
import { attempt, HOUR, MINUTE, NOW } from '../../../support/queue/attempts';

/** An attempt that ended `hour` hours after `NOW`, and reported this fill of a window that resets at hour 5. */
function reporting(hour: number, utilization: number, resetHour = 5): Attempt {
  const usage = [{ window: 'five_hour', utilization, resetAt: NOW + resetHour * HOUR }] as const;
  return attempt({ endedAt: NOW + hour * HOUR, usage });
}

/** The points of the 5-hour window: hours after `NOW`, and shares. */
const pointsOf = (attempts: readonly Attempt[], nowHour: number): number[][] =>
  readUsageHistory(attempts, [], NOW + nowHour * HOUR).points.five_hour.map(({ at, utilization }) => [
    (at - NOW) / HOUR,
    utilization,
  ]);

describe('The usage windows over time', () => {
  it('are what attempts reported, oldest first', () => {
    assert.deepEqual(pointsOf([reporting(3, 0.6), reporting(1, 0.2)], 4), [
      [1, 0.2],
      [3, 0.6],
    ]);
  });

  it('are empty from the reset until the next report', () => {
    assert.deepEqual(pointsOf([reporting(8, 0.1, 11), reporting(3, 0.6)], 9), [
      [3, 0.6],
      [5, 0],
      [8, 0.1],
    ]);
  });

  it('have no reset that is still to come', () => {
    assert.deepEqual(pointsOf([reporting(3, 0.6)], 4), [[3, 0.6]]);
    assert.deepEqual(pointsOf([reporting(3, 0.6)], 5), [
      [3, 0.6],
      [5, 0],
    ]);
  });

  it('are empty after an attempt that outlived its window', () => {
    const [before, reset, ...others] = pointsOf([reporting(6, 1)], 9);
    assert.deepEqual([reset, others], [[5, 0], []]);
    assert.ok(before !== undefined && (before[0] ?? 0) < 5 && before[1] === 1);
  });

  it('contain nothing for attempts that recorded no usage', () => {
    const { points, limits } = readUsageHistory([attempt({})], [], NOW + HOUR);
    assert.deepEqual([points, limits], [{ five_hour: [], seven_day: [] }, []]);
  });

  it('end with what the gate knows', () => {
    const latest = { window: 'seven_day', utilization: 0.4, resetAt: NOW + 90 * HOUR, asOf: NOW } as const;
    const { points } = readUsageHistory([], [latest], NOW + HOUR);
    assert.deepEqual(points.seven_day, [{ at: NOW, utilization: 0.4 }]);
  });

  it('name each time at which a limit was reached once', () => {
    const limited = [
      attempt({ outcome: 'limit', endedAt: NOW + HOUR, closedSince: NOW + 50 * MINUTE }),
      attempt({ outcome: 'limit', endedAt: NOW + 2 * HOUR, closedSince: NOW + 50 * MINUTE }),
      attempt({ outcome: 'limit', endedAt: NOW + 20 * MINUTE }),
    ];
    assert.deepEqual(readUsageHistory(limited, [], NOW + 3 * HOUR).limits, [
      NOW + 20 * MINUTE,
      NOW + 50 * MINUTE,
    ]);
  });
});
