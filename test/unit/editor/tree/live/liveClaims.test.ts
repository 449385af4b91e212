import assert from 'node:assert/strict';
import { findLiveClaims, isAgeStale } from '../../../../../src/editor/tree/live/liveClaims';
import { workerOf } from '../../../../conformance/harness';
import { MINUTE, NOW, paint, runByUser } from '../../../../support/queue/viewModels';

describe('The attempts whose output the tree follows', () => {
  it('are those of living workers of this machine', () => {
    const here = { owner: { ...workerOf(1), machine: 'here' } };
    const idsOf = (...rows: Parameters<typeof paint>[0]): number[] => {
      const viewModel = paint(rows);
      return findLiveClaims({ ...viewModel, world: { ...viewModel.world, machine: 'here' } }).map(
        ({ id }) => id,
      );
    };
    assert.deepEqual(idsOf({}, here, runByUser, { ...here, lost: true }), [2]);
    assert.deepEqual(idsOf({ owner: { ...workerOf(1), machine: 'elsewhere' } }), []);
    assert.deepEqual(findLiveClaims(null), []);
  });
});

describe('The time that is shown for a running attempt', () => {
  it('changes every second, and from one minute every minute', () => {
    const claim = { at: NOW };
    assert.equal(isAgeStale(claim, NOW + 1_100, NOW + 1_900), false);
    assert.equal(isAgeStale(claim, NOW + 1_900, NOW + 2_000), true);
    assert.equal(isAgeStale(claim, NOW + 2 * MINUTE, NOW + 3 * MINUTE - 1), false);
    assert.equal(isAgeStale(claim, NOW + 3 * MINUTE - 1, NOW + 3 * MINUTE), true);
  });
});
