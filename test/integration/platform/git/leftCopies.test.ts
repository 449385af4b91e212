import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../../../src/domain/task/processIdentity';
import { ScratchFolders } from '../../../../src/platform/files/scratchFolders';
import { createDiffMeasure } from '../../../../src/platform/git/changeMeasure';

const KILLED = { pid: 1001, startedAt: 'boot/1' };
const NEXT = { pid: 1002, startedAt: 'boot/2' };

describe('A copy of the files before an attempt', () => {
  it('is removed by the next worker if its own was killed', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'left-copies-')));
    try {
      const [repository, parent] = [join(folder, 'repository'), join(folder, 'temporary')];
      for (const each of [repository, parent]) mkdirSync(each);
      execFileSync('git', ['init', '-q'], { cwd: repository });
      writeFileSync(join(repository, 'secret.txt'), 'untracked');
      const scratchOf = (own: ProcessIdentity): ScratchFolders => {
        const processes = {
          self: () => own,
          identify: (pid: number) => (pid === own.pid ? own : null),
          isAlive: (one: ProcessIdentity) => one === own,
        };
        return new ScratchFolders(processes, parent);
      };
      const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
      const measureDiff = createDiffMeasure({ environment, except: [], scratch: scratchOf(KILLED) });
      await measureDiff(repository, new AbortController().signal);
      assert.equal(readdirSync(parent).length, 1);
      await scratchOf(NEXT).removeLeftovers();
      assert.deepEqual(readdirSync(parent), []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
