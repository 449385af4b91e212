import assert from 'node:assert/strict';
import { describeForApproval, excerptPrompt } from '../../../src/app/approval';
import { paint } from '../editor/pictures';

describe('What a person reads before they approve it', () => {
  it('is the prompt in one line where it fits', () => {
    assert.deepEqual(excerptPrompt('  Do\n\tit  ', 80), { text: 'Do it', leftOut: null });
    assert.equal(excerptPrompt('x'.repeat(80), 80).leftOut, null);
  });

  it('says how much of the prompt is not shown', () => {
    assert.deepEqual(excerptPrompt('x'.repeat(81), 80), {
      text: `${'x'.repeat(79)}…`,
      leftOut: '2 more characters',
    });
    const long = `${'x'.repeat(79)}${'y'.repeat(1_234)}\none\ntwo`;
    assert.equal(excerptPrompt(long, 80).leftOut, '1,242 more characters, 2 more lines');
  });

  it('says in a terminal how much of a long line and of many lines is not shown', () => {
    const told = (prompt: string): string => {
      const [shown] = paint([{ fields: { prompt } }]).tasks;
      assert.ok(shown);
      return describeForApproval(shown);
    };
    assert.match(told('x'.repeat(501)), /x… \(2 more characters\)$/);
    assert.match(told('x'.repeat(500)), /x$/);
    assert.match(told('line\n'.repeat(22)), /\(2 more lines: read the row\)$/);
  });
});
