import assert from 'node:assert/strict';
import { formatWait } from '../../../../src/domain/time/duration';
import type { World } from '../../../../src/domain/reasons/world';
import type { ShownReason } from '../../../../src/app/present/reasons/reason';
import type { GateBlock } from '../../../../src/domain/gate/gate';
import { formatTime } from '../../../../src/domain/time/moment';
import { choose } from '../../../../src/domain/order/order';
import { effectivePriorityOf } from '../../../../src/domain/order/effectivePriority';
import type { TaskView } from '../../../../src/domain/queue/view';
import { repeat } from '../../../conformance/harness';
import { DAY, HOUR, MINUTE, NOW, taskOf, worldOf, type Differences } from '../surroundings';
import { explainAsText, lookAheadAsText } from '../../../support/queue/shownReason';

const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];
const HELD = { by: 'person', why: 'lunch', at: NOW } as const;

function why(task: TaskView, differences: Differences = {}, around: Partial<World> = {}): ShownReason {
  return explainAsText(task, { ...worldOf([task], differences), ...around });
}

function reported({ state, text, until, waitsFor }: ShownReason): unknown[] {
  return [state, text, until === undefined ? null : until - NOW, waitsFor];
}

function closed(until: number): Partial<World> {
  const block: GateBlock = { kind: 'five_hour', since: NOW, until, message: '' };
  return { gate: { closures: [block], usage: [] } };
}

describe('The reason of a waiting task', () => {
  it('names the first and the last wait, and ends with the last', () => {
    const quietHours = [{ from: 15 * 60, to: 22 * 60, days: ALL_DAYS }];
    const later = taskOf(1, { ownerScheduledAt: NOW + 8 * HOUR });
    assert.deepEqual(reported(why(later, { settings: { quietHours } })), [
      'scheduled',
      'not before 18:00, then quiet hours until 22:00',
      12 * HOUR,
      'schedule',
    ]);
    const retried = taskOf(1, { dueAt: NOW + HOUR, dueCause: 'retry', retryCount: 1 });
    assert.deepEqual(reported(why(retried, {}, closed(NOW + 3 * HOUR))), [
      'retrying',
      'next try 11:00, then 5-hour usage window used up, resets 13:00',
      3 * HOUR + MINUTE,
      'machine',
    ]);
  });

  it('names only the last wait if the first one ends no earlier', () => {
    const late = taskOf(1, { ownerScheduledAt: NOW + 6 * HOUR });
    assert.deepEqual(reported(why(late, {}, closed(NOW + HOUR))), [
      'scheduled',
      'not before 16:00',
      6 * HOUR,
      'schedule',
    ]);
  });

  it('is a pause by the user before any time, and then has no time', () => {
    const queue = { holds: [HELD] };
    const limited = taskOf(1, { dueAt: NOW + HOUR, dueCause: 'limit' });
    const text = 'the queue is paused (lunch)';
    assert.deepEqual(reported(why(limited, { queue })), ['waiting', text, null, 'person']);
    assert.deepEqual(reported(why(taskOf(1), { queue }, closed(NOW + HOUR))), [
      'waiting',
      text,
      null,
      'person',
    ]);
    const later = taskOf(1, { ownerScheduledAt: NOW + HOUR });
    assert.deepEqual(reported(why(later, { queue })), ['scheduled', text, null, 'person']);
  });

  it('is the limit alone if the gate has the same one', () => {
    const limited = taskOf(1, { dueAt: NOW + HOUR, dueCause: 'limit' });
    assert.deepEqual(reported(why(limited, {}, closed(NOW + HOUR))), [
      'waiting',
      '5-hour usage window used up, resets 11:00',
      HOUR + MINUTE,
      'machine',
    ]);
  });

  it('has no time if all times of the task are in quiet hours', () => {
    const daily = taskOf(1, { dueAt: NOW + 8 * HOUR, dueCause: 'repeat' }, { repeat: repeat('1d') });
    const quietHours = [{ from: 15 * 60, to: 22 * 60, days: ALL_DAYS }];
    const reason = why(daily, { settings: { quietHours, missedRuns: 'skip', missedAfter: HOUR } });
    assert.deepEqual(reported(reason), [
      'scheduled',
      'next time 18:00, then quiet hours until 22:00',
      null,
      'schedule',
    ]);
  });

  it('has a time to the second, within the shown wait, less than an hour ahead', () => {
    const moment = { now: NOW + 12_345, timeZone: 'UTC' };
    assert.equal(formatTime(NOW + 19_345, moment), '10:00:19');
    assert.equal(formatTime(NOW + 30 * MINUTE, moment), '10:30');
    for (const ahead of [1, 996, 6_999, 59_001, 59 * MINUTE + 59_999, HOUR + 10_001, 26 * HOUR + 1]) {
      const at = moment.now + ahead;
      const [, clock = '00:00', seconds = ':00'] = /(\d\d:\d\d)(:\d\d)?$/.exec(formatTime(at, moment)) ?? [];
      const day = Math.floor(at / DAY) * DAY;
      const shown = day + Date.parse(`1970-01-01T${clock}${seconds}Z`);
      assert.ok(shown <= at, `${String(ahead)}: ${clock}${seconds}`);
    }
  });

  it('never shows a wait in milliseconds, or one that ends too early', () => {
    assert.equal(formatWait(996), '1 s');
    assert.equal(formatWait(0), '0 s');
    assert.equal(formatWait(59 * MINUTE + 59_001), '1 h');
    assert.equal(formatWait(HOUR + 1), '1 h 1 min');
    assert.equal(formatWait(DAY + 1), '1 d 1 h');
  });
});

describe('The reason of a waiting queue', () => {
  it('has the soonest of several times of the same kind', () => {
    const far = taskOf(1, { ownerScheduledAt: NOW + 1000 * DAY });
    const soon = taskOf(2, { ownerScheduledAt: NOW + 40_000 });
    const { why: reason, askAgainAt } = lookAheadAsText(worldOf([far, soon]));
    assert.deepEqual(
      [reason.text, reason.until, askAgainAt],
      ['not before 10:00:40', NOW + 40_000, NOW + 40_000],
    );
  });
});

describe('Tenants without an attempt', () => {
  it('have their turn by class, then by row', () => {
    const tasks = [
      taskOf(1, {}, { user: 'ada', priority: 'low' }),
      taskOf(2, {}, { user: 'bob', priority: 'medium' }),
      taskOf(3, {}, { user: 'bob', priority: 'critical' }),
      taskOf(4, {}, { user: 'eve', priority: 'critical' }),
    ];
    assert.equal(choose(worldOf(tasks))?.definition.id, 3);
    const [ada, , bob, eve] = tasks;
    assert.ok(ada && bob && eve);
    assert.equal(choose(worldOf([ada, eve]))?.definition.id, 4);
  });
});

describe('The class of a task', () => {
  it('does not change once the task has ended', () => {
    const settings = worldOf([]).settings;
    for (const status of ['completed', 'cancelled', 'failed', 'review'] as const) {
      const ended = taskOf(1, { status, firstSeenAt: NOW - 10 * DAY });
      assert.equal(effectivePriorityOf(ended, new Map(), settings, NOW), 'medium', status);
    }
    const waiting = taskOf(1, { firstSeenAt: NOW - 10 * DAY });
    assert.equal(effectivePriorityOf(waiting, new Map(), settings, NOW), 'high');
  });
});
