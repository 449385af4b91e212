import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClaudeRunner } from '../../src/claude/attempt/run';
import type { Verdict } from '../../src/domain/task/attempt';
import { systemClock, type Clock } from '../../src/platform/clock';
import { runOne } from '../../src/worker/runOne';
import { jobIn, optionsIn } from '../integration/claude/fakeRun';
import { measureOf } from '../support/queue/measureOf';
import { Harness } from '../support/queue/workerHarness';
import { limitOpenFiles } from './faultyFs';

const NEVER = new AbortController().signal;
const ANSWER = {
  type: 'assistant',
  message: { id: 'm', model: 'sonnet', content: [], usage: { input_tokens: 7, cache_read_input_tokens: 3 } },
};

describe('A finished attempt, when the table of open files is full', () => {
  let folder: string;
  let looks: number;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'full-')));
    looks = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  /** Runs the fake Claude; from its start on no file can be opened for N waits. */
  async function runWithFullTable(waits: number): Promise<Verdict> {
    const job = jobIn(folder);
    const project = join(folder, '.claude', 'projects', 'p');
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, `${job.session}.jsonl`), `${JSON.stringify(ANSWER)}\n`);
    let isFull = false;
    const options = optionsIn(folder, 'ok');
    const clock: Clock = {
      now: () => systemClock.now(),
      sleep: async (ms, signal) => {
        if (!isFull || signal !== undefined) return options.clock.sleep(ms, signal);
        looks += 1;
        if (looks >= waits) isFull = false;
        return Promise.resolve();
      },
    };
    const takeBack = await limitOpenFiles(() => isFull);
    try {
      return await createClaudeRunner({ ...options, clock }).run(
        job,
        {
          started: () => {
            isFull = true;
            return Promise.resolve();
          },
          admitted: () => undefined,
          line: () => undefined,
        },
        NEVER,
      );
    } finally {
      takeBack();
    }
  }

  for (const waits of [1, 250]) {
    it(`keeps its result and its session's facts, once there is room (after ${String(waits)} waits)`, async () => {
      const { outcome, contextTokens } = await runWithFullTable(waits);
      assert.deepEqual([outcome, contextTokens], ['success', 10]);
      assert.equal(looks, waits);
    });
  }
});

const FULL = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });

describe('The end of an attempt, when the table of open files is full', () => {
  let harness: Harness;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'full-'));
    harness = new Harness({}, undefined, { folder });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is recorded although its changes could not be measured', async () => {
    harness.put(1);
    const measureDiff = () => Promise.resolve(measureOf({ end: () => Promise.reject(FULL) }));
    await harness.clock.run(runOne(harness.createWorker({ measureDiff }), {}, NEVER));
    assert.equal((await harness.task(1)).state.status, 'completed');
    assert.match(harness.reported.join('\n'), /could not be measured: EMFILE/);
  });

  it('waits with its check until the check can be started', async () => {
    harness.put(1, { verify: ['true'] });
    let tries = 0;
    const prepareCheck = () => {
      tries += 1;
      if (tries < 3) return Promise.reject(FULL);
      return Promise.resolve({ outside: null, environment: process.env, secrets: [] });
    };
    await harness.clock.run(runOne(harness.createWorker({ prepareCheck }), {}, NEVER));
    const [attempt] = await harness.queue.attempts({ id: 1 });
    assert.deepEqual([attempt?.outcome, attempt?.reason, tries], ['success', 'verified', 3]);
  });
});
