import assert from 'node:assert/strict';
import { layOutMarkdown } from '../../../../src/editor/tree/attemptMarkdown';

describe('What is told of a task under the mouse', () => {
  it('has how it is, then each fact with its name', () => {
    const reported = layOutMarkdown(['7  Sweep', 'review'], [{ name: 'cost', text: 'nothing' }]);
    assert.equal(reported, '7  Sweep  \nreview\n\n---\n\n**cost**  nothing');
    assert.equal(layOutMarkdown(['7  Sweep'], []), '7  Sweep');
  });

  it('makes nothing that others wrote a link, a picture, a command or an icon', () => {
    const [reported] = layOutMarkdown(['![x](https://a.example/y) <b> `c` $(bug) # d'], []).split('\n');
    assert.doesNotMatch(reported ?? '', /(?<!\\)[![\]()<>`$#:/.]/);
  });

  it('is bounded, whatever was refused', () => {
    assert.ok(layOutMarkdown([], [{ name: 'refused', text: 'x'.repeat(9_999) }]).length < 400);
  });
});
