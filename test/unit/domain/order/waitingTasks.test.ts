import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Choice } from '../../../../src/domain/order/choice';
import { choose, inServingOrder } from '../../../../src/domain/order/order';
import { WaitingTasks } from '../../../../src/domain/order/waitingTasks';
import { defaults } from '../../../../src/domain/settings/settings';
import { PRIORITIES } from '../../../../src/domain/task/priority';
import type { TaskId } from '../../../../src/domain/task/task';
import type { TaskView } from '../../../../src/domain/queue/view';
import { isReady } from '../../../../src/domain/reasons/explain';
import type { World } from '../../../../src/domain/reasons/world';
import { repeat } from '../../../conformance/harness';
import { DAY, HOUR, MINUTE, NOW, taskOf, worldOf } from '../surroundings';

const COUNT = 8;
const USERS = ['', 'ada', 'bob'] as const;

const task = fc.record({
  order: fc.integer({ min: 0, max: 99 }),
  status: fc.constantFrom('pending' as const, 'pending', 'pending', 'completed', 'cancelled'),
  priority: fc.constantFrom(...PRIORITIES),
  user: fc.constantFrom(...USERS),
  tags: fc.constantFrom(undefined, ['leftover']),
  waitedHours: fc.integer({ min: 0, max: 40 }),
  dependsOnFirst: fc.boolean(),
  repeats: fc.boolean(),
  resume: fc.constantFrom(null, 'limit' as const),
  time: fc.constantFrom(null, 'owner' as const, 'retry' as const, 'limit' as const, 'repeat' as const),
  inMinutes: fc.integer({ min: -90, max: 600 }),
});
type Task = typeof task extends fc.Arbitrary<infer T> ? T : never;

/** A step: some tasks become others, a tenant is served, time passes, the rules change. */
const step = fc.record({
  changed: fc.array(fc.tuple(fc.integer({ min: 1, max: COUNT }), task), { maxLength: 3 }),
  served: fc.option(fc.constantFrom(...USERS)),
  minutes: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constant(-30)),
  strict: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

function viewOf(id: TaskId, one: Task): TaskView {
  const at = NOW + one.inMinutes * MINUTE;
  const times = {
    owner: { ownerScheduledAt: at },
    retry: { dueAt: at, dueCause: 'retry' },
    limit: { dueAt: at, dueCause: 'limit' },
    repeat: { dueAt: at, dueCause: 'repeat' },
  } as const;
  const view = taskOf(
    id,
    {
      ...{ status: one.status, resume: one.resume, firstSeenAt: NOW - one.waitedHours * HOUR },
      ...(one.time === null ? {} : times[one.time]),
      ...(one.status === 'completed' ? { lastSuccessAt: NOW } : {}),
    },
    {
      ...(one.user === '' ? {} : { user: one.user }),
      ...(one.tags === undefined ? {} : { tags: one.tags }),
      ...(one.repeats ? { repeat: repeat('12h') } : {}),
      priority: one.priority,
      dependencies: one.dependsOnFirst && id > 1 ? [1] : [],
    },
  );
  // Every task has its own place among the rows.
  return { ...view, order: one.order * 100 + id };
}

/** The waiting tasks by tenant, in the order in which they are served. */
function listTasks(waiting: WaitingTasks, choice: Choice): unknown {
  return Array.from(waiting.inTurn(choice), ({ tenant, list }) => ({
    tenant,
    ids: list.items.map((candidate) => [candidate.task.definition.id, candidate.effective]),
  }));
}

describe('The waiting tasks', () => {
  it('are the same, kept from step to step, as collected anew', () => {
    fc.assert(
      fc.property(
        fc.array(task, { minLength: COUNT, maxLength: COUNT }),
        fc.array(step, { minLength: 20, maxLength: 40 }),
        (tasks, steps) => {
          const views = new Map(tasks.map((one, index) => [index + 1, viewOf(index + 1, one)]));
          const turns = new Map<string, number>();
          const kept = new WaitingTasks();
          let now = NOW;
          for (const [token, { changed, served, minutes, strict }] of steps.entries()) {
            for (const [id, one] of changed) views.set(id, viewOf(id, one));
            if (served !== null) turns.set(served, token);
            now += minutes * MINUTE;
            const settings = { ...defaults, strict, spareTag: 'leftover' };
            const world = worldOf([...views.values()], { queue: { turns }, settings, now });
            const ids = changed.map(([id]) => id);
            // The other tasks may depend on the first.
            kept.update(world, {
              tasks: ids.includes(1) ? views.keys() : ids,
              tenants: served === null ? [] : [served],
            });
            for (const choice of [{}, { users: ['bob'] }, { users: ['', 'ada'] }])
              assert.deepEqual(listTasks(kept, choice), listTasks(WaitingTasks.of(world), choice));
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('hold a task from its time on, and in its next class when it has waited long enough', () => {
    const waiting = new WaitingTasks();
    const listAt = (now: number): unknown => {
      const world = worldOf([taskOf(1, { ownerScheduledAt: NOW + HOUR }, { priority: 'medium' })], { now });
      waiting.update(world, { tasks: [], tenants: [] });
      return listTasks(waiting, {});
    };
    const inClass = (effective: string): unknown => [{ tenant: '', ids: [[1, effective]] }];
    assert.deepEqual(listAt(NOW), []);
    assert.deepEqual(listAt(NOW + HOUR), inClass('medium'));
    assert.deepEqual(listAt(NOW + DAY), inClass('high'));
  });

  it('start in the order that is shown, if nothing changes but the turns', () => {
    fc.assert(
      fc.property(fc.array(task, { minLength: 2, maxLength: COUNT }), (tasks) => {
        let views = tasks.map((one, index) => viewOf(index + 1, one));
        const settings = { ...defaults, spareTag: 'leftover' };
        const turns = new Map<string, number>();
        const worldNow = (): World => worldOf(views, { queue: { turns }, settings, now: NOW });
        const world = worldNow();
        const ready = views.filter((view) => isReady(view, world));
        const shown = inServingOrder(ready, world).map(({ definition }) => definition.id);
        const started: TaskId[] = [];
        for (let next = choose(worldNow()); next !== null; next = choose(worldNow())) {
          const { id, user = '' } = next.definition;
          started.push(id);
          turns.set(user, started.length);
          views = views.filter(
            ({ definition }) => definition.id !== id || definition.dependencies.includes(id),
          );
        }
        assert.deepEqual(started, shown);
      }),
    );
  });
});
