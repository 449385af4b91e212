import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTrusted } from '../../../../src/claude/folder/projectTrust';
import { withDeadDisk } from '../../../support/machine/deadDisk';

describe('The folder of an attempt', () => {
  let folder: string;
  let env: Record<string, string>;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'trust-')));
    env = { HOME: make('home') };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function make(...parts: string[]): string {
    const path = join(folder, ...parts);
    mkdirSync(path, { recursive: true });
    return path;
  }

  function trust(...paths: string[]): void {
    const projects = Object.fromEntries(paths.map((path) => [path, { hasTrustDialogAccepted: true }]));
    writeFileSync(join(folder, 'home', '.claude.json'), JSON.stringify({ projects }));
  }

  it('is not trusted unless the user trusted it in Claude Code', async () => {
    const work = make('work');
    assert.equal(await isTrusted(work, env), false);
    writeFileSync(
      join(folder, 'home', '.claude.json'),
      JSON.stringify({ projects: { [work]: { hasTrustDialogAccepted: false } } }),
    );
    assert.equal(await isTrusted(work, env), false);
    writeFileSync(join(folder, 'home', '.claude.json'), 'not JSON');
    assert.equal(await isTrusted(work, env), false);
    assert.equal(await isTrusted(join(folder, 'nowhere'), env), false);
  });

  it('is not trusted on a disk that does not answer', async () => {
    const work = make('work');
    assert.equal(await withDeadDisk(work, () => isTrusted(work, env)), false);
  });

  it('is trusted without its subfolders if it is no repository', async () => {
    const work = make('work');
    trust(work);
    assert.equal(await isTrusted(work, env), true);
    assert.equal(await isTrusted(make('work', 'sub'), env), false);
    trust(folder, '/');
    assert.equal(await isTrusted(work, env), false);
  });

  for (const [kind, put] of Object.entries({
    'a named pipe': (file: string) => execFileSync('mkfifo', [file]),
    'a link to a device without end': (file: string) => symlinkSync('/dev/zero', file),
    'larger than any memory': (file: string) => {
      writeFileSync(file, '');
      truncateSync(file, 2 ** 40);
    },
  })) {
    it(`is not trusted, without waiting, if a file of its repository is ${kind}`, async () => {
      const work = make('work');
      make('work', 'git');
      writeFileSync(join(work, '.git'), 'gitdir: git\n');
      put(join(work, 'git', 'gitdir'));
      trust(folder);
      assert.equal(await isTrusted(work, env), false);
    });
  }

  it('is trusted with its whole repository, but not with a part of it', async () => {
    const root = make('repository');
    const sub = make('repository', 'sub');
    make('repository', '.git');
    trust(root);
    assert.equal(await isTrusted(sub, env), true);
    trust(sub);
    assert.equal(await isTrusted(sub, env), false);
    trust(root);
    make('repository', 'sub', '.git');
    assert.equal(await isTrusted(sub, env), false, 'a repository of its own');
  });

  it('is resolved through links', async () => {
    const work = make('work');
    symlinkSync(work, join(folder, 'link'));
    trust(work);
    assert.equal(await isTrusted(join(folder, 'link'), env), true);
    trust(join(folder, 'link'));
    assert.equal(await isTrusted(join(folder, 'link'), env), false);
  });

  it('is trusted as a worktree that its repository lists, not one that only names the repository', async () => {
    const own = make('main', '.git', 'worktrees', 'tree');
    const tree = make('tree');
    writeFileSync(join(tree, '.git'), `gitdir: ${own}\n`);
    writeFileSync(join(own, 'gitdir'), `${join(tree, '.git')}\n`);
    writeFileSync(join(own, 'commondir'), '../..\n');
    trust(join(folder, 'main'));
    assert.equal(await isTrusted(tree, env), true);
    const evil = make('evil');
    writeFileSync(join(evil, '.git'), `gitdir: ${own}\n`);
    assert.equal(await isTrusted(evil, env), false);
    const evilOwn = make('evil2', 'worktrees', 'x');
    writeFileSync(join(make('evil2'), '.git'), `gitdir: ${evilOwn}\n`);
    writeFileSync(join(evilOwn, 'gitdir'), join(folder, 'evil2', '.git'));
    writeFileSync(join(evilOwn, 'commondir'), join(folder, 'main', '.git'));
    assert.equal(await isTrusted(join(folder, 'evil2'), env), false);
  });

  it('is not trusted with the folder around a repository without files of its own', async () => {
    const own = make('bare.git', 'worktrees', 'tree');
    const tree = make('tree');
    writeFileSync(join(tree, '.git'), `gitdir: ${own}\n`);
    writeFileSync(join(own, 'gitdir'), join(tree, '.git'));
    writeFileSync(join(own, 'commondir'), '../..');
    trust(folder);
    assert.equal(await isTrusted(tree, env), false);
    trust(tree);
    assert.equal(await isTrusted(tree, env), true);
  });

  it('is looked up in the settings of this Claude Code', async () => {
    const work = make('work');
    trust(work);
    const other = make('other');
    assert.equal(await isTrusted(work, { ...env, CLAUDE_CONFIG_DIR: other }), false);
    writeFileSync(
      join(other, '.claude.json'),
      JSON.stringify({ projects: { [work]: { hasTrustDialogAccepted: true } } }),
    );
    assert.equal(await isTrusted(work, { ...env, CLAUDE_CONFIG_DIR: other }), true);
  });
});
