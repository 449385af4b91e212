import assert from 'node:assert/strict';
import { layOutMarkdown } from '../../../../src/editor/tree/attemptMarkdown';

describe('The tooltip of a task', () => {
  it('has its state, then each fact with its name', () => {
    const reported = layOutMarkdown(['7  Sweep', 'review'], [{ name: 'cost', text: 'nothing' }]);
    assert.equal(reported, '7  Sweep  \nreview\n\n---\n\n**cost**  nothing');
    assert.equal(layOutMarkdown(['7  Sweep'], []), '7  Sweep');
  });

  it('turns no text of others into a link, a picture, a command or an icon', () => {
    const [reported] = layOutMarkdown(['![x](https://a.example/y) <b> `c` $(bug) # d'], []).split('\n');
    assert.doesNotMatch(reported ?? '', /(?<!\\)[![\]()<>`$#:/.]/);
  });

  it('has a limited length, whatever was refused', () => {
    assert.ok(layOutMarkdown([], [{ name: 'refused', text: 'x'.repeat(9_999) }]).length < 400);
  });
});
