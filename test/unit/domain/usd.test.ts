import assert from 'node:assert/strict';
import { formatUsd } from '../../../src/domain/usd';

describe('A cost', () => {
  it('has below a dollar all recorded decimals', () => {
    assert.deepEqual([0, 0.002, 0.25, 0.99994].map(formatUsd), ['$0.0000', '$0.0020', '$0.2500', '$0.9999']);
  });

  it('has from a dollar on two decimals, or more if it has more', () => {
    assert.deepEqual([0.99996, 5, 2.5, 1234.5, 5.0125, 5.012].map(formatUsd), [
      '$1.00',
      '$5.00',
      '$2.50',
      '$1234.50',
      '$5.0125',
      '$5.012',
    ]);
  });
});
