import assert from 'node:assert/strict';
import { apply } from '../../../../../src/queue/model/state/apply';
import { emptyState } from '../../../../../src/queue/model/state/queueState';

describe('A queue', () => {
  it('remembers at least its last 1,000 calls by name, and at most 1,100', () => {
    const state = emptyState();
    for (let call = 1; call <= 5_000; call += 1) {
      apply(state, { kind: 'approved', ids: [], at: call, op: `call-${String(call)}` });
      assert.ok(state.ops.size <= 1_100, String(state.ops.size));
      if (call % 100 > 1) continue;
      for (let last = Math.max(1, call - 999); last <= call; last += 1)
        assert.ok(state.ops.has(`call-${String(last)}`), `${String(last)} after ${String(call)}`);
    }
  });
});
