import assert from 'node:assert/strict';
import type { AttemptFacts } from '../../../src/domain/task/attempt';
import { work } from '../../../src/worker/work';
import { changeOf, measureOf } from '../../support/queue/measureOf';
import { Harness, EVENING, HOUR_MS, MINUTE_MS, SUCCESS, taking } from '../../support/queue/workerHarness';

/** An hour before the night of its budget ends. */
const MORNING = EVENING + 17 * HOUR_MS;

const NEVER = new AbortController().signal;

describe('The cost', () => {
  let harness: Harness;

  /** Adds N tasks of one minute, each with this cost. */
  function put(count: number, costUsd: number): void {
    for (let id = 1; id <= count; id += 1) harness.put(id, {}, taking(MINUTE_MS, { ...SUCCESS, costUsd }));
  }

  it('of a night stays within its budget: other tasks wait with the reason, and run after noon', async () => {
    harness = new Harness({ nightBudget: 1 }, MORNING);
    put(4, 0.6);
    const { ran } = await harness.clock.run(work(harness.createWorker(), { maxTasks: 4 }, NEVER));
    assert.equal(ran, 4);
    assert.deepEqual(harness.diary, ['11:00 1', '11:01 2', '12:00 3', '12:01 4']);
    const why = "11:02 waiting: the night's budget of $1.00 is used up ($1.20), next at 12:00";
    assert.ok(harness.reported.includes(why), harness.reported.join('\n'));
  });

  it('of a night is counted over all workers: one that a timer starts has no budget of its own', async () => {
    harness = new Harness({ nightBudget: 1 }, MORNING);
    put(3, 0.6);
    const summary = (): Promise<unknown> =>
      harness.clock.run(work(harness.createWorker(), { maxTasks: 1 }, NEVER));
    await summary();
    await summary();
    await summary();
    assert.deepEqual(harness.diary, ['11:00 1', '11:01 2', '12:00 3']);
  });

  it('is not limited without a budget', async () => {
    harness = new Harness();
    put(3, 1000);
    await harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
    assert.deepEqual(harness.diary, ['18:00 1', '18:01 2', '18:02 3']);
  });

  it('and all other facts of an attempt are in its history', async () => {
    harness = new Harness();
    const facts: AttemptFacts = {
      ...{ turns: 3, costUsd: 0.5, model: 'claude-opus-5-5', version: '2.1.329', apiMs: 900 },
      ...{
        subtype: 'success',
        terminalReason: 'completed',
        limitWarning: true as const,
        contextTokens: 5_000,
      },
      tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      permissions: { mode: 'acceptEdits', tools: ['Bash(npm test)'] },
      billing: 'subscription',
    };
    harness.put(1, { user: 'ann' }, taking(MINUTE_MS, { ...SUCCESS, ...facts }));
    const diff = { files: 2, insertions: 12, deletions: 3 };
    const leftOut = [{ path: 'large.bin', why: 'large' }] as const;
    const measured: string[] = [];
    const worker = harness.createWorker({
      measureDiff: (dir) => {
        measured.push(dir);
        return Promise.resolve(measureOf({ end: () => Promise.resolve(changeOf({ size: diff, leftOut })) }));
      },
    });
    await harness.clock.run(work(worker, { untilEmpty: true }, NEVER));
    const [attempt] = await harness.queue.attempts({ id: 1 });
    assert.ok(attempt);
    const names = [
      ...Object.keys(facts),
      'diff',
      'isDiffPartial',
      'exitCode',
      'user',
    ] as (keyof typeof attempt)[];
    assert.deepEqual(Object.fromEntries(names.map((name) => [name, attempt[name]])), {
      ...facts,
      diff,
      isDiffPartial: true,
      exitCode: 0,
      user: 'ann',
    });
    assert.deepEqual(measured, [harness.folder]);
  });

  it('starts when it is known how the directory was before', async () => {
    harness = new Harness();
    harness.put(1, {});
    let started = NaN;
    const worker = harness.createWorker({
      measureDiff: async () => {
        await harness.clock.sleep(MINUTE_MS);
        started = harness.runs.length;
        return measureOf({});
      },
    });
    await harness.clock.run(work(worker, { untilEmpty: true }, NEVER));
    assert.deepEqual([started, harness.runs.length], [0, 1]);
  });

  it('and the diff measurement end also if an attempt breaks', async () => {
    harness = new Harness();
    harness.put(1, {}, () => Promise.reject(new Error('broken')));
    let dropped = 0;
    const drop = (): void => void (dropped += 1);
    const worker = harness.createWorker({ measureDiff: () => Promise.resolve(measureOf({ drop })) });
    await assert.rejects(harness.clock.run(work(worker, { untilEmpty: true }, NEVER)), /broken/);
    assert.equal(dropped, 1);
  });
});
