import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { createDiffMeasure } from '../../../../src/platform/git/changeMeasure';
import { GitRepository } from '../../../support/machine/gitRepository';

const NEVER = new AbortController().signal;
const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };

describe('The number of files that an attempt changed', () => {
  let folder: string;
  let repository: GitRepository;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'replaced-')));
    fs.mkdirSync(path.join(folder, 'repo'));
    repository = GitRepository.init(path.join(folder, 'repo'));
    write('one.txt', 'a\nb\n');
    write('sub/deep/two.txt', 'a\n');
    repository.commitAll('first');
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const inRepository = (name: string): string => path.join(repository.folder, name);

  function write(name: string, content: string): void {
    fs.mkdirSync(path.dirname(inRepository(name)), { recursive: true });
    fs.writeFileSync(inRepository(name), content);
  }

  function makeRepository(name: string): void {
    fs.rmSync(inRepository(name));
    fs.mkdirSync(inRepository(name));
    execFileSync('git', ['init', '-q'], { cwd: inRepository(name) });
  }

  /** Returns the number of files that each of these changes, one after the other, has changed. */
  async function countFiles(...changes: readonly (() => void)[]): Promise<(number | undefined)[]> {
    const measureDiff = createDiffMeasure({ environment, except: [], longestMs: 3_600_000 });
    const measure = await measureDiff(repository.folder, NEVER);
    const counts: (number | undefined)[] = [];
    try {
      for (const change of changes) {
        change();
        counts.push((await measure.end())?.size.files);
      }
    } finally {
      measure.drop();
    }
    return counts;
  }

  const changeOne = (): void => {
    write('one.txt', 'b\n');
  };

  it('is known where a file is in the place of folders', async () => {
    const replace = (): void => {
      fs.rmSync(inRepository('sub'), { recursive: true });
      write('sub', 'd\n');
    };
    assert.deepEqual(await countFiles(replace), [2]);
    // Now it is there before.
    assert.deepEqual(await countFiles(changeOne), [1]);
  });

  it('is known where a repository without a commit is in the place of a file', async () => {
    write('new.txt', 'n\n');
    const replace = (): void => {
      makeRepository('sub/deep/two.txt');
      makeRepository('new.txt');
    };
    assert.deepEqual(await countFiles(replace, () => undefined, changeOne), [2, 0, 1]);
    // Now it is there before.
    write('one.txt', 'c\n');
    assert.deepEqual(await countFiles(changeOne), [1]);
  });

  it('is known where a link is in the place of a folder whose files git converts', async () => {
    repository.git('config', 'core.autocrlf', 'true');
    write('sub/windows.txt', 'a\r\nb\r\n');
    repository.commitAll('windows');
    fs.renameSync(inRepository('sub'), path.join(folder, 'moved'));
    fs.symlinkSync(path.join(folder, 'moved'), inRepository('sub'));
    assert.deepEqual(await countFiles(changeOne), [1]);
  });
});
