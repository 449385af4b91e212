import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job, Verdict } from '../../../../src/domain/task/attempt';
import { placeOf } from '../../../../src/domain/task/place';
import type { Definition } from '../../../../src/domain/task/task';
import { reportCheck } from '../../../../src/worker/attempt/reportCheck';

const VERDICT: Verdict = {
  outcome: 'success',
  reason: 'verified',
  message: 'Done.',
  denials: [],
  usage: [],
  exitCode: 0,
  check: { result: 'passed', exitCode: 0, ms: 1, output: '$(their words)' },
};

describe('The result of a check', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'report-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Adds the result to the attempt's output, and returns what the user hears of trouble. */
  async function reportInto(outputFile: string): Promise<readonly string[]> {
    const definition: Definition = {
      ...{ id: 1, priority: 'medium', workingDir: folder, prompt: 'Do it.' },
      ...{ dependencies: [], maxRetries: 3, verify: ['true'] },
    };
    const job: Job = {
      ...{ definition, place: placeOf(definition), session: 'session' },
      ...{ outputFile, timeoutMs: 1_000, attemptMark: 'mark' },
    };
    const troubles: string[] = [];
    const events = {
      line: () => undefined,
      trouble: (message: string) => {
        troubles.push(message);
      },
    };
    await reportCheck({ events: events as never, describeError: String }, job, VERDICT);
    return troubles;
  }

  it('is added to the output of its attempt, or makes one', async () => {
    const output = join(folder, 'output');
    for (const count of [1, 2]) {
      assert.deepEqual(await reportInto(output), []);
      assert.equal(readFileSync(output, 'utf8').match(/"type":"check"/g)?.length, count);
    }
  });

  it('is not written through a link in place of the output', async () => {
    const [own, output] = [join(folder, 'profile'), join(folder, 'output')];
    writeFileSync(own, 'mine\n');
    symlinkSync(own, output);
    const [trouble = ''] = await reportInto(output);
    assert.match(trouble, /^The output of the check could not be written/);
    assert.equal(readFileSync(own, 'utf8'), 'mine\n');
  });

  it('does not wait for a reader of a pipe in place of the output', async () => {
    const output = join(folder, 'output');
    execFileSync('mkfifo', [output]);
    assert.equal((await reportInto(output)).length, 1);
  });
});
