import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardUntrusted } from '../../../src/claude/untrustedFolder';

describe('Work in a folder that nobody trusts', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'untrusted-'));
    env = { PATH: process.env['PATH'], HOME: folder };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const git = (at: string, own: NodeJS.ProcessEnv, ...args: string[]): string =>
    execFileSync('git', args, { cwd: at, env: own, encoding: 'utf8' });

  it('looks for no program there, and keeps what its person told git', async () => {
    const own = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Me' };
    const { PATH = '' } = env;
    const guarded = await guardUntrusted(folder, { ...env, ...own, PATH: `node_modules/.bin:${PATH}::.` });
    assert.equal(guarded['PATH'], PATH);
    assert.equal(git(folder, guarded, 'config', 'user.name'), 'Me\n');
    assert.equal(git(folder, guarded, 'config', 'core.fsmonitor'), 'false\n');
  });

  it('has git start no program that the folder names, whatever it is named', async () => {
    const repository = join(folder, 'repository');
    mkdirSync(repository);
    const canary = join(folder, 'canary');
    const program = join(folder, 'trap.sh');
    writeFileSync(program, `#!/bin/sh\ntouch '${canary}'\ncat\n`);
    chmodSync(program, 0o755);
    git(repository, env, 'init', '-q');
    const file = join(repository, 'a.txt');
    writeFileSync(file, 'a');
    git(repository, env, 'add', 'a.txt');
    writeFileSync(join(repository, '.gitattributes'), '* filter=b.a-D\n');
    for (const kind of ['clean', 'smudge']) git(repository, env, 'config', `filter.b.a-D.${kind}`, program);
    git(repository, env, 'config', 'filter.b.a-D.required', 'true');
    git(repository, env, 'config', 'core.fsmonitor', program);
    const guarded = await guardUntrusted(repository, env);
    const look = (own: NodeJS.ProcessEnv): boolean => {
      utimesSync(file, 1, Math.random() * 1e9);
      git(repository, own, 'status', '--short');
      return existsSync(canary);
    };
    assert.equal(look(guarded), false);
    assert.equal(look(env), true, 'the traps are good ones');
  });

  it('lets git find no repository where it cannot tell what it would start', async () => {
    const guarded = await guardUntrusted(join(folder, 'missing'), env);
    assert.equal(guarded['GIT_DIR'], '/dev/null');
  });
});
