import assert from 'node:assert/strict';
import { runOne } from '../../../src/worker/runOne';
import { work } from '../../../src/worker/work';
import type { WorkerDeps, WorkerGate } from '../../../src/worker/workerDeps';
import { Harness } from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;
const ANOTHER = new Error('Another account pays.');

describe('An assumed account', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });

  const createWorker = (confirm: WorkerGate['confirm']): WorkerDeps =>
    harness.createWorker({ gate: Object.assign(Object.create(harness.gate) as WorkerGate, { confirm }) });

  it('gives no attempt its prompt before it is confirmed', async () => {
    harness.put(1);
    const promptsAtConfirm: number[] = [];
    const worker = createWorker(async () => {
      await harness.clock.sleep(60_000);
      promptsAtConfirm.push(harness.runs.length);
    });
    await harness.clock.run(work(worker, { untilEmpty: true }, NEVER));
    assert.equal(promptsAtConfirm[0], 0);
    assert.deepEqual(harness.diary, ['18:01 1']);
  });

  const STARTS: Readonly<Record<string, (worker: WorkerDeps) => Promise<unknown>>> = {
    work: (worker) => work(worker, {}, NEVER),
    run: (worker) => runOne(worker, {}, NEVER),
  };
  for (const [how, start] of Object.entries(STARTS)) {
    it(`that is another ends "${how}" without a prompt, and leaves the task as it was`, async () => {
      harness.put(1);
      const before = (await harness.task(1)).state;
      const starting = start(createWorker(() => Promise.reject(ANOTHER)));
      await assert.rejects(harness.clock.run(starting), ANOTHER);
      assert.deepEqual(harness.runs, []);
      assert.equal(harness.processes.ended.length, 1, 'its process');
      const { claims, starts } = await harness.queue.read();
      assert.deepEqual([claims, starts, await harness.queue.attempts({})], [[], [], []]);
      assert.deepEqual((await harness.task(1)).state, before);
    });

    it(`that is another ends "${how}" before its gate lets a task wait`, async () => {
      harness.put(1);
      await harness.gate.report({
        signal: { kind: 'sign-in', resetAt: null, message: 'Sign in.' },
        usage: [],
      });
      const starting = start(createWorker(() => Promise.reject(ANOTHER)));
      await assert.rejects(harness.clock.run(starting), ANOTHER);
      assert.deepEqual(harness.reported, []);
    });
  }

  it('that is another ends each of several attempts', async () => {
    for (const id of [1, 2]) harness.put(id, { workingDir: `/nowhere/${String(id)}` });
    const slots = { min: 2, max: 2 };
    Object.assign(harness.settings, { maxRunning: 2 });
    let reject: (why: Error) => void = () => assert.fail();
    const answer = new Promise<never>((_, refuse) => (reject = refuse));
    let asked = 0;
    const worker = createWorker(() => {
      asked += 1;
      if (asked === 2) reject(ANOTHER);
      return answer;
    });
    await assert.rejects(harness.clock.run(work({ ...worker, slots }, {}, NEVER)), ANOTHER);
    assert.equal(asked, 2);
    assert.deepEqual([harness.runs, await harness.claims()], [[], []]);
  });
});
