import assert from 'node:assert/strict';
import { describeService, serviceOf, type Service } from '../../../../src/domain/order/service';
import type { Priority } from '../../../../src/domain/task/priority';
import { PRIORITIES } from '../../../../src/domain/task/priority';
import type { Claim, TaskView } from '../../../../src/domain/queue/view';
import { repeat, workerOf } from '../../../conformance/harness';
import { DAY, type Differences, HOUR, MINUTE, NOW, taskOf, worldOf } from '../surroundings';

function service(task: TaskView, differences: Differences = {}, ...others: TaskView[]): Service | null {
  return serviceOf(task, worldOf([task, ...others], differences));
}

function claimed(task: TaskView, at = NOW): TaskView & { readonly claim: Claim } {
  const { id } = task.definition;
  const owner = workerOf(1);
  return { ...task, claim: { id, power: 'p', token: 1, attempt: 1, owner, at, session: 's', mark: 'm' } };
}

describe('The service time', () => {
  it('is 5 min for a critical task, 30 min for a high one, 2 h for a medium, a day for a low one', () => {
    const minutes = (priority: Priority): number =>
      ((service(taskOf(1, {}, { priority }))?.by ?? 0) - NOW) / MINUTE;
    assert.deepEqual(PRIORITIES.map(minutes), [5, 30, 120, 24 * 60]);
  });

  it('is a setting for each priority', () => {
    const settings = { serviceHigh: 10 * MINUTE };
    assert.equal(service(taskOf(1, {}, { priority: 'high' }), { settings })?.by, NOW + 10 * MINUTE);
  });

  it('is at risk from 5 min before its end, and violated after it', () => {
    const task = taskOf(1, {}, { priority: 'high' });
    const standing = (afterMs: number): unknown => service(task, { now: NOW + afterMs })?.standing;
    assert.equal(standing(25 * MINUTE - 1), 'in-time');
    assert.equal(standing(25 * MINUTE), 'at-risk');
    assert.equal(standing(30 * MINUTE), 'at-risk');
    assert.equal(standing(30 * MINUTE + 1), 'violated');
  });

  it('that is short is at risk in its second half, and not from the start', () => {
    const critical = (minutes: number): string | undefined =>
      service(taskOf(1, { firstSeenAt: NOW - minutes * MINUTE }, { priority: 'critical' }))?.standing;
    assert.deepEqual([critical(0), critical(2), critical(2.5)], ['in-time', 'in-time', 'at-risk']);
    const soon = service(taskOf(1, {}, { priority: 'critical', deadline: NOW + 5 * MINUTE }));
    assert.equal(soon?.standing, 'at-risk', 'a deadline is warned of as long before as the setting says');
  });

  it('uses the priority of the row, however long it has waited', () => {
    const old = taskOf(1, { firstSeenAt: NOW - 5 * HOUR });
    assert.deepEqual(service(old), { by: NOW - 3 * HOUR, standing: 'violated', explicit: false });
  });

  it('is replaced by the deadline of the row, earlier or later', () => {
    const late = taskOf(1, {}, { priority: 'critical', deadline: NOW + DAY });
    assert.deepEqual(service(late), { by: NOW + DAY, standing: 'in-time', explicit: true });
    const soon = taskOf(1, {}, { priority: 'low', deadline: NOW + 4 * MINUTE });
    assert.deepEqual(service(soon), { by: NOW + 4 * MINUTE, standing: 'at-risk', explicit: true });
  });

  it('continues while the task runs, waits for a retry or for a limit', () => {
    const overdue = { firstSeenAt: NOW - 3 * HOUR };
    assert.equal(service(claimed(taskOf(1, overdue)))?.standing, 'violated');
    const retrying = taskOf(1, { ...overdue, dueAt: NOW + HOUR, dueCause: 'retry', retryCount: 1 });
    assert.equal(service(retrying)?.standing, 'violated');
    const limited = taskOf(1, { ...overdue, dueAt: NOW + HOUR, dueCause: 'limit' });
    assert.equal(service(limited)?.standing, 'violated');
  });

  it('does not run before the scheduled time, or the next time of a repeating task', () => {
    assert.equal(service(taskOf(1, { ownerScheduledAt: NOW + MINUTE })), null);
    assert.equal(service(taskOf(1, { ownerScheduledAt: NOW }))?.by, NOW + 2 * HOUR);
    const daily = { repeat: repeat('daily') };
    assert.equal(service(taskOf(1, { dueAt: NOW + MINUTE, dueCause: 'repeat' }, daily)), null);
    assert.equal(
      service(taskOf(1, { firstSeenAt: 0, dueAt: NOW - MINUTE, dueCause: 'repeat' }, daily))?.by,
      NOW + 119 * MINUTE,
    );
  });

  it('does not run for skipped times of a repeating task', () => {
    const late = taskOf(
      1,
      { firstSeenAt: 0, dueAt: NOW - 3 * HOUR, dueCause: 'repeat' },
      { repeat: repeat('daily') },
    );
    assert.equal(service(late)?.standing, 'violated');
    assert.equal(service(late, { settings: { missedRuns: 'skip' } }), null);
    const due = taskOf(
      1,
      { firstSeenAt: 0, dueAt: NOW - DAY - MINUTE, dueCause: 'repeat' },
      { repeat: repeat('daily') },
    );
    assert.equal(service(due, { settings: { missedRuns: 'skip' } })?.by, NOW + 119 * MINUTE);
  });

  it('starts when the last dependency is completed; a deadline does not wait for that', () => {
    const waiting = taskOf(1, { firstSeenAt: NOW - DAY }, { dependencies: [2] });
    assert.equal(service(waiting, {}, taskOf(2)), null);
    const done = taskOf(2, { status: 'completed', lastSuccessAt: NOW - MINUTE });
    assert.equal(service(waiting, {}, done)?.by, NOW + 119 * MINUTE);
    const urgent = taskOf(1, {}, { dependencies: [2], deadline: NOW - 1 });
    assert.equal(service(urgent, {}, taskOf(2))?.standing, 'violated');
  });

  it('ends with the task', () => {
    for (const status of ['completed', 'failed', 'cancelled', 'review'] as const) {
      assert.equal(service(taskOf(1, { status }, { deadline: NOW - DAY })), null, status);
    }
    assert.equal(service(taskOf(1, { retryCount: 3 })), null, 'no retries left');
  });
});

