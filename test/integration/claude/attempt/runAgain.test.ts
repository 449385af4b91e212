import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClaudeRunner } from '../../../../src/claude/attempt/run';
import type { AttemptEvents, Verdict } from '../../../../src/domain/task/attempt';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import { jobIn, notesIn, optionsIn } from '../fakeRun';

describe('An attempt with a claude that stopped waiting for its prompt', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'again-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  const starts = (): number => notesIn(folder).length;

  function run(
    script: string,
    prompt = 'Do it.',
    started: AttemptEvents['started'] = () => Promise.resolve(),
  ): Promise<Verdict> {
    const events = { started, admitted: () => undefined, line: () => undefined };
    const runner = createClaudeRunner(optionsIn(folder, script));
    return runner.run(jobIn(folder, { prompt }), events, new AbortController().signal);
  }

  for (const [script, most, ...end] of [
    ['impatientOnce', 2, 'success', 'done'],
    ['impatient', 3, 'transient', 'not-started'],
  ] as const) {
    it(`is started again, three times at most (${script})`, async () => {
      const verdict = await run(script);
      assert.deepEqual([starts(), verdict.outcome, verdict.reason], [most, ...end]);
    });
  }

  it('is started again if it ended before its start was recorded, also with a long prompt', async () => {
    const verdict = await run('impatientOnce', 'Do it. '.repeat(1_000), async ({ pid }) => {
      while (systemProcesses.identify(pid) !== null) await setTimeout(10);
    });
    assert.deepEqual([starts(), verdict.outcome], [2, 'success']);
  });
});
