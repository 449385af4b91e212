import assert from 'node:assert/strict';
import { findKeyTargets } from '../../../../src/editor/tree/keyTargets';

describe('A key in the tree', () => {
  it('acts on the focused row if another one is selected, or none', () => {
    assert.deepEqual(findKeyTargets([], ['focused']), ['focused']);
    assert.deepEqual(findKeyTargets(['a', 'b'], ['a', 'b', 'focused']), ['focused']);
  });

  it('acts on all selected rows if the focus is on one of them', () => {
    assert.deepEqual(findKeyTargets(['a', 'focused'], ['a']), ['a', 'focused']);
  });

  it('acts on the selected rows if no row has the focus', () => {
    assert.deepEqual(findKeyTargets(['a'], ['a']), ['a']);
    assert.deepEqual(findKeyTargets([], []), []);
  });
});
