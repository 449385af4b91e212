import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClaudeRunner } from '../../../../src/claude/attempt/run';
import type { Verdict } from '../../../../src/domain/task/attempt';
import { inputsIn, jobIn, notesIn, optionsIn } from '../fakeRun';

describe('A run of claude in a repository', () => {
  let folder: string;
  let checkout: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'run-')));
    checkout = join(folder, 'checkout');
    mkdirSync(join(checkout, 'src'), { recursive: true });
    mkdirSync(join(folder, 'other'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  function run(repositories: ReadonlyMap<string, string>): Promise<Verdict> {
    const job = jobIn(folder, { workingDir: 'repo:web/src', realDir: join(checkout, 'src') });
    const events = {
      started: () => Promise.resolve(),
      admitted: () => undefined,
      line: () => undefined,
    };
    const options = { ...optionsIn(folder, 'ok'), repositories };
    return createClaudeRunner(options).run(job, events, new AbortController().signal);
  }

  it('starts in the folder of this machine', async () => {
    assert.equal((await run(new Map([['web', checkout]]))).outcome, 'success');
    assert.equal(notesIn(folder)[0]?.cwd, join(checkout, 'src'));
  });

  it('is not started once the repository is elsewhere, is gone, or a link leads out of it', async () => {
    const here = new Map([['web', checkout]]);
    await assert.rejects(run(new Map([['web', join(folder, 'other')]])), {
      reason: 'folder-moved',
      message: `Task 1 was not started: its working directory repo:web/src now points to ${folder}/other/src, not to ${checkout}/src.`,
    });
    await assert.rejects(run(new Map()), {
      reason: 'folder-moved',
      message: /is in a repository that is no longer on this machine\.$/,
    });
    renameSync(join(checkout, 'src'), join(folder, 'moved'));
    symlinkSync(join(folder, 'moved'), join(checkout, 'src'));
    await assert.rejects(run(here), { reason: 'folder-moved', message: /now points to \S+\/moved, not to / });
    assert.deepEqual(inputsIn(folder), []);
  });
});
