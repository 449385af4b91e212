import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { createSnapshots, type Snapshot, type SnapshotLook } from '../../../../src/platform/git/snapshot';

const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
const NEVER = new AbortController().signal;
/** Content that is not UTF-8, with a line end of Windows. */
const LATIN = Buffer.from('caf\xe9\r\nna\xefve\n', 'latin1');
/** Name that is not UTF-8. */
const LATIN_NAME = Buffer.from('caf\xe9.txt', 'latin1');

describe('A snapshot of a repository', () => {
  let folder: string;
  let repo: string;
  let snapshot: Snapshot | undefined;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'snapshot-')));
    repo = path.join(folder, 'repo');
    fs.mkdirSync(repo);
  });
  afterEach(() => {
    snapshot?.drop();
    snapshot = undefined;
    fs.rmSync(folder, { recursive: true, force: true });
  });

  function git(...args: readonly string[]): string {
    const who = ['-c', 'user.name=n', '-c', 'user.email=e'];
    return execFileSync('git', [...who, ...args], { cwd: repo, encoding: 'utf8', stdio: 'pipe' });
  }

  function write(name: string | Buffer, content: string | Buffer): void {
    const file = Buffer.concat([Buffer.from(`${repo}/`), Buffer.from(name)]);
    if (typeof name === 'string') fs.mkdirSync(path.join(repo, path.dirname(name)), { recursive: true });
    fs.writeFileSync(file, content);
  }

  /** Returns each file and link below a folder with its content and mode; names have one character for each byte. */
  function entriesBelow(place: string, isMeant: (name: string) => boolean = () => true): Map<string, string> {
    const found = new Map<string, string>();
    const visit = (below: Buffer, name: string): void => {
      for (const entry of fs.readdirSync(below, { withFileTypes: true, encoding: 'buffer' })) {
        const file = Buffer.concat([below, Buffer.from('/'), entry.name]);
        const own = `${name}${entry.name.toString('latin1')}`;
        if (!isMeant(own)) continue;
        if (entry.isDirectory()) visit(file, `${own}/`);
        else if (entry.isSymbolicLink()) found.set(own, `-> ${fs.readlinkSync(file)}`);
        else found.set(own, `${String(fs.statSync(file).mode & 0o100)} ${fs.readFileSync(file, 'latin1')}`);
      }
    };
    visit(Buffer.from(place), '');
    return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  const isOwn = (name: string): boolean => name !== '.git' && name !== 'ignored';

  async function take(below = '.'): Promise<Snapshot> {
    snapshot = await createSnapshots({ environment, except: [] })(path.join(repo, below), NEVER);
    assert.ok(snapshot !== undefined);
    return snapshot;
  }

  /** Returns the files that a look wrote, and the working directory in them. */
  async function checkOut(
    look: SnapshotLook,
  ): Promise<{ readonly files: Map<string, string>; readonly dir: string }> {
    const place = fs.mkdtempSync(path.join(folder, `${look}-`));
    const dir = await snapshot?.checkOut(look, place, NEVER);
    return { files: entriesBelow(place), dir: path.relative(place, dir ?? '') };
  }

  /** Makes a repository with committed, staged, changed, deleted and untracked files of many kinds. */
  function fill(): void {
    write('.gitattributes', '*.txt text eol=crlf\n*.up filter=up\n');
    git('config', 'core.autocrlf', 'true');
    // The size tells that git has converted the file.
    git('config', 'filter.up.clean', 'sed s/lower/UPPER-CASE/');
    git('config', 'filter.up.smudge', 'sed s/UPPER-CASE/lower/');
    write('.gitignore', 'ignored/\n');
    for (const name of ['kept.txt', 'changed.txt', 'removed.txt', 'sub/deep/file.txt', 'beside/file.txt'])
      write(name, `${name}\r\n`);
    write('lower.up', 'lower\n');
    write('was-file', 'a file\n');
    write('was-folder/file', 'in a folder\n');
    write(LATIN_NAME, LATIN);
    write('run.sh', '#!/bin/sh\n');
    fs.chmodSync(path.join(repo, 'run.sh'), 0o755);
    fs.symlinkSync('kept.txt', path.join(repo, 'link'));
    git('add', '-A');
    git('commit', '-qm', 'first');
    write('changed.txt', 'mine\n');
    write('staged.txt', 'staged\n');
    git('add', 'staged.txt');
    write('staged.txt', 'and changed\n');
    fs.rmSync(path.join(repo, 'removed.txt'));
    fs.rmSync(path.join(repo, 'was-file'));
    write('was-file/file', 'now in a folder\n');
    fs.rmSync(path.join(repo, 'was-folder'), { recursive: true });
    write('was-folder', 'now a file\n');
    write('untracked.bin', LATIN);
    write('ignored/file', 'x\n');
  }

  /** Changes files as an attempt does. */
  function change(): void {
    write('kept.txt', 'other\n');
    write('new.txt', 'new\n');
    write('removed.txt', 'there again\n');
    fs.rmSync(path.join(repo, 'untracked.bin'));
    fs.rmSync(path.join(repo, 'link'));
    fs.symlinkSync('new.txt', path.join(repo, 'link'));
    fs.chmodSync(path.join(repo, 'run.sh'), 0o644);
    write('sub/deep/file.txt', 'deep\n');
    write(LATIN_NAME, 'plain\n');
  }

  for (const format of ['sha1', 'sha256'])
    it(`writes all files byte for byte as they were before and after (${format})`, async () => {
      git('init', '-q', '--object-format', format);
      fill();
      const before = entriesBelow(repo, isOwn);
      await take();
      change();
      const after = entriesBelow(repo, isOwn);
      await snapshot?.end();
      git('add', '-A');
      git('commit', '-qm', 'later');
      write('kept.txt', 'later still\n');
      assert.deepEqual((await checkOut('before')).files, before);
      assert.deepEqual((await checkOut('after')).files, after);
      assert.deepEqual((await checkOut('before')).files, before, 'again');
      assert.notDeepEqual(before, after);
    });

  it('of a folder has also the files beside it, and says where the folder is', async () => {
    git('init', '-q');
    fill();
    const before = entriesBelow(repo, isOwn);
    await take('sub/deep');
    write('beside/file.txt', 'changed beside\n');
    write('sub/deep/file.txt', 'changed\n');
    const { files, dir } = await checkOut('before');
    assert.equal(dir, 'sub/deep');
    assert.deepEqual(files, before);
  });

  it('of a repository without a commit has its files', async () => {
    git('init', '-q');
    write('one.txt', 'a\n');
    await take();
    write('one.txt', 'b\n');
    await snapshot?.end();
    assert.deepEqual((await checkOut('before')).files, new Map([['one.txt', '0 a\n']]));
    assert.deepEqual((await checkOut('after')).files, new Map([['one.txt', '0 b\n']]));
  });

  it('changes nothing in the repository', async () => {
    git('init', '-q');
    fill();
    const bytes = entriesBelow(path.join(repo, '.git'));
    await take('sub');
    await snapshot?.end();
    await checkOut('before');
    await checkOut('after');
    assert.deepEqual(entriesBelow(path.join(repo, '.git')), bytes);
  });

  it('is not known outside of a repository', async () => {
    assert.equal(await createSnapshots({ environment, except: [] })(repo, NEVER), undefined);
  });

  it('refuses a working directory that was not there, was a file, or leads out through a link', async () => {
    git('init', '-q');
    write('file', 'x\n');
    fs.mkdirSync(path.join(repo, 'empty'));
    await take('empty');
    await assert.rejects(checkOut('before'), /was not there, or was a link/);
    fs.rmSync(path.join(repo, 'empty'), { recursive: true });
    fs.symlinkSync('/usr', path.join(repo, 'empty'));
    await snapshot?.end();
    await assert.rejects(checkOut('after'), /was not there, or was a link/);
    fs.rmSync(path.join(repo, 'empty'));
    write('empty', 'a file\n');
    await snapshot?.end();
    await assert.rejects(checkOut('after'), /was not there, or was a link/);
  });

  it('refuses to write files that it could not look at', async () => {
    git('init', '-q');
    write('file', 'x\n');
    await take();
    await assert.rejects(checkOut('after'), /are not known/);
  });
});
