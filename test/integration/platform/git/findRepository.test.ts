import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { createDiffMeasure } from '../../../../src/platform/git/changeMeasure';

const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
const NEVER = new AbortController().signal;
/** More than any test may take. */
const longestMs = 3_600_000;

describe('The repository that a change is measured in', () => {
  let folder: string;
  let repo: string;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'repository-')));
    repo = path.join(folder, 'repo');
    fs.mkdirSync(repo);
    git('init', '-q');
    write('one.txt', 'a\n');
    write('.gitignore', 'build/\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
  });

  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  function git(...args: readonly string[]): void {
    const who = ['-c', 'user.name=n', '-c', 'user.email=e'];
    execFileSync('git', [...who, ...args], { cwd: repo, stdio: 'pipe' });
  }

  function write(name: string, text: string): void {
    fs.writeFileSync(path.join(repo, name), text);
  }

  /** Git that notes its arguments, one call a line. */
  function notingGit(): { readonly env: NodeJS.ProcessEnv; readonly calls: () => string[] } {
    const log = path.join(folder, 'calls');
    const program = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    fs.mkdirSync(path.join(folder, 'bin'));
    const script = `#!/bin/sh\necho "$*" >> '${log}'\nexec '${program}' "$@"\n`;
    fs.writeFileSync(path.join(folder, 'bin/git'), script, { mode: 0o755 });
    const PATH = [path.join(folder, 'bin'), environment.PATH].join(path.delimiter);
    return {
      env: { ...environment, PATH },
      calls: () => fs.readFileSync(log, 'utf8').trim().split('\n'),
    };
  }

  it('is asked for once, also when its index changes', async () => {
    const { env, calls } = notingGit();
    const measureDiff = createDiffMeasure({ environment: env, except: [], longestMs });
    for (const text of ['x\n', 'y\n']) {
      const running = await measureDiff(repo, NEVER);
      write('one.txt', text);
      git('add', '-A');
      assert.equal((await running.end())?.size.files, 1);
      running.drop();
    }
    assert.equal(calls().filter((call) => call.includes('rev-parse')).length, 1);
  });

  /** The changed files that are counted before and after `change`, by one measure. */
  async function countAround(dir: string, file: string, change: () => void): Promise<(number | undefined)[]> {
    const measureDiff = createDiffMeasure({ environment, except: [], longestMs });
    const count = async (text: string): Promise<number | undefined> => {
      const running = await measureDiff(dir, NEVER);
      fs.writeFileSync(file, text);
      const change = await running.end();
      running.drop();
      return change?.size.files;
    };
    const before = await count('x\n');
    change();
    return [before, await count('y\n')];
  }

  it('is asked for again when the configuration that its linked worktree shares has changed', async () => {
    git('worktree', 'add', '-q', '../linked');
    const linked = path.join(folder, 'linked');
    const rules = path.join(folder, 'rules');
    fs.writeFileSync(rules, 'new.txt\n');
    const ignore = (): void => git('config', 'core.excludesFile', rules);
    assert.deepEqual(await countAround(linked, path.join(linked, 'new.txt'), ignore), [1, 0]);
  });

  it('is one that was made since the last time in the directory or above it', async () => {
    const dir = path.join(repo, 'build/part');
    fs.mkdirSync(dir, { recursive: true });
    const make = (where: string) => (): void =>
      void execFileSync('git', ['init', '-q'], { cwd: path.join(dir, where) });
    const file = path.join(dir, 'a.txt');
    assert.deepEqual(await countAround(dir, file, make('..')), [0, 1]);
    assert.deepEqual(await countAround(dir, file, make('.')), [1, 1]);
  });

  it('is the one to which a worktree was moved since the last time', async () => {
    const tree = path.join(folder, 'tree');
    git('worktree', 'add', '-q', tree);
    write('.git/info/exclude', '*.log\n');
    const other = path.join(folder, 'other');
    execFileSync('git', ['init', '-q', other]);
    const move = (): void => {
      fs.writeFileSync(path.join(tree, '.git'), `gitdir: ${path.join(other, '.git')}\n`);
    };
    assert.deepEqual(await countAround(tree, path.join(tree, 'a.log'), move), [0, 1]);
  });

  it('is another one when it was configured anew, replaced or removed since the last time', async () => {
    const file = path.join(repo, 'a.txt');
    const dotGit = path.join(repo, '.git');
    const elsewhere = path.join(folder, 'elsewhere');
    fs.mkdirSync(elsewhere);
    const configure = (): void => {
      fs.appendFileSync(path.join(dotGit, 'config'), `[core]\nworktree = ${elsewhere}\n`);
    };
    assert.deepEqual(await countAround(repo, file, configure), [1, 0]);
    const replace = (): void => {
      fs.rmSync(dotGit, { recursive: true });
      git('init', '-q');
    };
    assert.deepEqual(await countAround(repo, file, replace), [0, 1]);
    const remove = (): void => {
      fs.rmSync(dotGit, { recursive: true });
    };
    assert.deepEqual(await countAround(repo, file, remove), [1, undefined]);
  });
});
