import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuseEdits } from '../../../../src/claude/folder/protectedPaths';

describe('The paths that no attempt may edit', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'protected-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('include the queue, whatever characters its path has', () => {
    assert.deepEqual(refuseEdits('/p (old)', ['/p (old)/q[1],*', '/real/q ']), [
      'Edit(//p ?old?/q?1???)',
      'Edit(//p ?old?/q?1???/**)',
      'Edit(//real/q?)',
      'Edit(//real/q?/**)',
    ]);
  });

  it('include missing files, also under the name behind a link', () => {
    const config = join(folder, 'dotfiles', 'config');
    mkdirSync(config, { recursive: true });
    symlinkSync(config, join(folder, '.config'));
    const rules = refuseEdits('/p', [join(folder, '.config', 'claude-queue', 'config.yaml')]);
    assert.ok(rules.includes(`Edit(/${config}/claude-queue/config.yaml)`), rules.join());
  });

  it('cannot be edited after renaming a parent folder, by whatever link', () => {
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
