import assert from 'node:assert/strict';
import type { Attempt } from '../../../../../src/domain/task/attempt';
import {
  attemptsOfBatch,
  closeBatch,
  keepAttempts,
  openBatch,
} from '../../../../../src/queue/model/state/batch';
import { emptyState, type QueueState } from '../../../../../src/queue/model/state/queueState';

const attempt = (number: number, endedAt: number): Attempt => ({
  id: 1,
  number,
  power: 'power',
  session: 'session',
  startedAt: endedAt,
  endedAt,
  outcome: 'success',
  reason: 'done',
  message: 'Done.',
  code: 0,
});

const numbersOf = (state: QueueState): number[] => attemptsOfBatch(state).map(({ number }) => number);

describe('The attempts of a batch', () => {
  let state: QueueState;
  beforeEach(() => {
    state = emptyState();
    state.attempts.push(attempt(1, 900));
    openBatch(state, 500);
    // The clock was set back before the batch was opened, and again in it.
    for (const [number, endedAt] of [
      [2, 600],
      [3, 100],
    ] as const) {
      state.attempts.push(attempt(number, endedAt));
      state.batchEnds = (state.batchEnds ?? 0) + 1;
    }
  });

  it('are those recorded since it was opened, whatever their times', () => {
    assert.deepEqual(numbersOf(state), [2, 3]);
    closeBatch(state);
    assert.deepEqual(numbersOf(state), []);
  });

  it('are still those once others were removed, or one of them', () => {
    keepAttempts(state, ({ number }) => number !== 1);
    assert.deepEqual(numbersOf(state), [2, 3]);
    state.attempts.unshift(attempt(1, 900));
    keepAttempts(state, ({ number }) => number !== 3);
    assert.deepEqual(numbersOf(state), [2]);
  });

  it('are taken by their times from a state of an earlier version, which has no number of them', () => {
    state.batchEnds = null;
    assert.deepEqual(numbersOf(state), [1, 2]);
  });
});
