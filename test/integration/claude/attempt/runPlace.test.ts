import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClaudeRunner, type RunnerOptions } from '../../../../src/claude/attempt/run';
import type { Verdict } from '../../../../src/domain/task/attempt';
import { jobIn, notesIn, optionsIn } from '../fakeRun';

describe('A run of claude in a place that its row does not name', () => {
  let folder: string;
  let place: string;
  let lines: string[];

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'run-')));
    place = join(folder, 'place');
    mkdirSync(join(place, 'deep', 'claude_queue'), { recursive: true });
    mkdirSync(join(folder, 'row'));
    lines = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  const trust = (trusted: string): void => {
    const projects = { [trusted]: { hasTrustDialogAccepted: true } };
    writeFileSync(join(folder, '.claude.json'), JSON.stringify({ projects }));
  };

  function run(more: Partial<RunnerOptions> = {}): Promise<Verdict> {
    const job = jobIn(folder, { workingDir: join(folder, 'row') }, { place: { folder: place } });
    const events = {
      started: () => Promise.resolve(),
      admitted: () => undefined,
      line: (line: string) => void lines.push(line),
    };
    const options = { ...optionsIn(folder, 'ok'), ...more };
    return createClaudeRunner(options).run(job, events, new AbortController().signal);
  }

  const rules = (): string => notesIn(folder)[0]?.args?.join('\n') ?? '';

  it('starts there, with the trust of that place', async () => {
    trust(place);
    assert.equal((await run()).outcome, 'success');
    assert.equal(notesIn(folder)[0]?.cwd, place);
    assert.ok(!lines.some((line) => line.includes('You have not trusted')), lines.join('\n'));
    trust(join(folder, 'row'));
    await run();
    assert.ok(
      lines.some((line) => line.startsWith(`You have not trusted ${place} `)),
      lines.join('\n'),
    );
  });

  it('is kept from the protected files that lie in that place', async () => {
    await run({ protectedPaths: [join(place, 'deep', 'claude_queue')] });
    assert.match(rules(), /Bash\(mv:\*\)/);
  });

  it('may work only where that place is allowed', async () => {
    const { outcome, reason } = await run({ allowedDirectories: [join(folder, 'row')] });
    assert.deepEqual([outcome, reason], ['permanent', 'bad-working-dir']);
    assert.equal((await run({ allowedDirectories: [place] })).outcome, 'success');
  });

  it('is not started once the place is a link', async () => {
    rmSync(place, { recursive: true });
    symlinkSync(join(folder, 'row'), place);
    await assert.rejects(run(), {
      reason: 'folder-moved',
      message: `Task 1 was not started: its working directory ${place} now points to ${folder}/row, not to ${place}.`,
    });
    assert.deepEqual(notesIn(folder), []);
  });
});
