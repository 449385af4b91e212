import assert from 'node:assert/strict';
import { createWorld, type World } from '../../../../src/domain/reasons/world';
import { OPEN_GATE } from '../../../../src/domain/gate/gate';
import { choose, hasMoreReady } from '../../../../src/domain/order/order';
import { effectivePriorityOf, waitingSince } from '../../../../src/domain/order/effectivePriority';
import { defaults } from '../../../../src/domain/settings/settings';
import type { Definition } from '../../../../src/domain/task/task';
import type { TaskState, TaskView } from '../../../../src/domain/queue/view';
import { define, NO_HOLDS, repeat, UNKNOWN, workerOf } from '../../../conformance/harness';
import { lookAheadAsText } from '../../../support/queue/shownReason';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-02T10:00:00Z');

function task(id: number, fields: Partial<Definition> = {}, state: Partial<TaskState> = {}): TaskView {
  return { definition: define(id, fields), state: { ...UNKNOWN, id, firstSeenAt: NOW, ...state }, order: id };
}

function worldOf(...tasks: readonly TaskView[]): World {
  return createWorld({
    queue: { tasks, invalidIds: new Set(), claims: [], ...NO_HOLDS, starts: [], costs: [], unreviewed: 0 },
    gate: OPEN_GATE,
    approvedRows: { trusted: true, approvals: new Set() },
    settings: defaults,
    now: NOW,
    timeZone: 'UTC',
  });
}

describe('The next task', () => {
  it('waits since the latest of: first seen or created, scheduled time, end of the last dependency', () => {
    const dependency = task(9, {}, { status: 'completed', lastSuccessAt: NOW - HOUR });
    const { byId } = worldOf(dependency);
    const since = (fields: Partial<Definition>, state: Partial<TaskState>): number =>
      (NOW - waitingSince(task(1, fields, { firstSeenAt: NOW - 9 * HOUR, ...state }), byId)) / HOUR;
    assert.equal(since({}, {}), 9);
    assert.equal(since({ createdAt: NOW - 20 * HOUR }, {}), 20);
    assert.equal(since({}, { ownerScheduledAt: NOW - 2 * HOUR }), 2);
    assert.equal(since({ dependencies: [9] }, {}), 1);
    assert.equal(
      since({}, { dueCause: 'retry', dueAt: NOW - HOUR, retryCount: 1 }),
      9,
      'retries do not start it again',
    );
    assert.equal(since({}, { dueCause: 'limit', dueAt: NOW - HOUR }), 9, 'nor do limits');
  });

  it('has the priority of its row while it is blocked, however long that is, and counts from the end of that', () => {
    const priorityWith = (status: TaskState['status'], lastSuccessAt: number | null): string => {
      const dependency = task(9, {}, { status, lastSuccessAt });
      const own = task(1, { priority: 'medium', dependencies: [9] }, { firstSeenAt: NOW - 9 * HOUR });
      return effectivePriorityOf(own, worldOf(dependency, own).byId, defaults, NOW);
    };
    assert.equal(priorityWith('pending', null), 'medium');
    assert.equal(priorityWith('completed', NOW - HOUR), 'medium');
    assert.equal(priorityWith('completed', NOW - 9 * HOUR), 'high');
  });

  it('waits since its latest due time if it repeats', () => {
    const often = { repeat: repeat('12h') };
    const { byId } = worldOf();
    const due = task(1, often, {
      firstSeenAt: 0,
      dueCause: 'repeat',
      dueAt: NOW - HOUR,
      lastSuccessAt: NOW - 13 * HOUR,
    });
    assert.equal(waitingSince(due, byId), NOW - HOUR);
    const stopped = task(1, often, {
      firstSeenAt: 0,
      dueCause: 'limit',
      dueAt: NOW,
      lastSuccessAt: NOW - 13 * HOUR,
    });
    assert.equal(waitingSince(stopped, byId), NOW - 13 * HOUR);
  });

  it('is promoted by waiting, but never to critical', () => {
    const { byId } = worldOf();
    const after = (priority: 'critical' | 'medium' | 'low', hours: number): string =>
      effectivePriorityOf(task(1, { priority }, { firstSeenAt: NOW - hours * HOUR }), byId, defaults, NOW);
    assert.deepEqual([after('medium', 3.9), after('medium', 4)], ['medium', 'high']);
    assert.deepEqual([after('low', 23), after('low', 24), after('low', 28)], ['low', 'medium', 'high']);
    assert.equal(after('critical', 100), 'critical');
  });

  it('does not exist if nothing is ready', () => {
    assert.equal(choose(worldOf()), null);
    assert.equal(choose(worldOf(task(1, {}, { status: 'completed' }))), null);
  });
});

