import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDiffMeasure } from '../../../../src/platform/git/changeMeasure';
import { GitRepository } from '../../../support/machine/gitRepository';

const NEVER = new AbortController().signal;
const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
const NOBODY = 65_534;
/** Ahead by what the times of files may be behind. */
const clock = { now: (): number => Date.now() + 10_000 };

describe('A change of files that git does not see', () => {
  let folder: string;
  let repository: GitRepository;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'hidden-')));
    fs.mkdirSync(path.join(folder, 'repo'));
    repository = GitRepository.init(path.join(folder, 'repo'));
    write('one.txt', 'a\nb\n');
    write('sub/deep/two.txt', 'a\n');
    write('sub/three.txt', 'a\n');
    repository.commitAll('first');
  });
  afterEach(() => {
    process.seteuid?.(process.getuid?.() ?? 0);
    fs.chmodSync(inRepository('sub'), 0o700);
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const inRepository = (name: string): string => path.join(repository.folder, name);

  function write(name: string, content: string): void {
    fs.mkdirSync(path.dirname(inRepository(name)), { recursive: true });
    fs.writeFileSync(inRepository(name), content);
  }

  /** Returns what each of these, one after the other, has changed: the number of files, and what is left out. */
  async function measure(...changes: readonly (() => void)[]): Promise<unknown[]> {
    // The files are older than the first look.
    await sleep(50);
    const measureDiff = createDiffMeasure({ environment, except: [], longestMs: 3_600_000, clock });
    const started = await measureDiff(repository.folder, NEVER);
    const found: unknown[] = [];
    try {
      for (const change of changes) {
        change();
        const { size, leftOut = [] } = (await started.end()) ?? {};
        found.push([size?.files, leftOut.map(({ path: name, why }) => `${why} ${name}`).sort()]);
      }
    } finally {
      started.drop();
    }
    return found;
  }

  /** Continues as a user to whom a folder can be closed: root reads everything. */
  function becomeNobody(): void {
    if (process.getuid?.() !== 0) return;
    execFileSync('chown', ['-R', String(NOBODY), folder]);
    process.seteuid?.(NOBODY);
  }

  it('names the files of a folder that became unreadable', async () => {
    becomeNobody();
    const close = (): void => {
      write('sub/deep/two.txt', 'b\n');
      fs.chmodSync(inRepository('sub'), 0o000);
    };
    const changeOne = (): void => write('one.txt', 'b\n');
    const closed = ['unreadable sub/deep/two.txt', 'unreadable sub/three.txt'];
    assert.deepEqual(await measure(close, changeOne), [
      [0, closed],
      [1, []],
    ]);
    // Now it is so before.
    assert.deepEqual(await measure(() => write('one.txt', 'c\n')), [[1, []]]);
  });

  it('names the files that were taken in before their folder became unreadable', async () => {
    becomeNobody();
    const close = (): void => {
      write('sub/new.txt', 'c\n');
      fs.chmodSync(inRepository('sub'), 0o000);
    };
    const found = await measure(() => write('sub/new.txt', 'b\n'), close);
    const closed = ['sub/deep/two.txt', 'sub/new.txt', 'sub/three.txt'].map((name) => `unreadable ${name}`);
    assert.deepEqual(found, [
      [1, []],
      [0, closed],
    ]);
  });

  it('counts no file outside a sparse checkout as deleted', async () => {
    repository.git('sparse-checkout', 'set', '--no-cone', '/*', '!/sub/');
    assert.equal(fs.existsSync(inRepository('sub')), false);
    fs.mkdirSync(inRepository('sub'));
    assert.deepEqual(await measure(() => write('one.txt', 'b\n')), [[1, []]]);
  });

  for (const isSparseIndex of [false, true])
    it(`counts a file that appears outside a sparse checkout${isSparseIndex ? ', in a sparse index' : ''}`, async () => {
      const how = isSparseIndex ? ['--cone', '--sparse-index', 'other'] : ['--no-cone', '/*', '!/sub/'];
      repository.git('sparse-checkout', 'set', ...how);
      const found = await measure(
        () => write('sub/deep/two.txt', 'b\n'),
        () => write('sub/deep/two.txt', 'c\n'),
        () => fs.rmSync(inRepository('sub'), { recursive: true }),
      );
      assert.deepEqual(found, [
        [1, []],
        [1, []],
        [1, []],
      ]);
      fs.mkdirSync(inRepository('sub'));
    });

  for (const version of ['2', '4'])
    it(`counts a file that git assumes to be unchanged, in version ${version} of the index`, async () => {
      write('sub/new\né.txt', 'a\n');
      fs.writeFileSync(inRepository('large.bin'), Buffer.alloc(11 * 1024 * 1024));
      repository.commitAll('second');
      repository.git('update-index', '--index-version', version);
      const names = ['one.txt', 'sub/three.txt', 'sub/new\né.txt', 'large.bin'];
      repository.git('update-index', '--assume-unchanged', ...names);
      write('sub/three.txt', 'b\n');
      assert.equal(repository.git('status', '--short'), '');
      const change = (): void => {
        write('one.txt', 'b\n');
        fs.rmSync(inRepository('sub/new\né.txt'));
        fs.appendFileSync(inRepository('large.bin'), 'b');
      };
      assert.deepEqual(await measure(change, () => write('sub/three.txt', 'a\n')), [
        [2, ['large large.bin']],
        [1, []],
      ]);
    });

  /** Writes into the index that a file has the content of another one: its times then say that it has not changed. */
  function takeForTheSame(name: string, other: string): void {
    const index = inRepository('.git/index');
    const objectOf = (file: string): Buffer =>
      Buffer.from(repository.git('rev-parse', `:${file}`).trim(), 'hex');
    const bytes = fs.readFileSync(index).subarray(0, -20);
    objectOf(other).copy(bytes, bytes.indexOf(objectOf(name)));
    fs.writeFileSync(index, Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]));
    // It is younger than the files.
    fs.utimesSync(index, clock.now() / 1000, clock.now() / 1000);
  }

  it('counts a file that git assumes to be unchanged, if it changed within the second of its commit', async () => {
    write('sub/three.txt', 'b\n');
    repository.git('add', 'sub/three.txt');
    repository.git('update-index', '--assume-unchanged', 'sub/three.txt');
    // Git leaves this where it writes its index in a later second.
    takeForTheSame('sub/three.txt', 'sub/deep/two.txt');
    assert.deepEqual(await measure(() => write('sub/three.txt', 'a\n')), [[1, []]]);
  });

  it('counts a file that git was told to skip', async () => {
    repository.git('update-index', '--skip-worktree', 'one.txt', 'sub/three.txt');
    const change = (): void => {
      write('one.txt', 'b\n');
      fs.rmSync(inRepository('sub/three.txt'));
    };
    assert.deepEqual(await measure(change), [[2, []]]);
  });

  function addSubmodule(): void {
    const other = GitRepository.init(fs.mkdtempSync(path.join(folder, 'other')));
    fs.writeFileSync(path.join(other.folder, 'a.txt'), 'a\n');
    other.commitAll('first');
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.folder, 'module');
    repository.commitAll('module');
  }

  for (const name of ['module', 'inner'])
    it(`names ${name === 'module' ? 'a submodule' : 'a repository inside'} if a file in it changed, also if nothing else did`, async () => {
      if (name === 'module') addSubmodule();
      else {
        write('inner/deep/a.txt', 'a\n');
        GitRepository.init(inRepository(name)).commitAll('first');
      }
      const nothing = (): void => undefined;
      const readIt = (): void => {
        const inner = new GitRepository(inRepository(name));
        inner.git('status');
        inner.git('tag', 'seen');
      };
      const outside = (): void => write('one.txt', 'b\n');
      assert.deepEqual(await measure(nothing, readIt, outside), [
        [0, []],
        [0, []],
        [1, []],
      ]);
      const named = [[0, [`repository ${name}/`]]];
      assert.deepEqual(await measure(() => write(`${name}/deep/new.txt`, 'a\n')), named);
      assert.deepEqual(
        await measure(() => fs.appendFileSync(inRepository(`${name}/deep/new.txt`), 'b')),
        named,
      );
      assert.deepEqual(await measure(() => fs.rmSync(inRepository(`${name}/deep/new.txt`))), named);
      assert.deepEqual(await measure(nothing), [[0, []]]);
    });

  it('names a repository inside that was removed, once', async () => {
    write('inner/a.txt', 'a\n');
    GitRepository.init(inRepository('inner'));
    const remove = (): void => fs.rmSync(inRepository('inner'), { recursive: true });
    assert.deepEqual(await measure(remove, () => undefined), [
      [0, ['repository inner/']],
      [0, []],
    ]);
  });

  it('does not name a submodule that is a file by now', async () => {
    addSubmodule();
    const replace = (): void => {
      fs.rmSync(inRepository('module'), { recursive: true });
      write('module', 'a\n');
    };
    const changeBoth = (): void => {
      write('one.txt', 'b\n');
      write('module/a.txt', 'b\n');
    };
    assert.deepEqual(await measure(changeBoth, replace, () => write('one.txt', 'c\n')), [
      [1, ['repository module/']],
      [1, []],
      [1, []],
    ]);
  });
});
