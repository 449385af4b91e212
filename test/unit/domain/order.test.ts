import assert from 'node:assert/strict';
import { createWorld, type World } from '../../../src/domain/explain';
import { OPEN_GATE } from '../../../src/domain/limits';
import { choose, effectivePriorityOf, lookAhead, waitingSince } from '../../../src/domain/order';
import { defaults } from '../../../src/domain/settings';
import type { Definition } from '../../../src/domain/task';
import type { TaskState, TaskView } from '../../../src/domain/view';
import { define, NO_HOLDS, repeat, UNKNOWN } from '../../conformance/bench';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-02T10:00:00Z');

function task(id: number, fields: Partial<Definition> = {}, state: Partial<TaskState> = {}): TaskView {
  return { definition: define(id, fields), state: { ...UNKNOWN, id, firstSeenAt: NOW, ...state }, order: id };
}

function worldOf(...tasks: readonly TaskView[]): World {
  return createWorld({
    queue: { tasks, invalidIds: new Set(), claims: [], ...NO_HOLDS, starts: [] },
    gate: OPEN_GATE,
    proofs: { trusted: true, powers: new Set() },
    settings: defaults,
    now: NOW,
    timeZone: 'UTC',
  });
}

describe('Who is next', () => {
  it('waits since the latest of: first seen or created, its own time, the last dependency', () => {
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

  it('waits, where it repeats, since its time came, not since the first one', () => {
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

  it('is promoted by waiting, and a critical one never', () => {
    const { byId } = worldOf();
    const after = (priority: 'critical' | 'medium' | 'low', hours: number): string =>
      effectivePriorityOf(task(1, { priority }, { firstSeenAt: NOW - hours * HOUR }), byId, defaults, NOW);
    assert.deepEqual([after('medium', 3.9), after('medium', 4)], ['medium', 'high']);
    assert.deepEqual([after('low', 23), after('low', 24), after('low', 28)], ['low', 'medium', 'high']);
    assert.equal(after('critical', 100), 'critical');
  });

  it('is nobody where nothing is ready', () => {
    assert.equal(choose(worldOf()), null);
    assert.equal(choose(worldOf(task(1, {}, { status: 'completed' }))), null);
  });

  it('is chosen among 10,000 rows within a moment', () => {
    const tasks = Array.from({ length: 10_000 }, (_, index) =>
      task(index + 1, index === 0 ? {} : { dependencies: [index] }),
    );
    const world = worldOf(...tasks);
    choose(world);
    const began = performance.now();
    assert.equal(choose(world)?.definition.id, 1);
    assert.ok(performance.now() - began < 250, `${String(performance.now() - began)} ms`);
  });
});

describe('Why nothing can be chosen', () => {
  it('is told by what passes soonest, with the earliest time to ask again', () => {
    const world = worldOf(
      task(1, {}, { ownerScheduledAt: NOW + HOUR }),
      task(2, {}, { dueCause: 'retry', dueAt: NOW + 2 * HOUR, retryCount: 1 }),
      task(3, {}, { status: 'review' }),
    );
    const { why, askAgainAt, passesByItself } = lookAhead(world);
    assert.deepEqual([why.shown, askAgainAt, passesByItself], ['retrying', NOW + HOUR, true]);
  });

  it('is that nothing is left where all is done', () => {
    const { why, askAgainAt, passesByItself } = lookAhead(worldOf(task(1, {}, { status: 'completed' })));
    assert.deepEqual([why.text, askAgainAt, passesByItself], ['nothing is left to run', null, false]);
  });

  it('is not that it passes by itself where only a person can help', () => {
    const { passesByItself, why } = lookAhead(worldOf(task(1, {}, { status: 'review' })));
    assert.deepEqual([passesByItself, why.waitsFor], [false, 'person']);
  });
});
