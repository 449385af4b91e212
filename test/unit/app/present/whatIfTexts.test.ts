import assert from 'node:assert/strict';
import {
  describeDifferences,
  listDifferences,
  listSums,
} from '../../../../src/app/present/tonight/whatIfTexts';
import type { TaskForecast } from '../../../../src/app/simulate/forecast';
import { expected, forecastOf } from '../../../support/night/forecasts';
import { MINUTE, NOW } from '../../../support/queue/viewModels';

const MOMENT = { now: NOW, timeZone: 'UTC' };
const WAITS = { start: null, end: null };

/** A task whose start and end are this many minutes later than usual. */
const moved = (minutes: number, more: Partial<TaskForecast> = {}): TaskForecast => {
  const { start, end } = expected();
  const by = (range: TaskForecast['start']): TaskForecast['start'] => ({
    p50: (range?.p50 ?? 0) + minutes * MINUTE,
    p80: (range?.p80 ?? 0) + minutes * MINUTE,
  });
  return expected({ start: by(start), end: by(end), ...more });
};

const differencesOf = (now: readonly TaskForecast[], then: readonly TaskForecast[]): readonly string[] =>
  describeDifferences({ now: forecastOf(now), then: forecastOf(then) }, MOMENT);

describe('A comparison of two forecasts', () => {
  it('says that nothing differs', () => {
    const same = { now: forecastOf([expected()]), then: forecastOf([expected()]) };
    assert.deepEqual(describeDifferences(same, MOMENT), ['Nothing differs.']);
    assert.deepEqual(listDifferences(same), []);
  });

  it('says which worker both assume after what differs', () => {
    const same = { now: forecastOf([expected()]), then: forecastOf([expected()]), assumedSlots: 2 };
    assert.deepEqual(describeDifferences(same, MOMENT), [
      'Nothing differs.',
      'Both forecasts assume "claude-queue work --workers 2"; by default a worker runs one task at a time.',
    ]);
  });

  it('names the new end first, then the tasks that start earlier and later', () => {
    assert.deepEqual(
      differencesOf(
        [moved(0), moved(60, { id: 2 }), moved(90, { id: 3 })],
        [moved(30), moved(0, { id: 2 }), moved(60, { id: 3 })],
      ),
      [
        'Last task likely completed: 20:10 instead of 20:40.',
        'Start earlier: tasks 2, 3.',
        'Start later: task 1.',
      ],
    );
  });

  it('names the tasks that start only in one of both', () => {
    assert.deepEqual(
      differencesOf(
        [expected(), expected({ id: 2, ...WAITS }), expected({ id: 3 })],
        [expected({ ...WAITS }), expected({ id: 2 }), expected({ id: 3 })],
      ),
      ['Start in addition: task 2.', 'No longer start: task 1.'],
    );
  });

  it('names the tasks that become likely late, or no longer are', () => {
    assert.deepEqual(
      differencesOf(
        [expected({ late: 0.9 }), expected({ id: 2, late: 0.1 })],
        [expected({ late: 0.1 }), expected({ id: 2, late: 0.5 })],
      ),
      ['No longer likely late: task 1.', 'Likely late then: task 2.'],
    );
  });

  it('compares places while times are unknown', () => {
    const tasks = [expected(), expected({ id: 2 })];
    const unknown = { isTimeKnown: false, isUsageKnown: false };
    const now = forecastOf(tasks, unknown);
    const then = forecastOf([moved(10), expected({ id: 2 })], { ...unknown, order: [2, 1] });
    assert.deepEqual(describeDifferences({ now, then }, MOMENT), [
      'Start earlier: task 2.',
      'Start later: task 1.',
    ]);
    const same = forecastOf([moved(10), moved(20, { id: 2 })], unknown);
    assert.deepEqual(describeDifferences({ now, then: same }, MOMENT), [
      'The order is the same; times are unknown.',
    ]);
    assert.deepEqual(listDifferences({ now, then: same }), []);
    const [, end, , , cost] = listSums({ now, then }, MOMENT);
    assert.deepEqual([end?.now, end?.then, cost?.now], ['unknown', 'unknown', 'unknown']);
  });

  it('say "later" where a task that starts may end after the forecast', () => {
    const open = expected({ id: 2, end: { p50: null, p80: null } });
    const [, half, most] = listSums({ now: forecastOf([expected({}), open]), then: forecastOf([]) }, MOMENT);
    assert.deepEqual([half?.now, most?.now], ['19:10 or later', '19:30 or later']);
  });

  it('shows the figures of both side by side', () => {
    const now = forecastOf([expected({ late: 0.5 })]);
    const then = forecastOf([moved(60)], { costUsd: { p50: 3, p80: 4 }, limits: { p50: 0, p80: 1 } });
    assert.deepEqual(
      listSums({ now, then }, MOMENT).map((sum) => [sum.label, sum.now, sum.then]),
      [
        ['Tasks that start', '1', '1'],
        ['Last one completed', '19:10', '20:10'],
        ['In 80 % of the nights by', '19:30', '20:30'],
        ['Tasks likely late', '1', '0'],
        ['Cost', '$1.50', '$3.00'],
        ['Usage limits reached', '1', '0'],
      ],
    );
  });

  it('names eight tasks at most', () => {
    const many = Array.from({ length: 10 }, (_, index) => index + 1);
    const [, later] = differencesOf(
      many.map((id) => moved(0, { id })),
      many.map((id) => moved(60, { id })),
    );
    assert.equal(later, 'Start later: tasks 1, 2, 3, 4, 5, 6, 7, 8 and 2 more.');
  });
});
