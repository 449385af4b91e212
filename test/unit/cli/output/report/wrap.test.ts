import assert from 'node:assert/strict';
import { displayWidth } from '../../../../../src/cli/output/displayWidth';
import { wrap, WIDTH } from '../../../../../src/cli/output/report/layNeedsOut';

const WORDS = 'the tests of the billing service do not pass since the last change of its prices ';

function textsOf(...args: Parameters<typeof wrap>): readonly string[] {
  return wrap(...args).map((row) => row.map(({ text }) => text).join(''));
}

describe('A text of the report', () => {
  it('that takes more lines than it may ends with an ellipsis', () => {
    const [line = '', ...others] = textsOf(WORDS.repeat(2), 6, 'dim', 1);
    assert.deepEqual(others, []);
    assert.match(line, /^ {6}the tests .*…$/);
    assert.ok(displayWidth(line) <= WIDTH);
  });

  it('that fits into its lines is whole', () => {
    assert.deepEqual(textsOf(WORDS.repeat(2), 0, 'dim', 3).join(' '), WORDS.repeat(2).trim());
    assert.deepEqual(textsOf('all is well', 0, 'dim', 1), ['all is well']);
  });
});
