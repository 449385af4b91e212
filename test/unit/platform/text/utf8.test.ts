import assert from 'node:assert/strict';
import { decodeText } from '../../../../src/platform/text/utf8';

describe('Text that a user wrote', () => {
  it('is read without its byte order mark, and with one that is inside', () => {
    assert.equal(decodeText('a.txt', Buffer.from('\ufeffGrüße \ufeff')), 'Grüße \ufeff');
    assert.equal(decodeText('a.txt', Buffer.alloc(0)), '');
  });

  for (const [encoding, bytes] of [
    ['Latin-1', Buffer.from('Grüße', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffGrüße', 'utf16le')],
    ['a part of UTF-8', Buffer.from('Grüße').subarray(0, 3)],
  ] as const)
    it(`is refused in ${encoding}`, () => {
      assert.throws(() => decodeText('a.txt', bytes), {
        reason: 'usage',
        message: 'a.txt is not UTF-8 text. Save it as UTF-8.',
      });
    });
});
