import assert from 'node:assert/strict';
import { describeClass } from '../../../../src/domain/order/effectivePriority';
import type { Priority } from '../../../../src/domain/task/priority';
import { defaults } from '../../../../src/domain/settings/settings';
import { HOUR, NOW, taskOf } from '../surroundings';

const claimed = (priority: Priority, waitedHours: number, more = {}): object =>
  describeClass(taskOf(1, { firstSeenAt: NOW - waitedHours * HOUR }, { priority, ...more }), {
    byId: new Map(),
    settings: { ...defaults, spareTag: 'spare' },
    now: NOW,
  });

describe('The class of a claim', () => {
  it("is the row's priority before waiting has raised it", () => {
    assert.deepEqual(claimed('medium', 3), { priority: 'medium' });
    assert.deepEqual(claimed('critical', 300), { priority: 'critical' });
  });

  it("names the row's priority once waiting has raised it", () => {
    assert.deepEqual(claimed('medium', 5), { priority: 'high', promotedFrom: 'medium' });
    assert.deepEqual(claimed('low', 25), { priority: 'medium', promotedFrom: 'low' });
  });

  it('is no promotion for leftover capacity, which is low whatever the row says', () => {
    assert.deepEqual(claimed('high', 0, { tags: ['spare'] }), { priority: 'low' });
  });
});
