import assert from 'node:assert/strict';
import { describeReview } from '../../../../src/app/present/leftover';
import { paint, type Row } from '../../../support/queue/viewModels';

const REVIEW: Row = { state: { status: 'review' } };
const ASKING: Row = { state: { status: 'review', question: { text: 'Delete it?', session: 's' } } };

describe('The text of what needs the user', () => {
  it('lists tasks that need an answer apart from those in review, and what waits for each', () => {
    const rows = [
      REVIEW,
      ASKING,
      { fields: { dependencies: [2] } },
      { fields: { dependencies: [1] } },
      REVIEW,
    ];
    assert.deepEqual(describeReview(paint(rows)), [
      'needs an answer: task 2 (task 3 waits for it)',
      'in review: tasks 1, 5 (task 4 waits for 1)',
    ]);
    assert.deepEqual(describeReview(paint([ASKING, ASKING])), ['need an answer: tasks 1, 2']);
    assert.deepEqual(describeReview(paint([{}])), []);
  });

  it('names which tasks wait for which, directly or not', () => {
    const afterOf = (...dependencies: number[]): Row => ({ fields: { dependencies } });
    const [both, one, other, later] = [afterOf(1, 2), afterOf(1), afterOf(2), afterOf(4)];
    assert.deepEqual(describeReview(paint([REVIEW, REVIEW, both])), [
      'in review: tasks 1, 2 (task 3 waits for them)',
    ]);
    assert.deepEqual(describeReview(paint([REVIEW, REVIEW, both, one, other, later])), [
      'in review: tasks 1, 2 (task 3 waits for them; tasks 4, 6 wait for 1; task 5 waits for 2)',
    ]);
    const pairs = [1, 2, 3, 4, 5, 6].map((id) => afterOf(id));
    assert.deepEqual(describeReview(paint([...pairs.map(() => REVIEW), ...pairs])), [
      'in review: tasks 1, 2, 3, 4, 5, 6 (tasks 7, 8, 9, 10, 11, 12 wait for some of them)',
    ]);
  });
});
