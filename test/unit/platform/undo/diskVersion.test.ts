import assert from 'node:assert/strict';
import { bornAt } from '../../../../src/platform/undo/diskVersion';

describe('The age of a file', () => {
  it('counts from its birth, whatever changed since', () => {
    assert.equal(bornAt({ birthtimeMs: 1, mtimeMs: 2, ctimeMs: 3 }, 'darwin'), 1);
    assert.equal(bornAt({ birthtimeMs: 1, mtimeMs: 1, ctimeMs: 3 }, 'linux'), 1);
  });

  it('counts from its last change where the disk does not know its birth, or a copy set it back', () => {
    assert.equal(bornAt({ birthtimeMs: 0, mtimeMs: 2, ctimeMs: 3 }, 'linux'), 3);
    assert.equal(bornAt({ birthtimeMs: 1, mtimeMs: 1, ctimeMs: 3 }, 'darwin'), 3);
  });
});
