import assert from 'node:assert/strict';
import {
  planBeside,
  planSteps,
  sideOf,
  type MovePlan,
  type RowMove,
} from '../../../../src/app/viewModel/moves';
import type { QueueViewModel } from '../../../../src/app/viewModel/queueViewModel';
import { describeObstacle } from '../../../../src/editor/commands/rows/moveTexts';
import { HOUR, NOW, paint, runByWorker, type Row } from '../../../support/queue/viewModels';

/** Returns the ids in the order of the rows after the moves. */
function orderAfter({ tasks }: QueueViewModel, moves: readonly RowMove[]): number[] {
  let ids = tasks.map(({ task }) => task.definition.id);
  for (const { id, before } of moves) {
    ids = ids.filter((one) => one !== id);
    ids.splice(before === null ? ids.length : ids.indexOf(before), 0, id);
  }
  return ids;
}

const blockedIn = ({ blocked }: MovePlan): number[] => blocked.map(({ id }) => id);

/** Rows of one priority each, and one that waits for its time. */
const MIXED: readonly Row[] = [
  {},
  { fields: { priority: 'high' } },
  { state: { ownerScheduledAt: NOW + HOUR } },
  {},
  { fields: { priority: 'high' } },
  {},
];

describe('A task that is moved by a step', () => {
  const view = paint(MIXED);

  it('passes the next task that waits for a slot with the same priority', () => {
    assert.deepEqual(orderAfter(view, planSteps(view, [6], 'up').moves), [1, 2, 3, 6, 4, 5]);
    assert.deepEqual(orderAfter(view, planSteps(view, [1], 'down').moves), [2, 3, 4, 1, 5, 6]);
  });

  it('passes all of them on the way to the top or the bottom', () => {
    assert.deepEqual(orderAfter(view, planSteps(view, [6], 'top').moves), [6, 1, 2, 3, 4, 5]);
    assert.deepEqual(orderAfter(view, planSteps(view, [1], 'bottom').moves), [2, 3, 4, 5, 6, 1]);
  });

  it('keeps its order among others that are moved too', () => {
    const same = paint([{}, {}, {}, {}]);
    assert.deepEqual(orderAfter(same, planSteps(same, [4, 3], 'up').moves), [1, 3, 4, 2]);
    assert.deepEqual(orderAfter(same, planSteps(same, [1, 2], 'down').moves), [3, 1, 2, 4]);
    assert.deepEqual(orderAfter(same, planSteps(same, [4, 3], 'top').moves), [3, 4, 1, 2]);
    assert.deepEqual(orderAfter(same, planSteps(same, [1, 2], 'bottom').moves), [3, 4, 1, 2]);
  });

  it('is not moved at the end of the order, or if it does not wait for a slot', () => {
    const up = planSteps(view, [2, 3], 'up');
    assert.deepEqual(up.moves, []);
    assert.deepEqual(up.blocked, [
      { id: 2, why: { kind: 'at-end' } },
      { id: 3, why: { kind: 'not-waiting', id: 3 } },
    ]);
    const running = paint([runByWorker, {}]);
    assert.deepEqual(planSteps(running, [1], 'down').blocked, [
      { id: 1, why: { kind: 'not-waiting', id: 1 } },
    ]);
  });

  it('does not pass a task of another priority', () => {
    assert.deepEqual(planSteps(view, [1], 'up').blocked, [
      { id: 1, why: { kind: 'other-priority', other: 5, becomes: 'high' } },
    ]);
  });

  it('is not moved if it is gone', () => {
    assert.deepEqual(blockedIn(planSteps(view, [99], 'up')), [99]);
  });

  it('changes its place in the line by one', () => {
    const placesOf = ({ tasks }: QueueViewModel): number[] =>
      tasks
        .filter(({ place }) => place !== null)
        .toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0))
        .map(({ task }) => task.definition.id);
    assert.deepEqual(placesOf(view), [2, 5, 1, 4, 6]);
    const [move] = planSteps(view, [4], 'up').moves;
    assert.deepEqual(move, { id: 4, before: 1 });
  });
});

describe('A task that is dropped on another', () => {
  const view = paint(MIXED);

  it('goes before it if it ran after it, and after it if it ran before it', () => {
    assert.equal(sideOf(view, [6], 4), 'before');
    assert.equal(sideOf(view, [1], 4), 'after');
    const before = planBeside(view, [6], { beside: 4, side: 'before' });
    assert.deepEqual(orderAfter(view, before.moves), [1, 2, 3, 6, 4, 5]);
    const after = planBeside(view, [1], { beside: 4, side: 'after' });
    assert.deepEqual(orderAfter(view, after.moves), [2, 3, 4, 1, 5, 6]);
  });

  it('keeps its order among others that are dropped too', () => {
    const same = paint([{}, {}, {}, {}]);
    const before = planBeside(same, [4, 3], { beside: 1, side: 'before' });
    assert.deepEqual(orderAfter(same, before.moves), [3, 4, 1, 2]);
    const after = planBeside(same, [1, 2], { beside: 4, side: 'after' });
    assert.deepEqual(orderAfter(same, after.moves), [3, 4, 1, 2]);
  });

  const cases: readonly (readonly [what: string, rows: readonly Row[], text: string])[] = [
    [
      'another priority',
      [{}, { fields: { priority: 'high' } }],
      'Task 1 has priority medium, task 2 has priority high. Rows decide the order only within a priority.',
    ],
    [
      'a priority that rose by waiting',
      [{ fields: { priority: 'high' } }, { state: { firstSeenAt: NOW - 10 * HOUR } }],
      'Task 1 has priority high, task 2 has priority medium, counts as high. Task 2 resumes an attempt or waited longer: moving a row does not change that.',
    ],
    [
      'another user',
      [{ fields: { user: 'ann' } }, { fields: { user: 'ken' } }],
      'Task 1 and task 2 belong to different users, who take turns. Moving a row does not change that.',
    ],
    [
      'a task that does not wait for a slot',
      [{}, { state: { ownerScheduledAt: NOW + HOUR } }],
      'Task 2 does not wait for a slot, so it has no place in the order.',
    ],
  ];
  for (const [what, rows, text] of cases) {
    it(`stays where it is, with the reason, on ${what}`, () => {
      const at = paint(rows);
      const { moves, blocked } = planBeside(at, [1], { beside: 2, side: 'after' });
      assert.deepEqual(moves, []);
      const [first] = blocked;
      assert.ok(first);
      assert.equal(describeObstacle(at, first.id, first.why, null), text);
    });
  }

  it('can be moved beside it with the priority that is named', () => {
    const at = paint([{}, { fields: { priority: 'critical' } }]);
    const [blocked] = planBeside(at, [1], { beside: 2, side: 'before' }).blocked;
    assert.deepEqual(blocked?.why, { kind: 'other-priority', other: 2, becomes: 'critical' });
    const changed = paint([{ fields: { priority: 'critical' } }, { fields: { priority: 'critical' } }]);
    assert.equal(planBeside(changed, [1], { beside: 2, side: 'after' }).moves.length, 1);
  });
});
