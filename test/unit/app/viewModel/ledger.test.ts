import assert from 'node:assert/strict';
import { sumOf } from '../../../../src/app/viewModel/ledger';
import { attempt } from '../../../support/queue/attempts';

describe('The sum of attempts', () => {
  it('has the sum of their costs, without the noise of floating-point numbers', () => {
    const { costUsd, attemptsWithoutCost } = sumOf([0.1, 0.2, undefined].map((usd) => attempt(costOf(usd))));
    assert.deepEqual([costUsd, attemptsWithoutCost], [0.3, 1]);
  });
});

const costOf = (costUsd: number | undefined): { costUsd?: number } =>
  costUsd === undefined ? {} : { costUsd };
