import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import {
  createDiffMeasure,
  type DiffMeasure,
  type MeasureDiff,
} from '../../../../src/platform/git/changeMeasure';
import { KeptTrees } from '../../../../src/platform/git/keptTrees';
import type { Change } from '../../../../src/platform/git/repositoryCopy';
import type { FileVersion } from '../../../../src/platform/git/treeDiff';
import { GitRepository } from '../../../support/machine/gitRepository';

const NEVER = new AbortController().signal;

describe('A look at a repository that was looked at before', () => {
  let folder: string;
  let repository: GitRepository;
  let trees: KeptTrees;
  let measureDiff: MeasureDiff;
  let measure: DiffMeasure | undefined;
  let attempts = 0;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'looks-')));
    fs.mkdirSync(path.join(folder, 'repo'));
    repository = GitRepository.init(path.join(folder, 'repo'));
    const environment = { PATH: noteCalls(), HOME: '/nonexistent' };
    trees = new KeptTrees(path.join(folder, 'trees'), environment);
    measureDiff = createDiffMeasure({ environment, except: [], longestMs: 3_600_000 });
    write('one.txt', 'a\nb\n');
    write('sub/two.txt', 'a\n');
  });
  afterEach(() => {
    measure?.drop();
    measure = undefined;
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const inRepository = (name: string): string => path.join(repository.folder, name);

  function write(name: string, content: string): void {
    fs.mkdirSync(path.dirname(inRepository(name)), { recursive: true });
    fs.writeFileSync(inRepository(name), content);
  }

  /** Makes a git that notes its arguments, and returns the path to find it by. */
  function noteCalls(): string {
    const program = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    fs.mkdirSync(path.join(folder, 'bin'));
    const script = `#!/bin/sh\necho "$*" >> '${path.join(folder, 'calls')}'\nexec '${program}' "$@"\n`;
    fs.writeFileSync(path.join(folder, 'bin/git'), script, { mode: 0o755 });
    return [path.join(folder, 'bin'), process.env['PATH']].join(path.delimiter);
  }

  const countCalls = (command: string): number =>
    fs.readFileSync(path.join(folder, 'calls'), 'utf8').split(command).length - 1;

  /** Commits all files with times in the past, so that git takes them for unchanged without reading them. */
  function commitSettled(): void {
    for (const file of repository.git('ls-files', '-co', '-z').split('\0').filter(Boolean))
      fs.utimesSync(inRepository(file), 1_000, 1_000);
    repository.git('add', '-A');
    repository.git('commit', '-qm', 'settled', '--allow-empty');
    repository.git('update-index', '--refresh');
  }

  async function look(): Promise<void> {
    measure?.drop();
    measure = await measureDiff(repository.folder, NEVER);
  }

  async function end(): Promise<Change> {
    const change = await measure?.end();
    assert.ok(change);
    return change;
  }

  /** Returns what changed since the last look: the texts before and after. */
  async function contents(): Promise<Record<string, (string | null)[]>> {
    const attempt = { id: 1, number: ++attempts, startedAt: 1 };
    await trees.keep(attempt, await end(), NEVER);
    const kept = await trees.find(attempt);
    if (kept === null) return {};
    const read = async (version: FileVersion | null): Promise<string | null> =>
      version === null ? null : (await trees.read(kept.format, version, NEVER)).toString();
    const found: Record<string, (string | null)[]> = {};
    for (const file of await trees.diffOf(kept).list(NEVER))
      found[file.path] = [await read(file.before), await read(file.after)];
    return found;
  }

  it('asks for the sizes of new objects only', async () => {
    write('.gitattributes', '* text=auto\n');
    commitSettled();
    await look();
    await look();
    assert.equal(countCalls('cat-file'), 1);
    write('one.txt', 'c\n');
    commitSettled();
    await look();
    await look();
    assert.equal(countCalls('cat-file'), 2);
  });

  it('finds files that are converted since then, also if git has the same of them', async () => {
    write('.gitattributes', '* text=auto\n');
    commitSettled();
    await look();
    write('one.txt', 'a\r\nb\r\n');
    commitSettled();
    assert.equal(repository.git('diff', '--stat', 'HEAD~1', 'HEAD'), '');
    await look();
    write('one.txt', 'c\n');
    assert.deepEqual(await contents(), { 'one.txt': ['a\r\nb\r\n', 'c\n'] });
  });

  for (const how of ['.gitattributes', 'core.autocrlf', '.git/info/attributes'])
    it(`finds converted files if conversion was set up since then by ${how}`, async () => {
      commitSettled();
      await look();
      if (how === 'core.autocrlf') repository.git('config', how, 'true');
      else write(how, '* text=auto\n');
      write('one.txt', 'a\r\nb\r\n');
      commitSettled();
      await look();
      write('one.txt', 'c\n');
      assert.deepEqual(await contents(), { 'one.txt': ['a\r\nb\r\n', 'c\n'] });
    });

  for (const how of ['.gitattributes', 'sub/.gitattributes', '.git/info/attributes', 'core.attributesFile'])
    it(`finds files that a filter of ${how} converts without a change of their size`, async () => {
      if (how === 'core.attributesFile') repository.git('config', how, '.git/rules');
      write(how === 'core.attributesFile' ? '.git/rules' : how, '*.up filter=up\n');
      repository.git('config', 'filter.up.clean', 'tr A-Z a-z');
      write('sub/a.up', 'HELLO\n');
      commitSettled();
      assert.equal(repository.git('cat-file', '-p', 'HEAD:sub/a.up'), 'hello\n');
      await look();
      assert.deepEqual(await contents(), {});
      write('sub/a.up', 'WORLD\n');
      assert.deepEqual(await contents(), { 'sub/a.up': ['HELLO\n', 'WORLD\n'] });
      assert.equal(countCalls('check-attr'), 1);
    });

  it('asks for no attributes if none can convert a file without a change of its size', async () => {
    write('.gitattributes', '* text=auto\n');
    write('filter.gitattributes', '* filter=up\n');
    commitSettled();
    await look();
    assert.equal(countCalls('check-attr'), 0);
  });

  it('waits for no pipe in the place of a file of attributes', async () => {
    write('.gitattributes', '* filter=up\n');
    commitSettled();
    execFileSync('mkfifo', [inRepository('.git/info/attributes')]);
    await look();
    assert.equal(await measure?.end(), undefined);
  });

  it('follows files that come and go, between the same and other contents', async () => {
    commitSettled();
    write('early.txt', 'e\n');
    fs.rmSync(inRepository('sub/two.txt'));
    await look();
    assert.deepEqual(await contents(), {});
    write('sub/two.txt', 'a\n');
    write('one.txt', 'c\n');
    fs.rmSync(inRepository('early.txt'));
    assert.deepEqual(await contents(), {
      'early.txt': ['e\n', null],
      'one.txt': ['a\nb\n', 'c\n'],
      'sub/two.txt': [null, 'a\n'],
    });
    write('one.txt', 'a\nb\n');
    fs.rmSync(inRepository('sub'), { recursive: true });
    fs.symlinkSync('one.txt', inRepository('sub'));
    assert.deepEqual(await contents(), {
      'one.txt': ['c\n', 'a\nb\n'],
      sub: [null, 'one.txt'],
      'sub/two.txt': ['a\n', null],
    });
    fs.rmSync(inRepository('sub'));
    write('sub/two.txt', 'a\n');
    fs.rmSync(inRepository('one.txt'));
    assert.deepEqual(await contents(), {
      'one.txt': ['a\nb\n', null],
      sub: ['one.txt', null],
      'sub/two.txt': [null, 'a\n'],
    });
    assert.deepEqual(await contents(), {});
  });

  it('does not count a file twice that is ignored or staged since then', async () => {
    commitSettled();
    write('early.txt', 'e\n');
    await look();
    write('.gitignore', 'early.txt\n');
    repository.git('add', '-f', 'early.txt');
    repository.git('commit', '-qm', 'early');
    assert.deepEqual(await contents(), { '.gitignore': [null, 'early.txt\n'] });
    write('early.txt', 'f\n');
    assert.deepEqual(await contents(), { 'early.txt': ['e\n', 'f\n'] });
  });

  it('has both sides of a conflict that an attempt resolves', async () => {
    commitSettled();
    repository.git('checkout', '-qb', 'other');
    write('one.txt', 'other\n');
    repository.git('commit', '-qam', 'other');
    repository.git('checkout', '-q', 'main');
    write('one.txt', 'main\n');
    repository.git('commit', '-qam', 'main');
    assert.throws(() => repository.git('merge', '-q', 'other'));
    const merged = fs.readFileSync(inRepository('one.txt'), 'utf8');
    assert.match(merged, /<<<<<<<.*main.*other/s);
    await look();
    assert.deepEqual(await contents(), {});
    write('one.txt', 'both\n');
    repository.git('add', '-A');
    assert.deepEqual(await contents(), { 'one.txt': [merged, 'both\n'] });
  });

  it('does not name a large file of which only the time has changed', async () => {
    fs.writeFileSync(inRepository('large.bin'), Buffer.alloc(11 * 1024 * 1024));
    commitSettled();
    await look();
    fs.utimesSync(inRepository('large.bin'), 2_000, 2_000);
    write('one.txt', 'c\n');
    assert.deepEqual((await end()).leftOut, []);
    fs.appendFileSync(inRepository('large.bin'), 'b');
    assert.deepEqual((await end()).leftOut, [{ path: 'large.bin', why: 'large' }]);
  });

  it('knows the changes where the times of more files differ than may change', async () => {
    for (let at = 0; at < 10_001; at++) write(`many/${String(at)}`, 'a\n');
    commitSettled();
    execFileSync('sh', ['-c', 'find many -type f -exec touch -d @2000 {} +'], { cwd: repository.folder });
    await look();
    write('many/7', 'b\n');
    assert.deepEqual(await contents(), { 'many/7': ['a\n', 'b\n'] });
  });

  for (const version of ['2', '4'])
    it(`changes no byte of a repository whose index has version ${version}`, async () => {
      commitSettled();
      repository.git('update-index', '--index-version', version);
      write('one.txt', 'staged\n');
      repository.git('stash');
      write('sub/two.txt', 'b\n');
      const before = listFiles(repository.folder);
      await look();
      write('sub/two.txt', 'c\n');
      assert.deepEqual(await contents(), { 'sub/two.txt': ['b\n', 'c\n'] });
      write('sub/two.txt', 'b\n');
      assert.deepEqual(listFiles(repository.folder), before);
    });
});

/** All files below a folder with their contents. */
function listFiles(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .map((name) => `${name} ${fs.readFileSync(path.join(folder, name), 'latin1')}`);
}
