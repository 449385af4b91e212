import assert from 'node:assert/strict';
import { layChangeOut, summarizeChange } from '../../../src/app/changeWords';

const CELLS = [
  { column: 'prompt', before: 'Count', now: 'Delete\nall' },
  { column: 'allowed_tools', before: null, now: 'Bash|Edit' },
] as const;

describe('A row that was changed since it was approved', () => {
  it('is told in a line', () => {
    assert.equal(summarizeChange({ kind: 'changed', cells: CELLS }), 'changed: prompt, allowed_tools');
    assert.equal(summarizeChange({ kind: 'new' }), null);
  });

  it('is laid out as it was and as it is, whole', () => {
    assert.deepEqual(layChangeOut(CELLS), {
      before: 'prompt:\nCount\n\nallowed_tools:\n(empty)\n',
      now: 'prompt:\nDelete\nall\n\nallowed_tools:\nBash|Edit\n',
    });
  });
});