describe('The recorded service of an attempt', () => {
  const endAt = (endedAt: number, lastEndedAt: number | null = null) => ({ endedAt, lastEndedAt });

  it('has its class, how long it waited, and how many of its times were missed', () => {
    const task = claimed(taskOf(1, { firstSeenAt: NOW - HOUR }));
    const claim = { ...task.claim, priority: 'high', missed: 2 } as const;
    assert.deepEqual(describeService(claim, task, endAt(NOW + MINUTE), worldOf([task])), {
      priority: 'high',
      waitedMs: HOUR,
      missed: 2,
    });
  });

  it('has how long it waited since the attempt before it, if that ended after the task was due', () => {
    const task = claimed(taskOf(1, { firstSeenAt: NOW - HOUR }));
    for (const [lastEndedAt, waitedMs] of [
      [NOW - MINUTE, MINUTE],
      [NOW - 2 * HOUR, HOUR],
    ] as const)
      assert.equal(
        describeService(task.claim, task, endAt(NOW + MINUTE, lastEndedAt), worldOf([task])).waitedMs,
        waitedMs,
      );
  });

  it('has whether it ended late, by its service time or its deadline', () => {
    const late = claimed(taskOf(1, { firstSeenAt: NOW - HOUR }));
    assert.equal(describeService(late.claim, late, endAt(NOW + HOUR), worldOf([late])).late, undefined);
    assert.equal(describeService(late.claim, late, endAt(NOW + HOUR + 1), worldOf([late])).late, true);
    const due = claimed(taskOf(1, {}, { deadline: NOW }));
    assert.equal(describeService(due.claim, due, endAt(NOW + 1), worldOf([due])).late, true);
  });

  it('leaves out unknown facts: of a deleted row, of a claim of an older program', () => {
    const task = claimed(taskOf(1));
    assert.deepEqual(describeService(task.claim, undefined, endAt(NOW), worldOf([])), {});
  });
});
