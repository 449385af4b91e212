import assert from 'node:assert/strict';
import { composeViewModel, type QueueViewModel } from '../../../../../src/app/viewModel/queueViewModel';
import type { TaskView } from '../../../../../src/domain/queue/view';
import { groupsOf, rowsOf } from '../../../../support/editor/treeGroups';
import { HOUR, MINUTE, NOW, paint, runByWorker } from '../../../../support/queue/viewModels';

const SECOND = 1_000;
const DAY = 24 * HOUR;

/** Returns the next state of a queue, with other tasks. */
function follow({ snapshot, world }: QueueViewModel, change: (task: TaskView) => TaskView): QueueViewModel {
  return composeViewModel({ ...snapshot, tasks: snapshot.tasks.map(change) }, world);
}

/** Returns the label of the only row at some times after now. */
function labelsAt(viewModel: QueueViewModel, ...later: readonly number[]): unknown[] {
  return later.map((ms) => rowsOf(viewModel, { around: { now: NOW + ms } })[0]?.label);
}

describe('The row of a task in the tree', () => {
  it('is made again only if its task, its place or the reason changed', () => {
    const before = paint([{}, {}, { fields: { dependencies: [1] } }]);
    const edited = follow(before, (task) =>
      task.definition.id === 2 ? { ...task, definition: { ...task.definition, prompt: 'Edited' } } : task,
    );
    const [one, two, three] = rowsOf(before);
    const rows = rowsOf(edited);
    assert.ok(rows[0] === one && rows[2] === three);
    assert.notEqual(rows[1], two);
    assert.match(rows[1]?.description ?? '', /Edited/);

    const done = follow(edited, (task) =>
      task.definition.id === 1 ? { ...task, state: { ...task.state, status: 'completed' } } : task,
    );
    assert.deepEqual(
      rowsOf(done).map(({ label }) => label),
      ['1st', '2nd', 'done'],
    );
  });

  it('follows a task that it waits for', () => {
    const before = paint([{}, {}, { fields: { dependencies: [1, 2] } }]);
    const labelOf = (viewModel: QueueViewModel): unknown =>
      rowsOf(viewModel).find(({ taskId }) => taskId === 3)?.label;
    assert.equal(labelOf(before), 'after 1, 2');
    const after = follow(before, (task) =>
      task.definition.id === 1
        ? { ...task, state: { ...task.state, status: 'completed', lastSuccessAt: NOW } }
        : task,
    );
    assert.equal(labelOf(after), 'after 2');
  });

  it('says its time anew when that is closer', () => {
    const viewModel = paint([{ state: { ownerScheduledAt: NOW + 2 * DAY } }]);
    assert.deepEqual(labelsAt(viewModel, 0, MINUTE, DAY + MINUTE), ['Sun 18:00', 'Sun 18:00', '18:00']);
  });

  it('says anew for how long it has run, in seconds at first', () => {
    const viewModel = paint([{ ...runByWorker, at: NOW }]);
    assert.deepEqual(labelsAt(viewModel, SECOND, 2 * SECOND, MINUTE, 2 * MINUTE), [
      '1 s',
      '2 s',
      '1 min',
      '2 min',
    ]);
  });
});

describe('A group with more tasks than are shown', () => {
  it('has the first of them in the order in which it would have all', () => {
    const ended = [3, 1, 4, 1, 5, 9, 2, 6].map((hours) => ({
      state: { status: 'completed', lastSuccessAt: NOW - hours * HOUR } as const,
    }));
    const idsOf = (limit: number): unknown[] =>
      groupsOf(paint(ended), { options: { limits: new Map([['group-done', limit]]) } }).flatMap(
        ({ children = [] }) => children.flatMap(({ taskId }) => taskId ?? []),
      );
    const all = idsOf(8);
    assert.deepEqual(all, [2, 4, 7, 1, 3, 5, 8, 6]);
    for (const limit of [1, 3, 7]) assert.deepEqual(idsOf(limit), all.slice(0, limit));
  });
});
