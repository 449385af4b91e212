import assert from 'node:assert/strict';
import { assert as check, property, string } from 'fast-check';
import { revealInvisible } from '../../../../src/platform/text/invisible';
import { clean, cutText, cutToEnd, firstLine } from '../../../../src/platform/text/plainText';

describe("A text for the user's approval", () => {
  it('shows invisible characters as codes, and leaves nothing out', () => {
    const codes = [
      0, 7, 8, 0xd, 0x1b, 0x7f, 0x9b, 0xad, 0x34f, 0x200b, 0x200f, 0x2028, 0x202e, 0x2060, 0x2066,
    ];
    const rare = [0x3164, 0xfe0f, 0xfeff, 0xe0041, 0xe0100];
    for (const code of [...codes, ...rare]) {
      const hex = code.toString(16);
      const shown = code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
      assert.equal(revealInvisible(`a${String.fromCodePoint(code)}b`), `a${shown}b`);
    }
  });

  it('keeps its lines, words in any language and emoji', () => {
    const ordinary = 'Zähle\n  おはよう, שלום, \u26a0\ufe0f and \u{1f600}; C:\\users';
    assert.equal(revealInvisible(ordinary), ordinary);
    assert.equal(revealInvisible('one\r\n\ttwo'), 'one\n  two');
  });

  it('contains no control sequences', () => {
    check(
      property(string({ unit: 'binary' }), (text) => {
        const shown = revealInvisible(text);
        assert.equal(clean(shown), shown);
      }),
    );
  });
});

describe('A text for a terminal', () => {
  it('has no mark that turns the direction of writing', () => {
    const marks = [
      0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
    ];
    for (const mark of marks) assert.equal(clean(`a${String.fromCodePoint(mark)}b`), 'ab');
  });
});

describe('A text that is cut', () => {
  it('has no half of a character at its end', () => {
    assert.equal(cutText('ab\u{1f600}cd', 3), 'ab');
    assert.equal(cutText('ab\u{1f600}cd', 4), 'ab\u{1f600}');
    assert.equal(firstLine('ab\u{1f600}cd', 4), 'ab…');
    assert.equal(firstLine('ab\u{1f600}', 4), 'ab\u{1f600}');
  });

  it('has no half of a character at its start', () => {
    assert.equal(cutToEnd('ab\u{1f600}cd', 3), 'cd');
    assert.equal(cutToEnd('ab\u{1f600}cd', 4), '\u{1f600}cd');
  });
});
