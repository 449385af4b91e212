import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { IndexCursor } from '../../../../../src/platform/git/indexFile/indexCursor';
import { listNamesIn, readIndexFacts } from '../../../../../src/platform/git/indexFile/indexFacts';
import { OBJECT_FORMATS, type ObjectFormat } from '../../../../../src/platform/git/bareRepository';
import { GitRepository } from '../../../../support/machine/gitRepository';

const SUBMODULE_ID: Readonly<Record<ObjectFormat, string>> = { sha1: '1'.repeat(40), sha256: '1'.repeat(64) };

describe('The entries of a git index', () => {
  let folder: string;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'index-')));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Makes a repository with entries of all kinds, whose index has this version. */
  function make(version: string, format: ObjectFormat): GitRepository {
    const repository = new GitRepository(folder);
    repository.git('init', '-q', `--object-format=${format}`);
    for (const name of ['a.txt', 'sub/a.txt', 'sub/deep/b é.txt', 'sub/deep/c\n.txt', 'x.txt'])
      write(name, name.repeat(3));
    fs.symlinkSync('a.txt', path.join(folder, 'link'));
    repository.git('add', '-A');
    repository.git('update-index', '--add', '--cacheinfo', `160000,${SUBMODULE_ID[format]},module`);
    write('later.txt', 'not added yet');
    repository.git('add', '-N', 'later.txt');
    repository.git('update-index', '--skip-worktree', 'a.txt');
    repository.git('update-index', '--index-version', version);
    return repository;
  }

  function write(name: string, text: string): void {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }

  const readIndex = (): Buffer => fs.readFileSync(path.join(folder, '.git/index'));

  for (const format of OBJECT_FORMATS)
    for (const version of ['2', '3', '4'])
      it(`are what git lists, in version ${version} with ${format}`, () => {
        const repository = make(version, format);
        const bytes = readIndex();
        // Flags that only newer versions have make git write version 3 in any case.
        assert.equal(bytes.readUInt32BE(4), version === '4' ? 4 : 3);
        const idEnd = format === 'sha1' ? 20 : 32;
        const found: string[] = [];
        for (const cursor = new IndexCursor(bytes, format); cursor.move();)
          found.push(
            `${bytes.toString('hex', cursor.idAt, cursor.idAt + idEnd)} 0\t${cursor.name} ${String(cursor.size)}`,
          );
        const lines = repository.git('ls-files', '-z', '-s', '--debug');
        const sizes = [...lines.matchAll(/size: (\d+)/g)].map(([, size]) => size);
        const names = repository.git('ls-files', '-z', '-s').split('\0').filter(Boolean);
        assert.deepEqual(
          found.map((line) => Buffer.from(line, 'latin1').toString()),
          names.map((line, at) => `${line.slice(line.indexOf(' ') + 1)} ${sizes[at] ?? ''}`),
        );
        assert.deepEqual(readIndexFacts({ bytes, format, inside: '' }).submodules, ['module']);
      });

  it('are those below a folder, where only they are asked for', () => {
    make('4', 'sha1');
    const inside = { bytes: readIndex(), format: 'sha1', inside: 'sub/' } as const;
    assert.deepEqual(listNamesIn(inside), [
      'a.txt',
      Buffer.from('deep/b é.txt').toString('latin1'),
      'deep/c\n.txt',
    ]);
    assert.deepEqual(readIndexFacts(inside).submodules, []);
  });

  for (const version of ['2', '4'])
    it(`can have names of any length, in version ${version}`, () => {
      const repository = GitRepository.init(folder);
      const long = `${'d'.repeat(250)}/`.repeat(19);
      const names = [`${long}${'a'.repeat(79)}`, `${long}${'b'.repeat(79)}`];
      const object = repository.git('hash-object', '-w', '-t', 'blob', '/dev/null').trim();
      for (const [at, name] of names.entries())
        repository.git(
          'update-index',
          '--add',
          '--cacheinfo',
          `100644,${object},${name.slice(0, 4094 + 740 * at)}`,
        );
      repository.git('update-index', '--index-version', version);
      const found: string[] = [];
      for (const cursor = new IndexCursor(readIndex(), 'sha1'); cursor.move();) found.push(cursor.name);
      assert.deepEqual(
        found,
        names.map((name, at) => name.slice(0, 4094 + 740 * at)),
      );
    });

  it('are refused where the index is cut off, or is none', () => {
    make('2', 'sha1');
    const bytes = readIndex();
    const walk = (index: Buffer): void => {
      const cursor = new IndexCursor(index, 'sha1');
      while (cursor.move()) assert.equal(typeof cursor.name, 'string');
    };
    walk(bytes);
    for (const length of [0, 4, 11, 40, 80, 200]) assert.throws(() => walk(bytes.subarray(0, length)));
    assert.throws(() => walk(Buffer.from(bytes).fill('x', 0, 4)));
    assert.throws(() => walk(Buffer.from(bytes).fill(9, 7, 8)));
  });
});
