import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { createDiffMeasure, type DiffMeasure } from '../../../../src/platform/git/changeMeasure';
import { GitRepository } from '../../../support/machine/gitRepository';

const NEVER = new AbortController().signal;
const NOTHING = { files: 0, insertions: 0, deletions: 0 };

describe('The measured change of an attempt that follows another', () => {
  let folder: string;
  let repository: GitRepository;
  let now: number;
  let measure: DiffMeasure;
  beforeEach(async () => {
    now = Date.now();
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'diff-')));
    repository = GitRepository.init(folder);
    write('one.txt', 'a\nb\nc\n');
    write('sub/two.txt', 'a\n');
    write('.gitignore', 'build/\n');
    write('.git/info/exclude', '*.swp\n');
    repository.git('add', '-A');
    repository.git('commit', '-qm', 'first');
    write('build/out.js', 'made\n');
    measure = await createDiffMeasure({
      environment: { PATH: process.env['PATH'], HOME: path.join(folder, '.git/home') },
      except: [],
      // More than any test may take: what is not known is so for another reason.
      longestMs: 3_600_000,
      clock: { now: () => now },
    })(folder, NEVER);
  });
  afterEach(() => {
    measure.drop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, text: string): void {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }

  it('is what changed since the last look', async () => {
    write('one.txt', 'a\nb\nC\n');
    write('new.txt', 'x\ny\n');
    assert.deepEqual((await measure.end())?.size, { files: 2, insertions: 3, deletions: 1 });
    assert.equal(await measure.isCurrent(folder), true);
    write('new.txt', 'x\nY\n');
    assert.deepEqual((await measure.end())?.size, { files: 1, insertions: 1, deletions: 1 });
    assert.equal(await measure.isCurrent(folder), true);
    assert.deepEqual((await measure.end())?.size, NOTHING);
  });

  const changes: readonly (readonly [string, () => unknown])[] = [
    ['more than a second has passed', () => (now += 1_001)],
    ['the clock was set back', () => (now -= 1_001)],
    ['an ignored file was added', () => repository.git('add', '-f', 'build/out.js')],
    ['the repository was configured', () => repository.git('config', 'core.fileMode', 'false')],
    ['its excludes changed', () => write('.git/info/exclude', '')],
    ["the user's excludes changed", () => write('.git/home/.config/git/ignore', '')],
    ['the repository is gone', () => fs.rmSync(path.join(folder, '.git'), { recursive: true })],
  ];
  for (const [what, change] of changes) {
    it(`needs another look first if ${what}`, async () => {
      await measure.end();
      assert.equal(await measure.isCurrent(folder), true);
      change();
      assert.equal(await measure.isCurrent(folder), false);
    });
  }

  it('needs another look first if other files are ignored', async () => {
    write('sub/.gitignore', '*.log\n');
    await measure.end();
    assert.equal(await measure.isCurrent(folder), false);
  });

  it('needs another look first in another directory', async () => {
    await measure.end();
    assert.equal(await measure.isCurrent(path.join(folder, 'sub')), false);
  });

  it('needs another look first if the last one failed', async () => {
    fs.renameSync(folder, `${folder}-moved`);
    assert.equal(await measure.end(), undefined);
    fs.renameSync(`${folder}-moved`, folder);
    assert.equal(await measure.isCurrent(folder), false);
  });
});
