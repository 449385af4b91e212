import assert from 'node:assert/strict';
import { formatEstimatedUsd, formatUsd, sumUsd } from '../../../src/domain/usd';

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

describe('An estimate in US dollars', () => {
  it('is in cents, and below ten of them has two digits', () => {
    assert.deepEqual([0, 0.0042, 0.0421, 0.5, 6.5136, 8.1451, 1234.5].map(formatEstimatedUsd), [
      '$0.00',
      '$0.0042',
      '$0.042',
      '$0.50',
      '$6.51',
      '$8.15',
      '$1234.50',
    ]);
  });
});

describe('A sum of US dollars', () => {
  it('has no noise of floating-point numbers', () => {
    assert.equal(sumUsd([0.1, 0.2]), 0.3);
    assert.equal(sumUsd(Array.from({ length: 1000 }, () => 0.0185)), 18.5);
    assert.equal(sumUsd([0.000_001, 0.000_002]), 0.000_003);
    assert.equal(sumUsd([]), 0);
  });
});
