import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { createDiffMeasure } from '../../../../src/platform/git/changeMeasure';
import { KeptTrees, type KeptChange } from '../../../../src/platform/git/keptTrees';
import type { FileVersion } from '../../../../src/platform/git/treeDiff';
import { until } from '../../../support/until';
import { GitRepository } from '../../../support/machine/gitRepository';

const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
const NEVER = new AbortController().signal;
const ATTEMPT = { id: 12, number: 3, startedAt: 1_000 };
const ID = '0123456789'.repeat(4);
/** Not UTF-8, with a line end of Windows. */
const BYTES = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0d, 0x0a]);

/** Not on the disk of the temporary folder, where there is such a place: git cannot move files between disks. */
const OTHER_DISK = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

describe('The trees before and after an attempt', () => {
  let folder: string;
  let user: string;
  let repository: GitRepository;
  let trees: KeptTrees;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'trees-')));
    fs.mkdirSync(path.join(folder, 'repo'));
    repository = GitRepository.init(path.join(folder, 'repo'));
    user = fs.mkdtempSync(path.join(OTHER_DISK, 'trees-'));
    trees = new KeptTrees(path.join(user, 'trees'), environment);
    write('one.txt', 'a\nb\n');
    write('sub/two.txt', 'a\n');
    repository.commitAll('first');
  });
  afterEach(() => {
    for (const each of [folder, user]) fs.rmSync(each, { recursive: true, force: true });
  });

  const inRepository = (name: string): string => path.join(repository.folder, name);

  function write(name: string, content: string | Buffer): void {
    fs.mkdirSync(path.dirname(inRepository(name)), { recursive: true });
    fs.writeFileSync(inRepository(name), content);
  }

  /** Sets the time of a file, so that git reads it again. */
  function touch(name: string): void {
    fs.utimesSync(inRepository(name), 1, 1);
  }

  /** Commits all files with times in the past, so that git takes them for unchanged without reading them. */
  function commitSettled(): void {
    const files = repository.git('ls-files', '-co', '-z').split('\0').filter(Boolean);
    for (const file of files) fs.utimesSync(inRepository(file), 1_000, 1_000);
    repository.commitAll('settled');
    repository.git('update-index', '--refresh');
  }

  /** Keeps what `work` changes as that of an attempt, and returns it. */
  async function keep(work: () => void, attempt = ATTEMPT): Promise<KeptChange | null> {
    const measureDiff = createDiffMeasure({ environment, except: [], longestMs: 3_600_000 });
    const measure = await measureDiff(repository.folder, NEVER);
    try {
      work();
      const change = await measure.end();
      assert.ok(change);
      await trees.keep(attempt, change, NEVER);
    } finally {
      measure.drop();
    }
    return trees.find(attempt);
  }

  /** Returns the changed files with their contents. */
  async function contents(kept: KeptChange | null): Promise<Record<string, (Buffer | null)[]>> {
    assert.ok(kept);
    const read = async (version: FileVersion | null): Promise<Buffer | null> =>
      version === null ? null : trees.read(kept.format, version, NEVER);
    const found: Record<string, (Buffer | null)[]> = {};
    for (const file of await trees.diffOf(kept).list(NEVER))
      found[file.path] = [await read(file.before), await read(file.after)];
    return found;
  }

  it('are those of tracked, new and deleted files and links, byte by byte', async () => {
    write('early.bin', BYTES);
    const kept = await keep(() => {
      write('one.txt', BYTES);
      write('early.bin', 'text\n');
      write('new name\n.txt', '\0\n');
      fs.rmSync(inRepository('sub/two.txt'));
      fs.symlinkSync('one.txt', inRepository('link'));
    });
    assert.deepEqual(await contents(kept), {
      'early.bin': [BYTES, Buffer.from('text\n')],
      link: [null, Buffer.from('one.txt')],
      'new name\n.txt': [null, Buffer.from('\0\n')],
      'one.txt': [Buffer.from('a\nb\n'), BYTES],
      'sub/two.txt': [Buffer.from('a\n'), null],
    });
  });

  for (const how of ['.gitattributes', 'core.autocrlf', '.git/info/attributes']) {
    it(`have the line ends of the directory where git converts them by ${how}`, async () => {
      write('windows.txt', 'a\r\nb\r\n');
      if (how === 'core.autocrlf') repository.git('config', how, 'true');
      else write(how, '* text=auto\n');
      commitSettled();
      assert.equal(repository.git('cat-file', '-p', 'HEAD:windows.txt'), 'a\nb\n');
      assert.equal(await keep(() => touch('windows.txt')), null);
      const kept = await keep(() => write('windows.txt', 'a\r\nc\r\n'));
      assert.deepEqual(await contents(kept), {
        'windows.txt': [Buffer.from('a\r\nb\r\n'), Buffer.from('a\r\nc\r\n')],
      });
    });
  }

  it('have the content of the directory where a filter keeps another one in git', async () => {
    repository.git('config', 'filter.short.clean', 'head -c 2');
    write('.gitattributes', '*.long filter=short\n');
    write('a.long', 'as it is\n');
    commitSettled();
    assert.equal(repository.git('cat-file', '-p', 'HEAD:a.long'), 'as');
    assert.equal(await keep(() => touch('a.long')), null);
    const kept = await keep(() => write('a.long', 'as it was\n'));
    assert.deepEqual(await contents(kept), {
      'a.long': [Buffer.from('as it is\n'), Buffer.from('as it was\n')],
    });
  });

  it('leave out files that git does not check out', async () => {
    write('.gitattributes', '* text=auto\n');
    repository.commitAll('second');
    repository.git('sparse-checkout', 'set', '--no-cone', '/one.txt', '/.gitattributes');
    assert.equal(fs.existsSync(inRepository('sub/two.txt')), false);
    const kept = await keep(() => write('one.txt', 'b\n'));
    assert.deepEqual(Object.keys(await contents(kept)), ['one.txt']);
  });

  it('are complete without the repository', async () => {
    const kept = await keep(() => write('one.txt', 'b\n'));
    fs.rmSync(repository.folder, { recursive: true });
    assert.deepEqual(await contents(kept), { 'one.txt': [Buffer.from('a\nb\n'), Buffer.from('b\n')] });
  });

  it('take no more objects than their difference has', async () => {
    for (let at = 0; at < 300; at++) write(`many/${String(at)}.txt`, `${String(at)}\n`);
    repository.commitAll('second');
    await keep(() => write('sub/two.txt', 'b\n'));
    const env = { ...process.env, GIT_DIR: path.join(user, 'trees/sha1.git') };
    const said = execFileSync('git', ['count-objects', '-v'], { env, encoding: 'utf8' });
    assert.match(said, /in-pack: 6\n/);
  });

  it('are kept in a repository with the newer object format', async () => {
    fs.rmSync(inRepository('.git'), { recursive: true });
    repository.git('init', '-q', '--object-format=sha256');
    repository.commitAll('first');
    const kept = await keep(() => write('one.txt', 'b\n'));
    assert.equal(kept?.format, 'sha256');
    assert.deepEqual(Object.keys(await contents(kept)), ['one.txt']);
  });

  it('are not kept where nothing changed', async () => {
    assert.equal(await keep(() => touch('one.txt')), null);
    assert.equal(fs.existsSync(path.join(user, 'trees')), false);
  });

  it('name large files that changed, and repositories inside, which they leave out', async () => {
    const large = Buffer.alloc(11 * 1024 * 1024);
    write('same.bin', large);
    write('large.bin', large);
    write('inner/file.txt', 'a\n');
    GitRepository.init(inRepository('inner')).commitAll('inner');
    const kept = await keep(() => {
      fs.appendFileSync(inRepository('large.bin'), 'b');
      write('inner/file.txt', 'b\n');
      write('one.txt', 'b\n');
    });
    assert.deepEqual(kept?.leftOut, [
      { path: 'large.bin', why: 'large' },
      { path: 'inner/', why: 'repository' },
    ]);
    assert.deepEqual(Object.keys(await contents(kept)), ['one.txt']);
  });

  it('name submodules, of which they have only the commit', async () => {
    const other = path.join(folder, 'other');
    fs.mkdirSync(other);
    fs.writeFileSync(path.join(other, 'file.txt'), 'a\n');
    GitRepository.init(other).commitAll('other');
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'module');
    repository.commitAll('second');
    const kept = await keep(() => {
      write('module/file.txt', 'b\n');
      new GitRepository(inRepository('module')).commitAll('changed');
    });
    assert.deepEqual(kept?.leftOut, [{ path: 'module/', why: 'repository' }]);
    assert.ok(kept);
    const [file] = await trees.diffOf(kept).list(NEVER);
    assert.deepEqual(
      [file?.path, file?.before?.kind, file?.after?.kind],
      ['module', 'submodule', 'submodule'],
    );
  });

  it('have a folder in the place of a file, and a link in the place of a folder', async () => {
    for (const turn of ['changed', 'already there before']) {
      const kept = await keep(() => {
        if (turn !== 'changed') {
          write('three.txt', 'c\n');
          return;
        }
        fs.rmSync(inRepository('one.txt'));
        write('one.txt/inside.txt', 'b\n');
        fs.renameSync(inRepository('sub'), inRepository('moved'));
        fs.symlinkSync('moved', inRepository('sub'));
      });
      const changed = ['moved/two.txt', 'one.txt', 'one.txt/inside.txt', 'sub', 'sub/two.txt'];
      assert.deepEqual(Object.keys(await contents(kept)), turn === 'changed' ? changed : ['three.txt']);
    }
  });

  it('name what cannot be read, and have the other files', async () => {
    const kept = await keep(() => {
      fs.rmSync(inRepository('one.txt'));
      execFileSync('mkfifo', [inRepository('one.txt')]);
      write('sub/two.txt', 'b\n');
    });
    assert.deepEqual(kept?.leftOut, [{ path: 'one.txt', why: 'unreadable' }]);
    assert.deepEqual(Object.keys(await contents(kept)), ['sub/two.txt']);
  });

  it('have files whose names are not UTF-8, or look like a line of git', async () => {
    const names = [Buffer.from('caf\xe9', 'latin1'), Buffer.from(`:100644 100644 ${ID} ${ID} M`)];
    const paths = names.map((name) => Buffer.concat([Buffer.from(`${repository.folder}/`), name]));
    for (const file of paths) fs.writeFileSync(file, 'a\n');
    repository.commitAll('second');
    const kept = await keep(() => {
      for (const file of paths) fs.writeFileSync(file, 'b\n');
    });
    const both = [Buffer.from('a\n'), Buffer.from('b\n')];
    assert.deepEqual(Object.values(await contents(kept)), [both, both]);
  });

  it('name a large file that is deleted or made small, once, and take no copy of it', async () => {
    const large = Buffer.alloc(11 * 1024 * 1024);
    const names = ['tracked.bin', 'trackedSmall.bin'];
    for (const name of names) write(name, large);
    repository.commitAll('second');
    for (const name of ['new.bin', 'newSmall.bin']) write(name, large);
    const measureDiff = createDiffMeasure({ environment, except: [], longestMs: 3_600_000 });
    const measure = await measureDiff(repository.folder, NEVER);
    for (const name of ['tracked.bin', 'new.bin']) fs.rmSync(inRepository(name));
    for (const name of ['trackedSmall.bin', 'newSmall.bin']) write(name, 'b\n');
    const first = await measure.end();
    write('one.txt', 'b\n');
    const second = await measure.end();
    measure.drop();
    assert.deepEqual(first?.leftOut.map(({ path: name, why }) => `${name} ${why}`).sort(), [
      'new.bin large',
      'newSmall.bin large',
      'tracked.bin large',
      'trackedSmall.bin large',
    ]);
    assert.equal(first.trees, null);
    assert.deepEqual([second?.leftOut, second?.size.files], [[], 1]);
  });

  it('are those of a repository whose index is split', async () => {
    repository.git('update-index', '--split-index');
    const kept = await keep(() => write('one.txt', 'b\n'));
    assert.deepEqual(Object.keys(await contents(kept)), ['one.txt']);
  });

  it('are kept where the temporary folder is in the repository, or has a colon in its name', async () => {
    const { TMPDIR } = process.env;
    try {
      for (const [number, name] of ['tmp', 'with:colon'].entries()) {
        fs.mkdirSync(inRepository(name));
        process.env['TMPDIR'] = inRepository(name);
        const attempt = { ...ATTEMPT, number };
        const areGone = (): boolean => fs.readdirSync(inRepository(name)).length === 0;
        assert.equal(await keep(() => touch('one.txt'), attempt), null);
        await until('the copy is removed', areGone);
        const kept = await keep(() => write('one.txt', `${name}\n`), attempt);
        await until('the copy is removed', areGone);
        assert.deepEqual(Object.keys(await contents(kept)), ['one.txt']);
      }
    } finally {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
    }
  });

  it('can be used by the owner alone', async () => {
    await keep(() => write('one.txt', 'b\n'));
    assert.equal(fs.statSync(path.join(user, 'trees')).mode & 0o777, 0o700);
  });

  it('go with their attempt, and those of another one stay', async () => {
    const other = { id: 12, number: 4, startedAt: 2_000 };
    const young = { id: 13, number: 1, startedAt: 9_000 };
    await keep(() => write('one.txt', 'b\n'));
    await keep(() => write('one.txt', 'c\n'), other);
    await keep(() => write('one.txt', 'd\n'), young);
    const packs = path.join(user, 'trees/sha1.git/objects/pack');
    fs.writeFileSync(path.join(packs, 'tmp_pack_old'), 'cut o');
    fs.utimesSync(path.join(packs, 'tmp_pack_old'), 1, 1);
    fs.writeFileSync(path.join(packs, 'tmp_pack_new'), 'bei');
    await trees.prune([other], 7 * 24 * 3_600_000 + 5_000);
    assert.equal(await trees.find(ATTEMPT), null);
    const names = fs.readdirSync(packs);
    assert.deepEqual(
      names.filter((name) => name.includes('-12-3-') || name.startsWith('tmp_')),
      ['tmp_pack_new'],
    );
    for (const [attempt, text] of [
      [other, 'c\n'],
      [young, 'd\n'],
    ] as const)
      assert.deepEqual((await contents(await trees.find(attempt)))['one.txt']?.[1], Buffer.from(text));
  });

  it('change nothing in the repository', async () => {
    repository.git('stash', 'list');
    const before = listFiles(inRepository('.git'));
    await keep(() => write('one.txt', 'b\n'));
    assert.deepEqual(listFiles(inRepository('.git')), before);
  });
});

/** All files below a folder with their contents. */
function listFiles(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .map((name) => `${name} ${fs.readFileSync(path.join(folder, name), 'latin1')}`);
}
