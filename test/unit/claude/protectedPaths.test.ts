import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuseEdits } from '../../../src/claude/protectedPaths';

describe('What a run may not edit', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'protected-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is the queue, whatever signs its path holds', async () => {
    assert.deepEqual(await refuseEdits('/p (old)', ['/p (old)/q[1],*', '/real/q']), [
      'Edit(//p ?old?/q?1???)',
      'Edit(//p ?old?/q?1???/**)',
      'Edit(//real/q)',
      'Edit(//real/q/**)',
    ]);
  });

  it('cannot be had by renaming a folder that holds it, by whatever link the run got above it', async () => {
    const queue = join(folder, 'project', 'claude_queue');
    mkdirSync(queue, { recursive: true });
    const link = join(folder, 'link');
    symlinkSync(folder, link);
    const hasRule = async (workingDir: string, path = queue): Promise<boolean> =>
      (await refuseEdits(workingDir, [path])).includes('Bash(mv:*)');
    assert.deepEqual([await hasRule(folder), await hasRule(link), await hasRule('/')], [true, true, true]);
    assert.ok(await hasRule(folder, join(link, 'project', 'claude_queue')));
    for (const other of [join(folder, 'project'), queue, join(folder, 'other')]) {
      assert.equal(await hasRule(other), false, other);
    }
  });
});
