import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuseEdits } from '../../../../src/claude/folder/protectedPaths';

describe('What a run may not edit', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'protected-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is the queue, whatever signs its path holds', () => {
    assert.deepEqual(refuseEdits('/p (old)', ['/p (old)/q[1],*', '/real/q ']), [
      'Edit(//p ?old?/q?1???)',
      'Edit(//p ?old?/q?1???/**)',
      'Edit(//real/q?)',
      'Edit(//real/q?/**)',
    ]);
  });

  it('is what is not there yet, under the name too that it will have behind a link', () => {
    const config = join(folder, 'dotfiles', 'config');
    mkdirSync(config, { recursive: true });
    symlinkSync(config, join(folder, '.config'));
    const rules = refuseEdits('/p', [join(folder, '.config', 'claude-queue', 'config.yaml')]);
    assert.ok(rules.includes(`Edit(/${config}/claude-queue/config.yaml)`), rules.join());
  });

  it('is not available by renaming a folder that holds it, by whatever link the run got above it', () => {
    const queue = join(folder, 'project', 'claude_queue');
    mkdirSync(queue, { recursive: true });
    const link = join(folder, 'link');
    symlinkSync(folder, link);
    const hasRule = (workingDir: string, path = queue): boolean =>
      refuseEdits(workingDir, [path]).includes('Bash(mv:*)');
    assert.deepEqual([hasRule(folder), hasRule(link), hasRule('/')], [true, true, true]);
    assert.ok(hasRule(folder, join(link, 'project', 'claude_queue')));
    for (const other of [join(folder, 'project'), queue, join(folder, 'other')]) {
      assert.equal(hasRule(other), false, other);
    }
  });
});
