import assert from 'node:assert/strict';
import { nearestWord } from '../../../src/domain/nearestWord';

const WORDS = ['critical', 'high', 'medium', 'low'];

describe('The nearest word', () => {
  it('is one with a letter too many, too few, wrong, or swapped with the next', () => {
    const near: Readonly<Record<string, string>> = {
      hihg: 'high',
      hig: 'high',
      higgh: 'high',
      ' Hugh ': 'high',
      crtical: 'critical',
      criticla: 'critical',
      mediumm: 'medium',
      lo: 'low',
    };
    for (const [text, word] of Object.entries(near)) assert.equal(nearestWord(text, WORDS), word, text);
  });

  it('is absent if no word is near enough to be meant', () => {
    for (const text of ['', 'urgent', 'hello', 'x', '12']) assert.equal(nearestWord(text, WORDS), null, text);
  });
});
