import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { overlaps } from '../../../../../src/app/actions/undo/settleUndos';
import { makeFolder } from '../../../queue/folder';

describe('Folders of two undos', () => {
  it('overlap if one is the other or in it, also by a link, and in the root', () => {
    const folder = makeFolder();
    const [one, other] = [join(folder, 'one'), join(folder, 'one more')];
    mkdirSync(one);
    mkdirSync(other);
    symlinkSync(one, join(folder, 'link'));
    assert.ok(overlaps(one, one));
    assert.ok(overlaps(join(one, 'below'), one));
    assert.ok(overlaps(join(folder, 'link'), one));
    assert.ok(overlaps('/', one));
    assert.ok(overlaps(one, '/'));
    assert.ok(!overlaps(one, other));
  });
});
