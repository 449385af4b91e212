import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { DiffSize } from '../../../../src/domain/task/attempt';
import { createDiffMeasure } from '../../../../src/platform/git/changeMeasure';
import { until } from '../../../support/until';

const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
const NEVER = new AbortController().signal;
/** More than any test may take: what is not known is so for another reason than that it took too long. */
const longestMs = 3_600_000;

let folder: string;
let repo: string;

function prepareEach(): void {
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'diff-')));
    repo = path.join(folder, 'repo');
    fs.mkdirSync(repo);
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
}

function git(...args: readonly string[]): string {
  const who = ['-c', 'user.name=n', '-c', 'user.email=e', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...who, ...args], { cwd: repo, encoding: 'utf8', stdio: 'pipe' });
}

function write(name: string, text: string): void {
  const file = path.join(repo, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

function initialise(): void {
  git('init', '-q');
  write('one.txt', 'a\nb\nc\n');
  write('.gitignore', 'build/\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
}

/** Returns the size of the changes that `work` makes. */
async function measure(
  work: () => void,
  { dir = repo, except = [] as readonly string[], home = environment.HOME } = {},
): Promise<DiffSize | undefined> {
  const options = { environment: { ...environment, HOME: home }, except, longestMs };
  const running = await createDiffMeasure(options)(dir, NEVER);
  work();
  try {
    return (await running.end())?.size;
  } finally {
    running.drop();
  }
}

describe('The measured change of an attempt', () => {
  prepareEach();

  it('counts lines in changed, new and deleted files', async () => {
    initialise();
    const size = await measure(() => {
      write('one.txt', 'a\nB\nc\nd\n');
      write('sub/new.txt', 'x\ny\n');
      fs.rmSync(path.join(repo, '.gitignore'));
    });
    assert.deepEqual(size, { files: 3, insertions: 4, deletions: 2 });
  });

  it('says whether a test is among the changed files', async () => {
    initialise();
    write('test/old.ts', '');
    const hasTests = async (name: string): Promise<boolean | undefined> => {
      const running = await createDiffMeasure({ environment, except: [], longestMs })(repo, NEVER);
      write(name, 'new\n');
      const change = await running.end();
      running.drop();
      return change?.changedTests;
    };
    assert.deepEqual([await hasTests('src/a.ts'), await hasTests('src/a.test.ts')], [false, true]);
    assert.equal(await hasTests('test/old.ts'), true);
  });

  it('is empty if nothing changed, also with many earlier changes', async () => {
    initialise();
    write('one.txt', 'quite\nanother\n');
    write('untracked.txt', 'there before\n');
    git('add', '-A');
    assert.deepEqual(await measure(() => undefined), { files: 0, insertions: 0, deletions: 0 });
    const more = await measure(() => {
      write('untracked.txt', 'there before\nand more\n');
    });
    assert.deepEqual(more, { files: 1, insertions: 1, deletions: 0 });
  });

  it('includes a change of the same size in the same second', async () => {
    initialise();
    const size = await measure(() => {
      write('one.txt', 'a\nX\nc\n');
    });
    assert.deepEqual(size, { files: 1, insertions: 1, deletions: 1 });
  });

  it('counts commits of the attempt, and nothing twice', async () => {
    initialise();
    const size = await measure(() => {
      write('one.txt', 'a\nb\nc\nd\n');
      git('commit', '-qam', 'second');
      write('two.txt', 'x\n');
      git('add', 'two.txt');
    });
    assert.deepEqual(size, { files: 2, insertions: 2, deletions: 0 });
  });

  it("leaves out ignored files, the queue's own, and the size of files that are no text", async () => {
    initialise();
    const queue = path.join(repo, 'claude_queue');
    const size = await measure(
      () => {
        write('build/out.js', 'made\n');
        write('claude_queue/prompts.csv', 'id\n1\n');
        write('prompts.csv', 'id\n1\n');
        write('video.bin', 'v'.repeat(11 * 1024 * 1024));
      },
      { except: [queue, path.join(repo, 'prompts.csv')] },
    );
    assert.deepEqual(size, { files: 0, insertions: 0, deletions: 0 });
  });

  for (const where of ['the user', 'the repository', 'what the user includes for it'])
    it(`leaves out files that the excludes file of ${where} ignores`, async () => {
      initialise();
      const rules = path.join(folder, 'rules');
      fs.writeFileSync(rules, '*.swp\n');
      const [own, included] = ['.gitconfig', 'included'].map((name) => path.join(folder, name));
      assert.ok(own !== undefined && included !== undefined);
      const condition = `includeIf.gitdir:${repo}/.path`;
      if (where === 'the repository') git('config', 'core.excludesFile', '../rules');
      else if (where === 'the user') git('config', '--file', own, 'core.excludesFile', '~/rules');
      else {
        git('config', '--file', own, condition, included);
        git('config', '--file', included, 'core.excludesFile', rules);
      }
      const size = await measure(
        () => {
          write('a.swp', 'x\n');
          write('a.txt', 'x\n');
        },
        { home: folder },
      );
      assert.deepEqual(size, { files: 1, insertions: 1, deletions: 0 });
    });

  it('is known although the repository names a pipe as its excludes file', async () => {
    initialise();
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    git('config', 'core.excludesFile', path.join(folder, 'pipe'));
    const size = await measure(() => write('a.txt', 'x\n'));
    assert.deepEqual(size, { files: 1, insertions: 1, deletions: 0 });
  });

  it('covers the working directory if this is a part of the repository', async () => {
    initialise();
    write('sub/a.txt', 'a\n');
    const size = await measure(
      () => {
        write('sub/a.txt', 'a\nb\n');
        write('one.txt', 'from somebody else\n');
      },
      { dir: path.join(repo, 'sub') },
    );
    assert.deepEqual(size, { files: 1, insertions: 1, deletions: 0 });
  });

  it('works in a worktree, without a commit, and for names of all kinds', async () => {
    git('init', '-q');
    const names = ['-n', 'é ü', 'a\nb', '"q"'];
    const fresh = await measure(() => {
      for (const name of names) write(name, 'x\n');
    });
    assert.deepEqual(fresh, { files: 4, insertions: 4, deletions: 0 });
    git('add', '-A');
    git('commit', '-qm', 'first');
    const tree = path.join(folder, 'tree');
    git('worktree', 'add', '-q', tree);
    const there = await measure(
      () => {
        fs.writeFileSync(path.join(tree, 'é ü'), 'y\n');
      },
      { dir: tree },
    );
    assert.deepEqual(there, { files: 1, insertions: 1, deletions: 1 });
  });

  it('is unknown without a repository or git', async () => {
    assert.equal(await measure(() => undefined), undefined);
    initialise();
    const nowhere = { PATH: '/nonexistent' };
    const running = await createDiffMeasure({ environment: nowhere, except: [], longestMs })(repo, NEVER);
    assert.equal(await running.end(), undefined);
  });

  it('leaves the repository unchanged, and nothing behind', async () => {
    initialise();
    write('one.txt', 'changed\n');
    const before = [fs.readFileSync(path.join(repo, '.git/index')), git('count-objects')];
    const temporary = path.join(folder, 'tmp');
    fs.mkdirSync(temporary);
    const { TMPDIR } = process.env;
    process.env['TMPDIR'] = temporary;
    try {
      await measure(() => {
        assert.equal(fs.readdirSync(temporary).length, 1);
        write('two.txt', 'new\n');
      });
      await until('the copy is removed', () => fs.readdirSync(temporary).length === 0);
    } finally {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
    }
    assert.deepEqual([fs.readFileSync(path.join(repo, '.git/index')), git('count-objects')], before);
  });

  it('is unknown if the attempt stops before the first measurement', async () => {
    initialise();
    const options = { environment, except: [], longestMs };
    const running = await createDiffMeasure(options)(repo, AbortSignal.abort('stopped'));
    write('one.txt', 'changed\n');
    assert.equal(await running.end(), undefined);
  });

  it('is unknown if it takes too long', async () => {
    initialise();
    const running = await createDiffMeasure({ environment, except: [], longestMs: 0 })(repo, NEVER);
    assert.equal(await running.end(), undefined);
  });
});

describe('A hostile repository', () => {
  prepareEach();

  /** A program that leaves a trace, and what git says with it. */
  function trap(then = 'cat'): string {
    const program = path.join(folder, 'trap.sh');
    fs.writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> ${path.join(folder, 'trace')}\n${then}\n`, {
      mode: 0o755,
    });
    return program;
  }

  /** All that a configuration can make git run by reading. */
  function arm(dir: string, program: string): void {
    const names: Record<string, string> = {
      'core.fsmonitor': program,
      'core.pager': program,
      'core.sshCommand': program,
      'core.hooksPath': path.join(folder, 'hooks'),
      'diff.external': program,
      'diff.bad.command': program,
      'diff.bad.textconv': program,
      'filter.bad.clean': program,
      'filter.bad.process': program,
      'filter.a=b.clean': program,
    };
    for (const [name, value] of Object.entries(names))
      execFileSync('git', ['config', name, value], { cwd: dir });
    const hooks = path.join(folder, 'hooks');
    fs.mkdirSync(hooks, { recursive: true });
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-commit', 'post-checkout']) {
      fs.copyFileSync(program, path.join(hooks, hook));
    }
    const attributes = '* filter=bad diff=bad\n*.x filter=a=b\n';
    fs.writeFileSync(path.join(dir, '.gitattributes'), attributes);
    const gitDir = execFileSync('git', ['rev-parse', '--absolute-git-dir'], {
      cwd: dir,
      encoding: 'utf8',
    }).trim();
    fs.mkdirSync(path.join(gitDir, 'info'), { recursive: true });
    fs.writeFileSync(path.join(gitDir, 'info/attributes'), attributes);
  }

  const hasSprung = (): boolean => fs.existsSync(path.join(folder, 'trace'));

  it('runs nothing during a measurement, whatever its configuration names', async () => {
    initialise();
    arm(repo, trap());
    const size = await measure(() => {
      write('one.txt', 'a\nB\nc\n');
      write('two.x', 'x\n');
    });
    assert.equal(hasSprung(), false);
    assert.deepEqual(size, { files: 2, insertions: 2, deletions: 1 });
    // The trap is a good one: git itself steps into it.
    git('status');
    assert.equal(hasSprung(), true);
  });

  it('runs nothing in its submodules either', async () => {
    initialise();
    const other = path.join(folder, 'other');
    fs.cpSync(repo, other, { recursive: true });
    git('submodule', '--quiet', 'add', other, 'inner');
    git('commit', '-qm', 'inner');
    const inner = path.join(repo, 'inner');
    arm(inner, trap());
    fs.writeFileSync(path.join(inner, 'one.txt'), 'z\n');
    const size = await measure(() => {
      fs.writeFileSync(path.join(inner, 'one.txt'), 'zz\n');
      write('one.txt', 'a\nB\nc\n');
    });
    assert.equal(hasSprung(), false);
    assert.deepEqual(size, { files: 1, insertions: 1, deletions: 1 });
    git('status');
    assert.equal(hasSprung(), true);
  });

  it('runs nothing if an object is missing that git would fetch', async () => {
    initialise();
    const program = trap('exit 1');
    git('config', 'extensions.partialClone', 'evil');
    git('config', 'core.repositoryFormatVersion', '1');
    git('config', 'remote.evil.url', `ext::${program}`);
    git('config', 'remote.evil.promisor', 'true');
    git('config', 'protocol.ext.allow', 'always');
    const blob = git('rev-parse', 'HEAD:one.txt').trim();
    fs.rmSync(path.join(repo, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    const size = await measure(() => {
      write('one.txt', 'a\nB\nc\n');
    });
    assert.equal(hasSprung(), false);
    // Its content is in the directory.
    assert.deepEqual(size, { files: 1, insertions: 1, deletions: 1 });
    assert.throws(() => git('diff'));
    assert.equal(hasSprung(), true);
  });

  it('cannot block an attempt with a pipe in the place of a git file', async () => {
    initialise();
    fs.rmSync(path.join(repo, '.git/index'));
    execFileSync('mkfifo', [path.join(repo, '.git/index')]);
    assert.equal(await measure(() => undefined), undefined);
  });
});
