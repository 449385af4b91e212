import assert from 'node:assert/strict';
import { addRecent } from '../../../../../src/queue/model/state/recentList';

const DAY = 1_000;

/** Adds these times one after another, and returns the list after each. */
function addAll(times: readonly number[]): number[][] {
  const list: number[] = [];
  return times.map((at) => {
    addRecent(list, at, (one) => one > at - DAY);
    return [...list];
  });
}

describe('A list of recent times', () => {
  it('has each time that was recent ever since, also after the clock was set back', () => {
    const times = Array.from({ length: 5_000 }, (_, index) => index * 7 - (index > 3_000 ? 9_000 : 0));
    let recent: number[] = [];
    for (const [index, list] of addAll(times).entries()) {
      const at = times[index] ?? 0;
      recent = [...recent.filter((one) => one > at - DAY), at];
      const known = new Set(list);
      assert.ok(
        recent.every((one) => known.has(one)),
        `after ${String(index)}`,
      );
    }
  });

  it('has at most about twice as many as are recent', () => {
    const longest = addAll(Array.from({ length: 5_000 }, (_, index) => index * 10)).map(
      (list) => list.length,
    );
    assert.ok(Math.max(...longest) <= 2 * (DAY / 10) + 2, String(Math.max(...longest)));
  });
});
