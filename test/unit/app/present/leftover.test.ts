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
      'in review: tasks 1, 5 (task 4 waits for them)',
    ]);
    assert.deepEqual(describeReview(paint([ASKING, ASKING])), ['need an answer: tasks 1, 2']);
    assert.deepEqual(describeReview(paint([{}])), []);
  });
});