describe('The reason why no task can be chosen', () => {
  it('is the cause that ends first, with the earliest time to ask again', () => {
    const world = worldOf(
      task(1, {}, { ownerScheduledAt: NOW + HOUR }),
      task(2, {}, { dueCause: 'retry', dueAt: NOW + 2 * HOUR, retryCount: 1 }),
      task(3, {}, { status: 'review' }),
    );
    const { why, askAgainAt, passesByItself } = lookAheadAsText(world);
    assert.deepEqual([why.state, askAgainAt, passesByItself], ['scheduled', NOW + HOUR, true]);
  });

  it('is that nothing is left if all tasks are completed', () => {
    const { why, askAgainAt, passesByItself } = lookAheadAsText(
      worldOf(task(1, {}, { status: 'completed' })),
    );
    assert.deepEqual([why.text, askAgainAt, passesByItself], ['no task is left to run', null, false]);
  });

  it('needs the user if only the user can help', () => {
    const { passesByItself, why } = lookAheadAsText(worldOf(task(1, {}, { status: 'review' })));
    assert.deepEqual([passesByItself, why.waitsFor], [false, 'person']);
  });
});

describe('A worker that takes only some priorities', () => {
  const high = { priorities: ['high'] } as const;

  it('asks again when waiting will have promoted a task to one of them', () => {
    const medium = task(1);
    const low = task(2, { priority: 'low' }, { firstSeenAt: NOW - 26 * HOUR });
    assert.equal(lookAheadAsText(worldOf(medium), high).askAgainAt, NOW + 4 * HOUR);
    assert.equal(lookAheadAsText(worldOf(medium, low), high).askAgainAt, NOW + 2 * HOUR);
    assert.equal(lookAheadAsText(worldOf(low), { priorities: ['critical'] }).askAgainAt, null);
  });

  it('does not ask before the time of such a task, or for one that needs the user', () => {
    const later = task(1, {}, { dueCause: 'retry', dueAt: NOW + 5 * HOUR, retryCount: 1 });
    assert.equal(lookAheadAsText(worldOf(later), high).askAgainAt, NOW + 5 * HOUR);
    assert.equal(lookAheadAsText(worldOf(task(1, {}, { status: 'review' })), high).askAgainAt, null);
  });

  it('grows only if more of such tasks are ready than running', () => {
    const world = worldOf(
      task(1, { priority: 'high' }),
      task(2),
      task(3, {}, { firstSeenAt: NOW - 5 * HOUR }),
      task(4, { priority: 'high' }, { status: 'review' }),
    );
    assert.deepEqual(
      [1, 2].map((atWork) => hasMoreReady(world, high, atWork)),
      [true, false],
    );
    assert.equal(hasMoreReady(world, {}, 2), true);
  });

  it('gets no reasons of other tasks', () => {
    const retried = task(1, {}, { dueCause: 'retry', dueAt: NOW + HOUR, retryCount: 1 });
    const { why, passesByItself } = lookAheadAsText(worldOf(retried), high);
    assert.deepEqual([why.text, passesByItself], ['no task with priority high is left to run', false]);
  });

  it('waits for running tasks of others if its own task depends on them', () => {
    const claim = {
      id: 1,
      power: '',
      token: 1,
      attempt: 1,
      owner: workerOf(1),
      at: NOW,
      session: '',
      mark: '',
    };
    const running = { ...task(1), claim };
    const dependent = task(2, { priority: 'high', dependencies: [1] });
    assert.equal(lookAheadAsText(worldOf(running, dependent), high).passesByItself, true);
    assert.equal(lookAheadAsText(worldOf(running), high).passesByItself, false);
  });
});
