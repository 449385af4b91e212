import assert from 'node:assert/strict';
import { isWorthForecasting } from '../../../../src/app/simulate/worthForecasting';
import { paint } from '../../../support/queue/viewModels';

const pending = (count: number): object[] => Array.from({ length: count }, () => ({}));

describe('Expected starts', () => {
  it('are forecast while a worker runs and more than one task waits', () => {
    assert.equal(isWorthForecasting(paint(pending(2), { workers: 1 })), true);
    assert.equal(isWorthForecasting(paint(pending(2))), false);
    assert.equal(isWorthForecasting(paint(pending(1), { workers: 1 })), false);
  });
});
