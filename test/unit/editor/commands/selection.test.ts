import assert from 'node:assert/strict';
import { possibleActions } from '../../../../src/app/viewModel/possibleActions';
import { describeResult, splitSelection } from '../../../../src/editor/commands/several/selection';
import { paint, runByWorker } from '../../../support/queue/viewModels';

describe('Several selected tasks', () => {
  it('are split by whether an action is possible, without those that are not selected', () => {
    const { tasks } = paint([
      { state: { status: 'review' } },
      {},
      { state: { status: 'failed' } },
      runByWorker,
      { state: { status: 'failed' } },
    ]);
    const { able, others } = splitSelection(tasks, [4, 3, 2, 1], (shown) =>
      possibleActions(shown).has('retry'),
    );
    assert.deepEqual(
      able.map(({ task }) => task.definition.id),
      [1, 3],
    );
    assert.deepEqual(others, [2, 4]);
  });

  it('have one among the others that is gone meanwhile', () => {
    assert.deepEqual(splitSelection(paint([{}]).tasks, [1, 9], () => true).others, [9]);
  });
});

describe('The result for several tasks', () => {
  const cases: readonly (readonly [done: number, others: readonly number[], text: string])[] = [
    [3, [], '3 tasks were retried.'],
    [1, [], '1 task was retried.'],
    [2, [9, 3, 7], '2 of 5 tasks were retried. The others cannot be: 3, 7 and 9.'],
    [1, [4], '1 of 2 tasks was retried. The other cannot be: 4.'],
    [0, [4, 5], 'None of these tasks can be retried: 4 and 5.'],
    [0, [4], 'Task 4 cannot be retried.'],
    [
      1,
      Array.from({ length: 14 }, (_, index) => index + 1),
      '1 of 15 tasks was retried. The others cannot be: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more.',
    ],
  ];
  for (const [done, others, text] of cases) {
    it(`is described as: ${text}`, () => {
      assert.equal(describeResult(done, others, 'retried'), text);
    });
  }
});
