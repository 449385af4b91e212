import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardUntrusted } from '../../../../src/claude/folder/untrustedFolder';

describe('An attempt in an untrusted folder', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'untrusted-'));
    env = { PATH: process.env['PATH'], HOME: folder };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const git = (at: string, own: NodeJS.ProcessEnv, ...args: string[]): string =>
    execFileSync('git', args, { cwd: at, env: own, encoding: 'utf8', stdio: 'pipe' });

  it("takes no program from there, and keeps the user's git settings", async () => {
    const own = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Me' };
    const { PATH = '' } = env;
    const guarded = await guardUntrusted(folder, { ...env, ...own, PATH: `node_modules/.bin:${PATH}::.` });
    assert.equal(guarded['PATH'], PATH);
    assert.equal(git(folder, guarded, 'config', 'user.name'), 'Me\n');
    assert.equal(git(folder, guarded, 'config', 'core.fsmonitor'), 'false\n');
  });

  it('takes no program from there by an absolute folder or a link either, unless it has the home in it', async () => {
    const work = join(folder, 'work');
    const own = join(work, 'node_modules', '.bin');
    mkdirSync(own, { recursive: true });
    symlinkSync(own, join(folder, 'link'));
    const { PATH = '' } = env;
    const all = { ...env, PATH: `${own}:${join(folder, 'link')}:${PATH}` };
    assert.equal((await guardUntrusted(work, all))['PATH'], PATH);
    assert.equal((await guardUntrusted(folder, all))['PATH'], all.PATH);
  });

  /** A repository with a commit and a change, and a program that leaves a trace. */
  function makeRepository(): { repository: string; trap: string; sprung: () => boolean } {
    const repository = join(folder, 'repository');
    mkdirSync(repository);
    git(repository, env, 'init', '-q', '-b', 'main');
    writeFileSync(join(repository, 'a.txt'), 'a\n');
    writeFileSync(join(repository, '.gitattributes'), '* filter=b.a-D diff=b.a-D merge=b.a-D\n');
    git(repository, env, 'add', '.');
    commit(repository, env);
    writeFileSync(join(repository, 'a.txt'), 'b\n');
    const trap = join(folder, 'trap.sh');
    const canary = join(folder, 'canary');
    writeFileSync(trap, `#!/bin/sh\ntouch '${canary}'\ncat "$@"\n`);
    chmodSync(trap, 0o755);
    const sprung = (): boolean => {
      const isThere = existsSync(canary);
      rmSync(canary, { force: true });
      return isThere;
    };
    return { repository, trap, sprung };
  }

  const commit = (at: string, own: NodeJS.ProcessEnv): string =>
    git(at, own, '-c', 'user.name=n', '-c', 'user.email=e', 'commit', '-qam', 'first');

  const LOOKS = [
    ['status', '--short'],
    ['diff'],
    ['log', '-p', '--textconv'],
    ['show', '--textconv'],
    ['blame', 'a.txt'],
    ['branch'],
    ['-p', 'grep', 'b'],
  ];

  /** Whether it fails is not asked here. */
  function tryAll(at: string, own: NodeJS.ProcessEnv, commands: readonly string[][] = LOOKS): void {
    for (const args of commands) spawnSync('git', args, { cwd: at, env: own });
  }

  const NAMES = [
    'core.fsmonitor',
    'diff.external',
    'diff.b.a-D.command',
    'diff.b.a-D.textconv',
    'filter.b.a-D.clean',
    'filter.b.a-D.process',
  ];
  for (const name of NAMES) {
    it(`makes git start no program that the folder names as its ${name}`, async () => {
      const { repository, trap, sprung } = makeRepository();
      git(repository, env, 'config', name, trap);
      const guarded = await guardUntrusted(repository, env);
      tryAll(repository, guarded);
      assert.equal(sprung(), false);
      tryAll(repository, env);
      assert.equal(sprung(), true, 'the trap is a good one');
    });

    it(`makes git start none that a submodule, or a file that it includes, names as its ${name}`, async () => {
      const { repository, trap, sprung } = makeRepository();
      const outer = join(folder, 'outer');
      mkdirSync(outer);
      git(outer, env, 'init', '-q');
      renameSync(repository, join(outer, 'sub'));
      git(outer, env, 'add', 'sub');
      const inner = join(outer, 'sub');
      git(inner, env, 'config', '--file', join(folder, 'more'), name, trap);
      git(inner, env, 'config', 'include.path', join(folder, 'more'));
      const guarded = await guardUntrusted(outer, env);
      tryAll(outer, guarded);
      tryAll(inner, guarded);
      assert.equal(sprung(), false);
      tryAll(inner, env);
      assert.equal(sprung(), true, 'the trap is a good one');
    });
  }

  it('lists the submodules of the whole repository from a subfolder, also with paths that are no patterns', async () => {
    const { repository, trap, sprung } = makeRepository();
    const outer = join(folder, 'outer');
    const work = join(outer, 'work');
    mkdirSync(work, { recursive: true });
    git(outer, env, 'init', '-q');
    renameSync(repository, join(outer, 'sub'));
    git(outer, env, 'add', 'sub');
    const inner = join(outer, 'sub');
    git(inner, env, 'config', 'core.fsmonitor', trap);
    git(inner, env, 'config', 'filter.b.a-D.clean', trap);
    const guarded = await guardUntrusted(work, { ...env, GIT_LITERAL_PATHSPECS: '1' });
    assert.equal(guarded['GIT_DIR'], '/dev/null');
    tryAll(inner, guarded);
    assert.equal(sprung(), false);
  });

  it('disables optional programs of git: aliases, credential helpers, pagers, connections, merge drivers', async () => {
    const { repository, trap, sprung } = makeRepository();
    commit(repository, env);
    git(repository, env, 'checkout', '-q', '-b', 'other', 'HEAD~');
    writeFileSync(join(repository, 'a.txt'), 'c\n');
    commit(repository, env);
    const names = ['core.pager', 'pager.log', 'core.sshCommand', 'core.askPass', 'merge.b.a-D.driver'];
    for (const name of names) git(repository, env, 'config', name, trap);
    for (const name of ['user.name', 'user.email']) git(repository, env, 'config', name, 'n');
    git(repository, env, 'config', 'alias.look', `!${trap}`);
    git(repository, env, 'config', 'credential.https://x.invalid.helper', trap);
    git(repository, env, 'config', 'remote.origin.url', 'ssh://x.invalid/y');
    const guarded = await guardUntrusted(repository, { ...env, GIT_TERMINAL_PROMPT: '0' });
    assert.equal(guarded['GIT_DIR'], undefined);
    const acts = [['look'], ['fetch'], ['merge', 'main']];
    tryAll(repository, guarded, acts);
    const question = { cwd: repository, input: 'url=https://x.invalid/y\n\n' };
    spawnSync('git', ['credential', 'fill'], { ...question, env: guarded });
    assert.equal(git(repository, guarded, 'var', 'GIT_PAGER'), 'cat\n');
    assert.equal(sprung(), false);
    git(repository, env, 'reset', '-q', '--hard');
    for (const args of acts) {
      tryAll(repository, env, [args]);
      assert.equal(sprung(), true, args[0]);
    }
    spawnSync('git', ['credential', 'fill'], { ...question, env: { ...env, GIT_TERMINAL_PROMPT: '0' } });
    assert.equal(sprung(), true);
  });

  it('keeps what the user set for all repositories, such as Git LFS', async () => {
    const { repository, trap, sprung } = makeRepository();
    git(repository, env, 'config', '--global', 'filter.b.a-D.clean', `${trap} | tr b B`);
    git(repository, env, 'config', '--global', 'filter.b.a-D.required', 'true');
    git(repository, env, 'config', '--global', 'include.path', 'more');
    const guarded = await guardUntrusted(repository, env);
    git(repository, guarded, 'add', 'a.txt');
    assert.equal(git(repository, guarded, 'show', ':a.txt'), 'B\n');
    assert.ok(sprung());
  });

  it('reads no file without its filter if the folder has one, for secrets for example', async () => {
    const { repository } = makeRepository();
    git(repository, env, 'config', 'filter.b.a-D.clean', 'tr b B');
    const guarded = await guardUntrusted(repository, env);
    assert.throws(() => git(repository, guarded, 'add', 'a.txt'));
  });

  it('lets git work in an ordinary clone, and outside a repository', async () => {
    const { repository } = makeRepository();
    const names = ['user.email', 'remote.origin.url', 'remote.origin.fetch', 'branch.main.remote'];
    for (const name of [...names, 'submodule.x.url']) git(repository, env, 'config', name, 'x');
    assert.equal(git(repository, await guardUntrusted(repository, env), 'diff', '--name-only'), 'a.txt\n');
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    git(empty, await guardUntrusted(empty, env), 'init', '-q');
    assert.ok(existsSync(join(empty, '.git')));
  });

  it('hides the repository from a git that is too old for these settings', async () => {
    const { repository } = makeRepository();
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    const { PATH = '' } = env;
    const old = `#!/bin/sh\nunset GIT_CONFIG_COUNT\nPATH='${PATH}' exec git "$@"\n`;
    writeFileSync(join(programs, 'git'), old, { mode: 0o755 });
    const guarded = await guardUntrusted(repository, { ...env, PATH: `${programs}:${PATH}` });
    assert.equal(guarded['GIT_DIR'], '/dev/null');
  });

  it('hides the repository from git if its programs are not known', async () => {
    const guarded = await guardUntrusted(join(folder, 'missing'), env);
    assert.equal(guarded['GIT_DIR'], '/dev/null');
  });

  it('hides the repository from git if the system does not start git', async () => {
    // As with too little memory, this error is thrown at once.
    const guarded = await guardUntrusted(folder, { ...env, LONG: 'x'.repeat(200_000) });
    assert.equal(guarded['GIT_DIR'], '/dev/null');
  });
});
