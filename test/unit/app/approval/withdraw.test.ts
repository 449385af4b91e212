import assert from 'node:assert/strict';
import { describeWithdrawn } from '../../../../src/app/approval/withdraw';

describe('Withdrawn approvals', () => {
  it('are described with the rules on one line, and what is invisible in them as codes', () => {
    const rules = new Map([[1, ['Bash(rm a\n\u001b[2Kls)', 'WebSearch']]]);
    assert.deepEqual(describeWithdrawn({ ids: new Set([1]), rules, running: [] }), [
      'The approval of task 1 was withdrawn.',
      String.raw`Task 1 may no longer use Bash(rm a\n\u001b[2Kls), WebSearch.`,
    ]);
  });
});
