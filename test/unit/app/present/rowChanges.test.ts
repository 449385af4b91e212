import assert from 'node:assert/strict';
import { describeChange, layChangeOut, summarizeChange } from '../../../../src/app/present/rowChanges';
import { paint } from '../../../support/queue/viewModels';

const CELLS = [
  { column: 'prompt', before: 'Count', now: 'Delete\nall' },
  { column: 'allowed_tools', before: null, now: 'Bash|Edit' },
] as const;

describe('A row that was changed since it was approved', () => {
  it('is summarized in a line', () => {
    assert.equal(summarizeChange({ kind: 'changed', cells: CELLS }), 'changed: prompt, allowed_tools');
    assert.equal(summarizeChange({ kind: 'new' }), null);
    assert.match(summarizeChange({ kind: 'unseen' }) ?? '', /in a part that is not shown$/);
  });

  it('is shown whole before and after', () => {
    assert.deepEqual(layChangeOut(CELLS, null), {
      before: 'prompt:\nCount\n\nallowed_tools:\n(empty)\n',
      now: 'prompt:\nDelete\nall\n\nallowed_tools:\nBash|Edit\n',
    });
  });

  it('is shown with the size of the part that is left out, and with invisible characters', async () => {
    const cells = [{ column: 'model', before: 'opus', now: 'op\u200bus\u001b[8m' }] as const;
    const seen = String.raw`op\u200bus\u001b[8m`;
    assert.deepEqual(layChangeOut(cells, '40 characters are not shown'), {
      before: 'model:\nopus\n',
      now: `model:\n${seen}\n\n(40 characters are not shown: read the row)\n`,
    });
    const token = ['gh', 'p_abcdefghijklmnopqrstuvwxyz0123456789'].join('');
    const [shown] = paint([{ fields: { prompt: token } }]).tasks;
    assert.ok(shown);
    const [, change, unseen] = (await describeChange(shown, { kind: 'changed', cells })).split('\n');
    assert.equal(change, `    model: opus → ${seen}`);
    assert.equal(unseen, '    (40 characters are not shown: read the row)');
  });

  it('is shown with each line that differs only by invisible characters', async () => {
    const [shown] = paint([{}]).tasks;
    assert.ok(shown);
    const cells = [{ column: 'prompt', before: 'Count', now: 'Count\u202e' }] as const;
    const reported = await describeChange(shown, { kind: 'changed', cells });
    assert.match(reported, /- Count\n.*\+ Count\\u202e$/);
  });
});
