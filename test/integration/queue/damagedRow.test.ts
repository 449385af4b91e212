import assert from 'node:assert/strict';
import { readFixture } from './csvFixture';
import { readAt, understood, wrongWith } from './readings';

describe('A damaged row', () => {
  it('has too many or too few cells', () => {
    const file = readFixture('raggedRows');
    assert.deepEqual(wrongWith(file, 0), [
      '2:1 This row has 12 cells, but the header names 11 columns. A cell with "," in it needs quotes around it.',
    ]);
    assert.deepEqual(wrongWith(file, 1), ['3:1 This row has 4 cells, but the header names 11 columns.']);
    assert.equal(understood(file, 2).definition.id, 3);
  });

  it('has a misplaced quote', () => {
    const file = readFixture('strayQuotes');
    const places = [0, 1, 2].map((index) => wrongWith(file, index).map((problem) => problem.slice(0, 5)));
    assert.deepEqual(places, [['2:17 '], ['3:14 '], ['4:20 ']]);
    assert.equal(understood(file, 3).definition.id, 4);
  });

  it('has invalid UTF-8', () => {
    const latin = readFixture('latin1');
    assert.match(
      wrongWith(latin)[0] ?? '',
      /^2:13 This cell contains bytes that are not UTF-8\. Save the file as UTF-8\./,
    );
    assert.equal(understood(latin, 1).definition.prompt, 'café');
    const nul = readFixture('nul');
    assert.match(wrongWith(nul)[0] ?? '', /^2:19 There is a NUL character here/);
    assert.equal(understood(nul, 1).definition.prompt, 'right');
  });

  it('has its id, so that dependents can wait', () => {
    const reading = readAt(readFixture('raggedRows'), 1);
    assert.ok('problems' in reading);
    assert.equal(reading.id, 2);
  });
});
