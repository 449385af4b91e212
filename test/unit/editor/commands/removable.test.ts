import assert from 'node:assert/strict';
import { describeRemoval, explainKept, findRemovable } from '../../../../src/editor/commands/rows/removable';
import { paint, runByWorker } from '../../../support/queue/viewModels';

describe('Several tasks that are to be removed', () => {
  const { snapshot } = paint([
    {},
    { fields: { dependencies: [1] } },
    runByWorker,
    { fields: { dependencies: [2] } },
    {},
  ]);

  it('are removed together with the tasks that depend on them', () => {
    assert.deepEqual(findRemovable(snapshot.tasks, [4, 2, 1]), [1, 2, 4]);
  });

  it('stay if they run, or if a task that stays depends on them', () => {
    assert.deepEqual(findRemovable(snapshot.tasks, [1, 2, 3, 5]), [5]);
  });

  it('have a reason each if they stay', () => {
    assert.deepEqual(explainKept(snapshot.tasks, [1, 2, 3, 9], [5]), [
      'Task 2 depends on task 1.',
      'Task 4 depends on task 2.',
      'Task 3 is running or in your hands. Cancel or release it first.',
    ]);
    assert.deepEqual(explainKept(snapshot.tasks, [2], [1, 5]), ['Task 4 depends on task 2.']);
  });

  it('are named in the message', () => {
    assert.equal(describeRemoval([12]), 'Removed task 12.');
    assert.equal(describeRemoval([1, 2, 4]), 'Removed 3 tasks.');
  });
});
