import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SentDrafts } from '../../../../src/editor/drafts/sentDrafts';

describe('The drafts that were sent', () => {
  let folder: string;
  let warnings: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sent-drafts-'));
    warnings = [];
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const open = (name = 'storage'): SentDrafts =>
    new SentDrafts(join(folder, name), { warn: (message) => warnings.push(message) });

  it('are known to each window, also if several send at the same time', async () => {
    const [first, second] = [open(), open()];
    assert.equal((await first.read()).has('a'), false);
    await Promise.all([first.add(['a', 'b']), second.add(['c'])]);
    for (const window of [first, second, open()]) {
      const sent = await window.read();
      assert.deepEqual(
        ['a', 'b', 'c', 'd'].map((draft) => sent.has(draft)),
        [true, true, true, false],
      );
    }
    assert.deepEqual(warnings, []);
  });

  it('are only warned of if they cannot be recorded or read: they were sent all the same', async () => {
    writeFileSync(join(folder, 'file'), '');
    const drafts = open('file');
    await drafts.add(['a']);
    assert.equal((await drafts.read()).has('a'), false);
    assert.equal(warnings.length, 2);
  });
});
