import assert from 'node:assert/strict';
import stringWidth from 'string-width';
import { cutToWidth, displayWidth } from '../../../../src/cli/output/displayWidth';

const TEXTS = [
  '',
  'plain',
  'a cut text…',
  '…',
  '日本語の文',
  'é and e\u0301',
  '👩‍👩‍👧 family',
  'mixed 日本 text…',
];

describe('The width of a text in a terminal', () => {
  it('is that of a terminal, whether or not each character takes one column', () => {
    assert.deepEqual(
      TEXTS.map(displayWidth),
      TEXTS.map((text) => stringWidth(text)),
    );
  });

  it('is never exceeded by a text that is cut', () => {
    for (const text of TEXTS) {
      for (let width = 0; width <= 12; width += 1) {
        const cut = cutToWidth(text, width);
        assert.ok(stringWidth(cut) <= width, `${JSON.stringify(cut)} for ${width} columns`);
        assert.ok(cut === text || cut === '' || cut.endsWith('…'), cut);
      }
    }
  });

  it('of a cut text is as long as it may be', () => {
    assert.equal(cutToWidth('a plain text', 7), 'a plai…');
    assert.equal(cutToWidth('日本語の文', 7), '日本語…');
  });
});
